// Empty until the first fixture lands.
