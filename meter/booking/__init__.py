"""Booking: which messages are admitted, and how they get into the ledger."""
