// Empty until the first type of Issuance lands.
