"""The pages of a table: panel, sign, replay and payout slips, and who may do what on them."""
