"""Payout slips: what is signed when a player is paid; numbered without gaps, void ones kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from common.words import DOLLARS, Words
from controller.journal.journal import looked_at
from controller.journal.volumes import having
from controller.web.replay import Frame, NoSuchRound, Replay, read_round
from controller.web.text import IN_ENGLISH
from controller.web.view import PaymentView
from games.money import Cents
from games.round.table_rules import TableRules

_TEENS: Final = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_SMALL: Final = tuple(f"zero one two three four five six seven eight nine {_TEENS}".split())
_TENS: Final = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_LARGE: Final = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))


_UNITS: Final = {"EUR": ("euro", "euros"), "GBP": ("pound", "pounds"), "MXN": ("peso", "pesos")}


def amount_in_words(cents: Cents, currency: str = DOLLARS) -> str:
    """One thousand two hundred dollars and 05/100; a payout is never negative."""
    whole, part = divmod(cents, 100)
    one, more = _UNITS.get(currency, ("dollar", "dollars"))
    return f"{number_in_words(whole)} {one if whole == 1 else more} and {part:02}/100"


def number_in_words(number: int) -> str:
    """A whole number, nought or more."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")
    size, name = next(large for large in _LARGE if number >= large[0])
    many, rest = divmod(number, size)
    return f"{number_in_words(many)} {name}" + (f" {number_in_words(rest)}" if rest else "")


FIXED_ANEW: Final = "the amount did not stand: what is paid instead has a slip of its own"
SIGNATURES: Final = ("Dealer", "Floor supervisor", "Player")


class Slip(Struct, frozen=True):
    """One payout slip as it stands now."""

    number: int
    table: str
    game: str
    round: int
    seat: int
    hand: str
    cards: tuple[str, ...]
    community: tuple[str, ...]
    amount: str
    in_words: str
    source: str
    rule: str
    state: str
    is_void: bool
    issued_at: str
    closed_at: str
    validated_by: str
    paid_by: str
    reason: str
    meter: str
    house: str
    seal: str


def latest(path: Path, before: int, most: int) -> list[tuple[int, int]]:
    """The newest slips before this number, each with its round."""
    with looked_at(path) as journal:
        return journal.slips(before, most)


def archived_before(path: Path, number: int) -> str:
    """Where the slips before this number are, in words; nothing while the journal has one, or if nobody has."""
    with looked_at(path) as journal:
        last = min(number - 1, journal.archived().slips)
        found = having(journal.volumes(), slip=last) if last > 0 and not journal.slips(number) else None
    return f"slips up to {last} are archived, the newest of them in {found.file}" if found is not None else ""


def read_slip(path: Path, table: str, rules: TableRules, number: int, words: Words = IN_ENGLISH) -> Slip | None:
    """One slip, or None where none has this number; one that is archived is NoSuchRound."""
    with looked_at(path) as journal:
        archived = having(journal.volumes(), slip=number) if number else None
    if archived is not None:
        raise NoSuchRound(f"slip {number} of table {table} is archived: {archived.file}")
    known = dict(latest(path, number + 1, 1))
    if number not in known:
        return None
    replay = read_round(path, table, rules, known[number], words)
    return next((slip for slip in slips_of(replay, words) if slip.number == number), None)


def slips_of(replay: Replay, words: Words = IN_ENGLISH) -> Iterator[Slip]:
    """The slips of one round, in the order of their numbers."""
    issued: dict[int, Frame] = {}
    last: dict[int, tuple[Frame, PaymentView]] = {}
    for frame in replay.frames:
        for payment in frame.payments:
            if payment.slip:
                issued.setdefault(payment.slip, frame)
                if payment.slip not in last or last[payment.slip][1] != payment:
                    last[payment.slip] = frame, payment
    for number, (frame, payment) in sorted(last.items()):
        slip = _slip(replay, number, payment, words, issued=issued[number], changed=frame)
        yield slip if slip.is_void or number in _standing(replay) else _void(replay, slip)


def facts(slip: Slip) -> tuple[tuple[str, str], ...]:
    """What the paper says, line by line."""
    return (
        ("Table", f"{slip.table} · {slip.game}"),
        ("Round", str(slip.round)),
        ("Seat", str(slip.seat)),
        ("Hand", slip.hand),
        ("Cards", " ".join(slip.cards) or "claimed by name"),
        *([("Flop", " ".join(slip.community))] if slip.community else []),
        ("Amount", slip.amount),
        ("In words", slip.in_words),
        ("Paid from", slip.source),
        ("Meter", slip.meter),
        ("House-funded", slip.house),
        ("Rule", slip.rule),
        ("Issued", f"{slip.issued_at} UTC"),
        ("Validated by", slip.validated_by),
        ("Paid by", slip.paid_by),
        ("State", slip.state),
        ("Seal", slip.seal),
    )


def _slip(replay: Replay, number: int, payment: PaymentView, words: Words, *, issued: Frame, changed: Frame) -> Slip:
    is_void = payment.state == "rejected"
    return Slip(
        number=number,
        table=replay.table,
        game=replay.game,
        round=replay.round,
        seat=payment.seat,
        hand=payment.hand,
        cards=payment.cards,
        community=payment.community,
        amount=words.money(payment.amount_cents),
        in_words=amount_in_words(payment.amount_cents, words.currency),
        source=payment.source,
        rule=payment.rule,
        state=f"VOID: {payment.reason}" if is_void else payment.state_words,
        is_void=is_void,
        issued_at=issued.at,
        closed_at=changed.at if not payment.is_open else "",
        validated_by=payment.validated_by if not is_void else "",
        paid_by=payment.paid_by,
        reason=payment.reason,
        meter=_meter(payment, words),
        house=words.money(payment.house_funded_cents) if payment.house_funded_cents else "",
        seal=changed.hash,
    )


def _standing(replay: Replay) -> frozenset[int]:
    """The slips that the round's claims still carry."""
    return frozenset(payment.slip for payment in replay.frames[-1].payments)


def _void(replay: Replay, slip: Slip) -> Slip:
    """A slip that its claim left behind: the first event without it closed it."""
    carries = [slip.number in {payment.slip for payment in frame.payments} for frame in replay.frames]
    closed = replay.frames[len(carries) - carries[::-1].index(True)]
    return replace(
        slip,
        state=f"VOID: {FIXED_ANEW}",
        is_void=True,
        closed_at=closed.at,
        validated_by="",
        reason=FIXED_ANEW,
        seal=closed.hash,
    )


def _meter(payment: PaymentView, words: Words) -> str:
    if not payment.deducted:
        return "not touched"
    return f"{words.money(payment.meter_before_cents)} before, {words.money(payment.meter_after_cents)} after"
