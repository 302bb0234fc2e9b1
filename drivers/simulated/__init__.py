"""Simulated metal with behaviour, under the same drivers a board runs."""
