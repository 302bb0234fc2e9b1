"""The journal: every event on disk before anything acts on it."""
