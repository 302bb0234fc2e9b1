"""Tests on a board."""
