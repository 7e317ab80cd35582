// Empty until the first test lands.
