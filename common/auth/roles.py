"""Roles of the staff: dealer, supervisor, technician, accounting."""

from collections.abc import Mapping
from enum import Enum
from typing import TypeAlias


class Role(Enum):
    """What somebody is here."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    TECHNICIAN = "technician"
    ACCOUNTING = "accounting"


Roles: TypeAlias = frozenset[Role]
May: TypeAlias = Mapping[str, Roles]
"""Every action of a site, and the roles that may take it; what is not there, nobody may."""
