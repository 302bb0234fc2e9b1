"""Who may do what at the floor's page and with the meter's commands."""

from typing import Final

from common.auth.roles import May, Role

_MANAGEMENT: Final = frozenset({Role.SUPERVISOR, Role.ACCOUNTING})
_ALL: Final = frozenset({Role.SUPERVISOR, Role.ACCOUNTING, Role.TECHNICIAN})

MAY: Final[May] = {
    "acknowledge": _ALL,
    "see history": _ALL,
    "see statement": _MANAGEMENT,
    "OrderClaims": _MANAGEMENT,
    "DecideHeld": _MANAGEMENT,
    "SettleAward": _MANAGEMENT,
    "Correct": _MANAGEMENT,
    "Transfer": _MANAGEMENT,
    "TakeOverflow": _MANAGEMENT,
    "Close": _MANAGEMENT,
    "Stop": _ALL,
    "Reopen": _MANAGEMENT,
    "ChangeTerms": _MANAGEMENT,
    "SwapBoard": frozenset({Role.SUPERVISOR, Role.TECHNICIAN}),
}
"""Every action, and the roles that may take it; a decision needs two persons, each of one of its roles."""
