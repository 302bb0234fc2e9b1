"""MQTT: the client and its settings."""
