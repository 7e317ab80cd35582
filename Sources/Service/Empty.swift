// Empty until the first type of Service lands.
