"""The table's card: what does not change while it runs; its game, its pays, its irregularities, how cards are shown."""

from collections.abc import Iterator

from msgspec import Struct

from common.words import Words
from controller.web.text import IN_ENGLISH, pay_words
from controller.web.view import fold_words
from games.game import Irregularity, Wager
from games.money import Cents
from games.paytable import PayTable, Percent
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


def table_card(name: str, rules: TableRules, words: Words = IN_ENGLISH, *, lock_ends_round: bool) -> TableCard:
    """The card of a table under these rules, in the words of one language."""
    game = rules.game
    return TableCard(
        table=name,
        title=words.game(game.name, game.title),
        stake=words.money(rules.stake_cents),
        stake_cents=rules.stake_cents,
        pay_table=rules.pay_table.name,
        seats=rules.seats,
        pays=tuple(_rows(rules, rules.wager, rules.pay_table, words)),
        envy=tuple(row for table in _envy_table(rules) for row in _rows(rules, None, table, words)),
        wagers=tuple(_wager(rules, wager, words) for wager in rules.layout_wagers),
        limits=tuple(_limits(rules, words)),
        base_wager=words.inside("wager", rules.base_wager.name),
        irregularities=tuple(_irregularity(rules, known, words) for known in game.irregularities),
        hand_size=game.hand_size,
        hand_grows=game.hand_grows,
        community_size=rules.community_size,
        joker=game.joker,
        decks=rules.decks,
        fold=fold_words(rules, words),
        coupons=game.coupons,
        key_fitted=rules.supervisor_key,
        lock_ends_round=lock_ends_round,
    )


def _rows(rules: TableRules, wager: Wager | None, table: PayTable, words: Words) -> Iterator[PayRow]:
    """Every winning hand and what it pays, for signs and panels (1.13Q(e)2)."""
    for line in table.lines:
        is_part = isinstance(line.pay, Percent)
        can_be_named = not line.deducted or (rules.names_will_do and not is_part)
        by_name = wager is not None and can_be_named and not rules.is_envied(line.hand)
        must_wait = line.deducted or (wager is not None and needs_validation(rules.game, wager, line))
        paid_at_once = by_name and not must_wait
        pay = pay_words(line.pay, words)
        yield PayRow(line.hand, words.inside("hand", line.hand), pay, line.deducted, line.rule, by_name, paid_at_once)


def _wager(rules: TableRules, wager: Wager, words: Words) -> WagerRow:
    table = rules.tables.get(wager.name)
    return WagerRow(
        name=wager.name,
        words=words.inside("wager", wager.name),
        pays=tuple(_rows(rules, wager, table, words)) if table else (),
        usual_cents=rules.usual_cents(wager),
        stakes=wager.stakes,
        on_numbers=wager.name == "number",
        is_shown=bool(wager.needs) and not wager.tables and wager.sees == "own",
        rule=wager.rule,
    )


def _limits(rules: TableRules, words: Words) -> Iterator[str]:
    """Every payout limit of the house, and what it was if it was lowered (11.16(d), 11.18(d), 16.12(d))."""
    for cap in rules.game.caps:
        limit, before = rules.limits.get(cap.option), rules.limits_before.get(cap.option)
        if limit is not None:
            wagers = words.all_of(words.inside("wager", name) for name in sorted(cap.wagers))
            key = "limit_lowered" if before else "limit"
            yield words.say(key, wagers=wagers, limit=limit, before=before or 0, rule=cap.rule)


def _envy_table(rules: TableRules) -> Iterator[PayTable]:
    """What others at the table win for somebody's hand, where this table pays that."""
    table = rules.envy and rules.envy.pay_table(rules.envy.pay_table_names[0], rules.stake_cents)
    if table:
        yield table


def _irregularity(rules: TableRules, known: Irregularity, words: Words) -> IrregularityRow:
    for_seats = known.voids == "seats"
    if for_seats:
        effect = words.say("voids_seats")
    elif known.voids == "round" and rules.wager.name in known.survivors:
        effect = words.say("voids_hands")
    elif known.voids == "round":
        effect = words.say("voids_round")
    else:
        effect = words.say("voids_nothing")
    asks_settled = tuple(wager.name for wager in rules.layout_wagers if wager.sees == "own_first_three")
    return IrregularityRow(
        known.name,
        words.inside("irregularity", known.name),
        for_seats,
        effect,
        known.rule,
        settled_before=asks_settled if known.voids != "nothing" else (),
    )
