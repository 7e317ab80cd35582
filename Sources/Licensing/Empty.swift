// Empty until the first type of Licensing lands.
