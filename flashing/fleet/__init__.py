"""A floor of boards: each asks the meter's machine what to run, and says how it is."""
