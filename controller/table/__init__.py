"""The table: one inbox, one loop, and what it remembers of its last run."""
