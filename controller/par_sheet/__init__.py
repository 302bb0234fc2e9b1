"""The par sheet of a wager for people: as text, and as a page with charts."""
