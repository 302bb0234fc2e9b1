"""What tests of devices need: rigs of lines and simulated pins."""
