"""The functional core: the rules as values and pure functions."""
