"""A table's settings: what its file says, and what is wrong with it."""
