"""The table's side of the link to the meter."""
