"""The poker room: its games, hands, pots and betting order."""
