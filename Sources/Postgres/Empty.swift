// Empty until the first type of Postgres lands.
