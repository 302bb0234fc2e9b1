"""The table's card: what does not change while it runs; its game, its pays, its irregularities, how cards are shown."""

from collections.abc import Iterator

from msgspec import Struct

from controller.web.text import spoken
from controller.web.view import fold_words
from games.game import Irregularity
from games.money import Cents, dollars
from games.paytable import PayTable, words
from games.round.table_rules import TableRules


class PayRow(Struct, frozen=True):
    """One row of a pay table as people read it."""

    hand: str
    words: str
    pay: str
    deducted: bool
    rule: str


class IrregularityRow(Struct, frozen=True):
    """One irregularity: which order it is, whether it needs seats, and what the rules then do."""

    name: str
    words: str
    action: str
    for_seats: bool
    effect: str
    rule: str


class TableCard(Struct, frozen=True):
    """What every page of the table may know beforehand."""

    table: str
    title: str
    stake: str
    stake_cents: Cents
    pay_table: str
    seats: tuple[int, ...]
    pays: tuple[PayRow, ...]
    envy: tuple[PayRow, ...]
    irregularities: tuple[IrregularityRow, ...]
    hand_size: int
    hand_grows: bool
    community_size: int
    joker: bool
    fold: str
    coupons: bool
    key_fitted: bool
    lock_ends_round: bool
    connected: bool


def table_card(name: str, rules: TableRules, *, lock_ends_round: bool, connected: bool) -> TableCard:
    """The card of a table under these rules."""
    game = rules.game
    return TableCard(
        table=name,
        title=game.title,
        stake=dollars(rules.stake_cents),
        stake_cents=rules.stake_cents,
        pay_table=rules.pay_table.name,
        seats=rules.seats,
        pays=tuple(_rows(rules.pay_table)),
        envy=tuple(row for table in _envy_table(rules) for row in _rows(table)),
        irregularities=tuple(_irregularity(rules, known) for known in game.irregularities),
        hand_size=game.hand_size,
        hand_grows=game.hand_grows,
        community_size=rules.community_size,
        joker=game.joker,
        fold=fold_words(rules),
        coupons=game.coupons,
        key_fitted=rules.supervisor_key,
        lock_ends_round=lock_ends_round,
        connected=connected,
    )


def _rows(table: PayTable) -> Iterator[PayRow]:
    """Every winning hand and what it pays, for signs and panels (1.13Q(e)2)."""
    for line in table.lines:
        yield PayRow(line.hand, spoken(line.hand), words(line.pay), line.deducted, line.rule)


def _envy_table(rules: TableRules) -> Iterator[PayTable]:
    """What others at the table win for somebody's hand, where this table pays that."""
    table = rules.envy and rules.envy.pay_table(rules.envy.pay_table_names[0], rules.stake_cents)
    if table:
        yield table


def _irregularity(rules: TableRules, known: Irregularity) -> IrregularityRow:
    for_seats = known.voids == "seats"
    if for_seats:
        action, effect = "void-seats", "these seats' hands are void; their progressive wagers are refunded"
    elif rules.refunds(known):
        action, effect = "void-round", "the round is void; every progressive wager is refunded"
    elif known.voids == "round":
        action, effect = "void-hands", "the hands are void, but progressive wagers are settled all the same"
    else:
        action, effect = "void-hands", "nothing is void; it is written down"
    return IrregularityRow(known.name, spoken(known.name), action, for_seats, effect, known.rule)
