"""The smallest settings with which a meter starts."""

GOOD = """
store = "ledger.sqlite"
[[link]]
name = "main"
rate_bp = 7000
base_cents = 1000000
reset_cents = 500000
limit_cents = 0
reset_rate_bp = 0
tables = ["T1", "T2"]
shortest_claim_ms = 0
shortest_payout_ms = 0
[[link.game]]
name = "texas-holdem-bonus"
pay_tables = ["A"]
stakes_cents = [100]
"""
