"""Mutants: each rule broken on purpose, to see that the tests named for it notice (docs/mutants.md)."""
