"""Permissions: which role may do what at a table's panel."""

from typing import Final

from common.auth.roles import May, Role, Roles

_DEALERS: Final = frozenset({Role.DEALER, Role.SUPERVISOR})
_SUPERVISORS: Final = frozenset({Role.SUPERVISOR})
_AUDITORS: Final = frozenset({Role.SUPERVISOR, Role.ACCOUNTING})

MAY: Final[May] = {
    "coupon": _DEALERS,
    "return-coupon": _DEALERS,
    "recount": _DEALERS,
    "fold": _DEALERS,
    "claim": _DEALERS,
    "show": _DEALERS,
    "all-shown": _DEALERS,
    "wager": _DEALERS,
    "take-back": _DEALERS,
    "as-last-round": _DEALERS,
    "no-base": _DEALERS,
    "base-laid": _DEALERS,
    "no-win": _DEALERS,
    "number": _DEALERS,
    "dealer-card": _DEALERS,
    "display": _DEALERS,
    "one-player": _DEALERS,
    "papers": _DEALERS,
    "pay-envy": _DEALERS,
    "pay": _DEALERS,
    "pass-bank": _DEALERS,
    "bank": _DEALERS,
    "no-bank": _DEALERS,
    "dice": _DEALERS,
    "stub": _DEALERS,
    "house-way": _DEALERS,
    "base-won": _DEALERS,
    "centre": _DEALERS,
    "open": _SUPERVISORS,
    "close": _SUPERVISORS,
    "explain": _SUPERVISORS,
    "correct-fold": _SUPERVISORS,
    "validate": _SUPERVISORS,
    "reject": _SUPERVISORS,
    "irregularity": _SUPERVISORS,
    "withdraw": _SUPERVISORS,
    "refund": _SUPERVISORS,
    "retest": frozenset({Role.DEALER, Role.SUPERVISOR, Role.TECHNICIAN}),
    "acknowledge": frozenset({Role.SUPERVISOR, Role.TECHNICIAN}),
    "test": frozenset({Role.TECHNICIAN}),
    "see evidence": _DEALERS,
    "see replay": _AUDITORS,
    "see slips": frozenset({Role.DEALER, Role.SUPERVISOR, Role.ACCOUNTING}),
    "see pins": frozenset({Role.TECHNICIAN}),
}
"""Every action, and the roles that may take it; what is not here, nobody may."""

ORDER_BY_SESSION: Final = frozenset({Role.DEALER, Role.TECHNICIAN})
"""Who orders while signed in. A supervisor signs each order with number and PIN, and is signed in only to look."""


def roles_for(action: str) -> Roles:
    """Who may do this."""
    return MAY.get(action, frozenset())
