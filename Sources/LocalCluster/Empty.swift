// Empty until the first type of LocalCluster lands.
