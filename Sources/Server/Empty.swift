// Empty until the first type of Server lands.
