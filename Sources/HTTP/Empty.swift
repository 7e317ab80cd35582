// Empty until the first type of HTTP lands.
