"""What tests of a whole table need: floors, processes, journals."""
