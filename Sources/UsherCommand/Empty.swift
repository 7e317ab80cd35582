// Empty until the first type of UsherCommand lands.
