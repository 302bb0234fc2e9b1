"""What tests of flashing need."""
