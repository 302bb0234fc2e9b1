"""Stores of the ledger: SQLite, PostgreSQL, backups, audits."""
