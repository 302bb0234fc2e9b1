"""The laws of the table after a power cut, looked up on the pins, in the journal and in the meter's books."""

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.journal.journal import Journal
from controller.journal.records import WrittenEvent
from games.round.events import ChipPlaced, HandClaimed, PayoutConfirmed
from hil.broker_and_meter import RATE_BP, BrokerAndMeter
from hil.operator import TableOperator
from link.messages import Award, Entry, Payout, Wagers

JOURNAL: Final = "/var/lib/pitlink/T1/journal.db"
STAKE_CENTS: Final = 100
_LOOKS: Final = 3
_ON_THE_WAY: Final = ("closed", "open", "locked", "counted", "in play", "settling")


class LawBroken(AssertionError):  # noqa: N818  in the words of the pit
    """A law of the table that does not hold."""


def books(table: TableOperator, folder: Path) -> Journal:
    """A copy of the table's journal as it stands."""
    copy = folder / "journal.db"
    copy.write_bytes(table.rig.database(JOURNAL))
    return Journal.look(copy)


def holds(table: TableOperator, house: BrokerAndMeter, seen: dict[str, Any] | None, folder: Path) -> None:
    """Every law at once; seen is what anybody saw of the table last before the plug was pulled."""
    _drained(table, folder)
    journal = books(table, folder)
    try:
        journal.audit()
        lines = list(journal.lines())
        if seen is not None:
            _nothing_seen_is_lost(seen, lines)
        _meter_agrees(journal, lines, house)
    finally:
        journal.abandon()
    _chips_are_where_they_fell(table, house)
    if seen is not None:
        stands_where_it_stood(seen, table)
    _pins_say_what_the_book_says(table)


def _drained(table: TableOperator, folder: Path) -> None:
    """Waits until the meter has acknowledged everything that the journal holds for it."""
    until = time.monotonic() + 120
    while True:
        journal = books(table, folder)
        waiting = journal.waiting_in_all()
        journal.abandon()
        if not waiting:
            return
        _must(time.monotonic() < until, f"{waiting} entries are not booked")


def _nothing_seen_is_lost(seen: dict[str, Any], lines: Sequence[WrittenEvent]) -> None:
    happened = [line.event for line in lines if line.refusal is None and line.round == seen["round"]]
    lit = _lit(seen)
    placed = {event.seat for event in happened if isinstance(event, ChipPlaced)}
    _must(lit <= placed, f"lights {sorted(lit)} shone, but the journal has {sorted(placed)}")
    claimed = {event.seat for event in happened if isinstance(event, HandClaimed)}
    shown = {claim["seat"] for claim in seen["claims"]}
    _must(shown <= claimed, f"claims of {sorted(shown)} were shown, but the journal has {sorted(claimed)}")


def stands_where_it_stood(seen: dict[str, Any], table: TableOperator) -> None:
    """In the same round nobody goes back a phase, no wager goes dark and no claim is forgotten; rounds only go on."""
    now = table.state()
    assert now is not None
    _must(now["round"] >= seen["round"], f"round {seen['round']} was played, round {now['round']} is")
    if now["round"] > seen["round"] or "closed" in (seen["phase"], now["phase"]):
        return
    was, is_now = _ON_THE_WAY.index(seen["phase"]), _ON_THE_WAY.index(now["phase"])
    _must(is_now >= was, f"it was {seen['phase']} and is {now['phase']}")
    dark = {seat["seat"] for seat in now["seats"] if seat["light"] in ("dark", "open")}
    paid = {claim["seat"] for claim in now["claims"] if claim["state"] == "paid"}  # which ends a wager, and its light
    _must(not dark & _lit(seen) - paid, f"{sorted(_lit(seen))} were lit, {sorted(dark)} are not")
    claims = {claim["seat"] for claim in now["claims"]}
    _must({claim["seat"] for claim in seen["claims"]} <= claims, f"only claims of {sorted(claims)} are known")


def _lit(state: dict[str, Any]) -> set[int]:
    return {seat["seat"] for seat in state["seats"] if seat["light"] == "lit"}


def _meter_agrees(journal: Journal, lines: Sequence[WrittenEvent], house: BrokerAndMeter) -> None:
    """To the cent, from what the table wrote down for itself."""
    entries = _entries(journal.path)
    wagers = [entry for entry in entries if isinstance(entry, Wagers)]
    _must(len({entry.round for entry in wagers}) == len(wagers), "a round is registered twice")
    staked = STAKE_CENTS * sum(len(entry.seats) for entry in wagers)
    pot = house.pot()
    _must(pot.in_cents == staked, f"{staked} cents were wagered, {pot.in_cents} are booked")
    _must(pot.contribution_cents * 10_000 == staked * RATE_BP, f"{pot.contribution_cents} cents were contributed")
    fixed = sum(isinstance(entry, Award) for entry in entries)
    paid = sum(isinstance(entry, Payout) for entry in entries)
    released = len(entries) - len(wagers) - fixed - paid
    _must(pot.deducted_cents == 50_00 * (fixed - released), f"{pot.deducted_cents} cents were deducted")
    confirmed = sum(isinstance(line.event, PayoutConfirmed) and line.refusal is None for line in lines)
    _must(paid == confirmed, f"{confirmed} payouts were confirmed, {paid} are noted for the meter")
    _must((pot.hits, pot.paid_cents) == (confirmed, 50_00 * confirmed), f"the meter has {pot.hits} payouts")


def _entries(path: Path) -> list[Entry]:
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT entry FROM outbox ORDER BY seq").fetchall()
    return [msgspec.json.decode(body, type=Entry) for (body,) in rows]


def _chips_are_where_they_fell(table: TableOperator, house: BrokerAndMeter) -> None:
    with house.hopper.hands_on() as board:
        metal = board.metal
        _must(metal.given + metal.stock == table.chips_in, f"{table.chips_in} chips fell in")
        _must(metal.lifetime == metal.given, "the hopper miscounted")


def _pins_say_what_the_book_says(table: TableOperator) -> None:
    state = table.state()
    assert state is not None
    wanted = {seat["seat"]: seat for seat in state["seats"]}
    for _ in range(_LOOKS):
        lit, gates = table.lit(), table.open_gates()
        if (now := table.state()) is None or now["phase"] != state["phase"]:
            return  # it moved on while we looked
        _must(gates == {seat for seat, view in wanted.items() if view["gate_open"]}, f"gates {gates} are open")
        _must({seat for seat, view in wanted.items() if view["light"] == "lit"} <= lit, f"only {lit} are lit")
        _must(not lit & {seat for seat, view in wanted.items() if view["light"] == "dark"}, f"{lit} are lit")


def _must(holds: bool, words: str) -> None:
    if not holds:
        raise LawBroken(words)
