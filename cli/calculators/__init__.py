"""Commands that need no floor: settlement, showdown, odds, the check of settings, the rule book."""
