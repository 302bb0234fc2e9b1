"""What is checked: a table and a link as plain values, and what can be wrong with them."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from games.money import Cents
from games.paytable import Pay
from games.showdown.blackjack import BesideMultipleAction


class RuleFault(Struct, frozen=True):
    """What the rules forbid: the key that says so, its value, how to mend it, and the clause."""

    key: str
    value: object
    problem: str
    remedy: str
    rule: str

    def __str__(self) -> str:
        return f"{self.problem}; {self.remedy}"


Faults: TypeAlias = Iterator[RuleFault]


class TableCase(Struct, frozen=True):
    """A table: what it deals for the meter, what else it offers, and what the house pays beyond the listed amounts.

    pay_tables, pays and minimums go by wager, pays then by hand; the progressive wager's pay table is pay_table. decks
    None is the game's usual number; a wager without a minimum of the house's has the rule's. dealer_hands above 1 is
    multiple action.
    """

    game: str
    pay_table: str
    stake_cents: Cents
    seats: int = 1
    decks: int | None = None
    wagers: tuple[str, ...] = ()
    pay_tables: Mapping[str, str] = {}
    pays: Mapping[str, Mapping[str, Pay]] = {}
    limits: Mapping[str, Cents] = {}
    limits_before: Mapping[str, Cents] = {}
    minimums: Mapping[str, Cents] = {}
    dealer_hands: int = 1
    multiple_action_bonus: BesideMultipleAction = "refused"
    insurance_to_one: int = 0
    connection_sign: bool = False
    options: Mapping[str, str] = {}
    names_will_do: bool = False


class GameOnLink(Struct, frozen=True):
    """A game that tables of a link may deal: with which pay tables, for which stakes, what is paid beyond them.

    decks None is the game's usual number.
    """

    game: str
    pay_tables: tuple[str, ...]
    stakes_cents: tuple[Cents, ...]
    pays: Mapping[str, Pay] = {}
    decks: int | None = None


class LinkCase(Struct, frozen=True):
    """One meter for all its tables (1.39B(a)): its part of a wager and its reset meter's, what the house funds."""

    rate_bp: int
    base_cents: Cents
    reset_cents: Cents
    games: tuple[GameOnLink, ...]
    tables: int = 1
    reset_rate_bp: int = 0
