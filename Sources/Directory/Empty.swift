// Empty until the first type of Directory lands.
