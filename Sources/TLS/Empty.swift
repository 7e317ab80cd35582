// Empty until the first type of TLS lands.
