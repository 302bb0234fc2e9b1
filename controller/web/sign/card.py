"""The sign's card: its game, every wager on offer with its pays, and the words that never change."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from common.words import Words
from controller.web.sign.themes import Motion, Theme
from controller.web.sign.words import odds, part, title
from games.game import Wager
from games.paytable import Fixed, Odds, Pay, PayTable, Percent
from games.round.state import WHOLE_METER_BP
from games.round.table_rules import TableRules

_PAIR: Final = "_and_pair"
_LEGEND: Final = ("dark", "open", "lit", "look")


class PayCell(Struct, frozen=True):
    """What a hand wins; part_bp of the jackpot is written out in money by the page, with each new amount."""

    words: str
    part_bp: int = 0
    is_jackpot: bool = False


class SignRow(Struct, frozen=True):
    """One hand and what it wins, a cell for each column."""

    hand: str
    cells: tuple[PayCell, ...]


class SignBlock(Struct, frozen=True):
    """One wager and its pays; the heads name the columns after the hand."""

    title: str
    stake: str
    heads: tuple[str, ...]
    rows: tuple[SignRow, ...]
    note: str = ""


class SignCard(Struct, frozen=True):
    """What a sign shows as long as its table runs."""

    table: str
    language: str
    theme: str
    frame: str
    motion: Motion
    house: str
    logo: str  # the path of its picture, if the house or the theme has one
    title: str
    stake: str
    blocks: tuple[SignBlock, ...]
    parts_bp: tuple[int, ...]
    limits: tuple[str, ...]
    words: Mapping[str, str]


def sign_card(table: str, rules: TableRules, words: Words, *, theme: Theme, house: str, logo: str) -> SignCard:
    """The card of a table under these rules."""
    return SignCard(
        table=table,
        language=words.language,
        theme=theme.name,
        frame=theme.file.frame,
        motion=theme.file.motion,
        house=house,
        logo=logo,
        title=title(words, rules.game),
        stake=words.say("stake", stake=words.money(rules.stake_cents)),
        blocks=tuple(_blocks(rules, words)),
        parts_bp=parts_bp(rules),
        limits=tuple(limits(rules, words)),
        words=words.texts(
            "jackpot",
            "jackpot_pay",
            "sign_lost",
            "sign_lost_detail",
            "amount_unknown",
            "paid",
            "pay_table",
            "lights",
            "joker",
            *(f"{kind}_{light}" for kind in ("legend", "short") for light in _LEGEND),
        ),
    )


def parts_bp(rules: TableRules) -> tuple[int, ...]:
    """Every part of the jackpot, less than the whole, that a hand wins here."""
    parts = {line.pay.bp for line in rules.pay_table.lines if isinstance(line.pay, Percent)}
    return tuple(sorted(parts - {WHOLE_METER_BP}))


def limits(rules: TableRules, words: Words) -> Iterator[str]:
    """Every payout limit of the house, and what it was if it was lowered (11.16(d), 11.18(d), 16.12(d))."""
    for cap in rules.game.caps:
        limit, before = rules.limits.get(cap.option), rules.limits_before.get(cap.option)
        if limit is not None:
            wagers = ", ".join(words.wager(name).lower() for name in sorted(cap.wagers))
            key, was = ("limit_lowered", {"before": words.money(before)}) if before else ("limit", {})
            yield words.say(key, wagers=wagers, limit=words.money(limit), **was)


def _blocks(rules: TableRules, words: Words) -> Iterator[SignBlock]:
    """The progressive wager first, then the others in the order of the game."""
    yield _progressive(rules, words)
    for wager in rules.layout_wagers:
        table = rules.tables.get(wager.name)
        if table is not None:
            stake = words.say("from", stake=words.money(rules.minimum_cents(wager))) if wager.minimum_cents > 1 else ""
            envy = None if rules.envy_goes_with_progressive else _envy_beside(rules, wager)
            yield _block(words, words.wager(wager.name), stake, table, envy=envy, note=_envy_note(rules, words, envy))
        elif wager.needs and wager.sees == "own":  # its display says what it wins
            yield SignBlock(words.wager(wager.name), "", (), (), words.say("shown_note"))


def _progressive(rules: TableRules, words: Words) -> SignBlock:
    title, table = words.wager(rules.wager.name), rules.pay_table
    stake = words.say("stake_wins", stake=words.money(rules.stake_cents))
    if _is_paired(table):
        return _paired(words, title, stake, table)
    envy = _envy_beside(rules, rules.wager) if rules.envy_goes_with_progressive else None
    return _block(words, title, stake, table, envy=envy, note=_envy_note(rules, words, envy))


def _envy_beside(rules: TableRules, wager: Wager) -> PayTable | None:
    """What others win for the hands of this wager, where this table pays that."""
    needs = rules.envy.needs if rules.envy else None
    return rules.tables.get("envy") if needs and wager.name in needs.any_of else None


def _envy_note(rules: TableRules, words: Words, envy: PayTable | None) -> str:
    if envy is None or rules.envy is None or rules.envy.needs is None:
        return ""
    if rules.envy_goes_with_progressive:
        return words.say("envy_note")
    stake, wager = words.money(rules.envy.minimum_cents), words.wager(rules.envy.needs.any_of[0])
    return words.say("envy_note_from", stake=stake, wager=wager.lower())


def _block(
    words: Words, title: str, stake: str, table: PayTable, *, envy: PayTable | None, note: str = ""
) -> SignBlock:
    rows = []
    for line in table.lines:
        cells = [_cell(words, line.pay)]
        if envy is not None:
            envied = envy.line(line.hand)
            cells.append(_cell(words, envied.pay) if envied else PayCell(""))
        rows.append(SignRow(words.hand(line.hand), tuple(cells)))
    heads = ("wins", "envy") if envy is not None else ("wins",)
    return SignBlock(title, stake, tuple(map(words.say, heads)), tuple(rows), note)


def _is_paired(table: PayTable) -> bool:
    """Whether every hand "and pair" has its plain hand."""
    hands = {line.hand for line in table.lines}
    paired = {hand for hand in hands if hand.endswith(_PAIR)}
    return bool(paired) and {hand.removesuffix(_PAIR) for hand in paired} <= hands


def _paired(words: Words, title: str, stake: str, table: PayTable) -> SignBlock:
    """One row for a hand alone and with a pair: 17 pays are nine rows."""
    pays = {line.hand: line.pay for line in table.lines}
    plain = dict.fromkeys(hand.removesuffix(_PAIR) for hand in pays)
    rows = tuple(
        SignRow(words.hand(hand), tuple(_cell(words, pays.get(name)) for name in (hand, hand + _PAIR)))
        for hand in plain
    )
    return SignBlock(title, stake, tuple(map(words.say, ("alone", "with_pair"))), rows)


def _cell(words: Words, pay: Pay | None) -> PayCell:
    match pay:
        case Percent(bp=bp) if bp == WHOLE_METER_BP:
            return PayCell(words.say("jackpot_pay"), is_jackpot=True)
        case Percent(bp=bp):
            return PayCell(part(words, bp), part_bp=bp)
        case Fixed(cents=cents):
            return PayCell(words.money(cents))
        case Odds(to_one=to_one):
            return PayCell(odds(words, to_one))
        case None:
            return PayCell(words.say("no_pay"))
