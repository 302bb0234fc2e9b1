"""The demo: broker, meter and simulated tables in one command."""
