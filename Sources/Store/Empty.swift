// Empty until the first type of Store lands.
