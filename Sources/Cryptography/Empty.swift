// Empty until the first type of Cryptography lands.
