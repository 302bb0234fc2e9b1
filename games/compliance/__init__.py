"""Compliance: what the rules forbid of a table's and a link's settings, all of it at once."""

from games.compliance.cases import GameOnLink, LinkCase, RuleFault, TableCase
from games.compliance.link import joining_faults, link_faults, linked_faults, sign_fault, unlike
from games.compliance.offer import usual_decks
from games.compliance.rarity import rarity_faults
from games.compliance.table import table_faults

__all__ = [
    "GameOnLink",
    "LinkCase",
    "RuleFault",
    "TableCase",
    "joining_faults",
    "link_faults",
    "linked_faults",
    "rarity_faults",
    "sign_fault",
    "table_faults",
    "unlike",
    "usual_decks",
]
