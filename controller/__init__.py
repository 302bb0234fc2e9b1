"""The table daemon: the imperative shell round games and drivers."""
