// Empty until the first migration lands.
