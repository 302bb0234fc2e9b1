"""The ledger: double entry for every link; pure."""
