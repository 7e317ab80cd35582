// Empty until the first type of Reactor lands.
