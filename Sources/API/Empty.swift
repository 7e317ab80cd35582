// Empty until the first type of API lands.
