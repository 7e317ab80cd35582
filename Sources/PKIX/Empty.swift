// Empty until the first type of PKIX lands.
