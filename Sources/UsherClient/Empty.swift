// Empty until the first type of UsherClient lands.
