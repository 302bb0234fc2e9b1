"""The base game of pai gow poker: hands, bank, deck and showdown."""
