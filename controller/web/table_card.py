"""The table's card: what does not change while it runs; its game, its pays, its irregularities, how cards are shown."""

from collections.abc import Iterator

from msgspec import Struct

from controller.web.text import spoken
from controller.web.view import fold_words
from games.game import Irregularity, Wager
from games.money import Cents, dollars
from games.paytable import PayTable, Percent, words
from games.round.table_rules import TableRules
from games.settlement.settle import needs_validation


class PayRow(Struct, frozen=True):
    """One row of a pay table as people read it."""

    hand: str
    words: str
    pay: str
    deducted: bool
    rule: str
    by_name: bool = False  # it may be claimed without its cards
    paid_at_once: bool = False  # the dealer pays it from the rack and says so in one tap


class IrregularityRow(Struct, frozen=True):
    """One irregularity: whether it needs seats, what the rules then do, and of which wagers must be said that they
    were settled before it."""

    name: str
    words: str
    for_seats: bool
    effect: str
    rule: str
    settled_before: tuple[str, ...] = ()


class WagerRow(Struct, frozen=True):
    """One wager beside the progressive: its pays, what it costs, and whether the dealer enters it."""

    name: str
    words: str
    pays: tuple[PayRow, ...]
    usual_cents: Cents
    stakes: tuple[Cents, ...]
    on_numbers: bool
    is_shown: bool  # its display says what it pays
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
    wagers: tuple[WagerRow, ...]
    limits: tuple[str, ...]  # as the notice at the table says them
    base_wager: str
    irregularities: tuple[IrregularityRow, ...]
    hand_size: int
    hand_grows: bool
    community_size: int
    joker: bool
    decks: int
    fold: str
    coupons: bool
    key_fitted: bool
    lock_ends_round: bool


def table_card(name: str, rules: TableRules, *, lock_ends_round: bool) -> TableCard:
    """The card of a table under these rules."""
    game = rules.game
    return TableCard(
        table=name,
        title=game.title,
        stake=dollars(rules.stake_cents),
        stake_cents=rules.stake_cents,
        pay_table=rules.pay_table.name,
        seats=rules.seats,
        pays=tuple(_rows(rules, rules.wager, rules.pay_table)),
        envy=tuple(row for table in _envy_table(rules) for row in _rows(rules, None, table)),
        wagers=tuple(_wager(rules, wager) for wager in rules.layout_wagers),
        limits=tuple(_limits(rules)),
        base_wager=spoken(rules.base_wager.name),
        irregularities=tuple(_irregularity(rules, known) for known in game.irregularities),
        hand_size=game.hand_size,
        hand_grows=game.hand_grows,
        community_size=rules.community_size,
        joker=game.joker,
        decks=rules.decks,
        fold=fold_words(rules),
        coupons=game.coupons,
        key_fitted=rules.supervisor_key,
        lock_ends_round=lock_ends_round,
    )


def _rows(rules: TableRules, wager: Wager | None, table: PayTable) -> Iterator[PayRow]:
    """Every winning hand and what it pays, for signs and panels (1.13Q(e)2)."""
    for line in table.lines:
        is_part = isinstance(line.pay, Percent)
        can_be_named = not line.deducted or (rules.names_will_do and not is_part)
        by_name = wager is not None and can_be_named and not rules.is_envied(line.hand)
        must_wait = line.deducted or (wager is not None and needs_validation(rules.game, wager, line))
        paid_at_once = by_name and not must_wait
        pay = words(line.pay)
        yield PayRow(line.hand, spoken(line.hand), pay, line.deducted, line.rule, by_name, paid_at_once)


def _wager(rules: TableRules, wager: Wager) -> WagerRow:
    table = rules.tables.get(wager.name)
    return WagerRow(
        name=wager.name,
        words=spoken(wager.name),
        pays=tuple(_rows(rules, wager, table)) if table else (),
        usual_cents=rules.usual_cents(wager),
        stakes=wager.stakes,
        on_numbers=wager.name == "number",
        is_shown=bool(wager.needs) and not wager.tables and wager.sees == "own",
        rule=wager.rule,
    )


def _limits(rules: TableRules) -> Iterator[str]:
    """Every payout limit of the house, and what it was if it was lowered (11.16(d), 11.18(d), 16.12(d))."""
    for cap in rules.game.caps:
        limit, before = rules.limits.get(cap.option), rules.limits_before.get(cap.option)
        if limit is not None:
            wagers = " and ".join(map(spoken, sorted(cap.wagers)))
            lowered = f", lowered from {dollars(before)}" if before else ""
            yield f"Payout limit on {wagers}: {dollars(limit)} a player and round{lowered} ({cap.rule})"


def _envy_table(rules: TableRules) -> Iterator[PayTable]:
    """What others at the table win for somebody's hand, where this table pays that."""
    table = rules.envy and rules.envy.pay_table(rules.envy.pay_table_names[0], rules.stake_cents)
    if table:
        yield table


def _irregularity(rules: TableRules, known: Irregularity) -> IrregularityRow:
    for_seats = known.voids == "seats"
    if for_seats:
        effect = "these seats' hands are void; their wagers are refunded"
    elif known.voids == "round" and rules.wager.name in known.survivors:
        effect = "the hands are void, but progressive wagers are settled all the same"
    elif known.voids == "round":
        effect = "the round is void; its wagers are refunded"
    else:
        effect = "nothing is void; it is written down"
    asks_settled = tuple(wager.name for wager in rules.layout_wagers if wager.sees == "own_first_three")
    return IrregularityRow(
        known.name,
        spoken(known.name),
        for_seats,
        effect,
        known.rule,
        settled_before=asks_settled if known.voids != "nothing" else (),
    )
