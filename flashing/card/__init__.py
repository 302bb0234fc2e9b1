"""Cards for boards: a Raspberry Pi OS image that a technician supplies becomes a table's card."""
