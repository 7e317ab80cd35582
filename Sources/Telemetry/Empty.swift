// Empty until the first type of Telemetry lands.
