"""Round list: the newest rounds of a journal in one line each, found by day, seat, hand, amount and person."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from controller.journal.journal import looked_at
from controller.journal.records import WrittenEvent
from controller.web.text import spoken
from games.money import Cents, dollars
from games.round.outputs import live_wagers
from games.round.state import ClaimState, Phase, RoundState
from games.round.step import handle
from games.round.table_rules import TableRules

A_PAGE: Final = 60
"""Rounds that are read at once: a table must not wait for its own history."""


class RoundSummary(Struct, frozen=True):
    """One round in a line: when it began, how many wagers, what it paid to whom, and who acted."""

    round: int
    at_ms: int
    wagers: int
    hands: tuple[tuple[int, str], ...]
    paid_cents: Cents
    void: str
    is_over: bool
    people: tuple[str, ...]


class RoundPage(Struct, frozen=True):
    """Rounds that were looked for, newest first; before is where older ones begin, 0 where there are none."""

    rounds: tuple[RoundSummary, ...]
    before: int
    read: int


class Wanted(Struct, frozen=True):
    """What a round must have: words of its line, and a time."""

    words: str = ""
    from_ms: int = 0
    until_ms: int = 2**53
    only_awards: bool = False


def read_rounds(path: Path, rules: TableRules, before: int, wanted: Wanted) -> RoundPage:
    """The newest rounds before this one, beside whoever writes the journal; damage raises JournalFault."""
    with looked_at(path) as journal:
        known = journal.rounds()
        last = min(before - 1, known[-1]) if known else -1
        first = max(last - A_PAGE + 1, known[0]) if known else 0
        if last < first:
            return RoundPage((), 0, 0)
        state, lines = journal.stretch(first)
        later = [] if last == first else journal.stretch(last)[1][-1:]
        rest = journal.lines(after=lines[-1].number, until=later[0].number) if later else iter(())
        found = list(_summaries(rules, state, (*lines, *rest), first))
    matching = tuple(one for one in reversed(found) if matches(one, wanted))
    is_older = first > known[0] and found[0].at_ms >= wanted.from_ms
    return RoundPage(matching, first if is_older else 0, len(found))


def matches(one: RoundSummary, wanted: Wanted) -> bool:
    """Whether the round has everything that is looked for; "seat 3" is one thing, "3" alone a number of the round."""
    if not wanted.from_ms <= one.at_ms < wanted.until_ms or (wanted.only_awards and not one.hands):
        return False
    asked = wanted.words.lower()
    seats = {int(seat) for seat in re.findall(r"seat\s*(\d+)", asked)}
    words = re.sub(r"seat\s*\d+", " ", asked).replace(",", "").split()
    return seats <= {seat for seat, _ in one.hands} and all(_has(one, word) for word in words)


def _has(one: RoundSummary, word: str) -> bool:
    if re.fullmatch(r"[$€£]?\d+(\.\d+)?", word):
        amount = dollars(one.paid_cents).replace(",", "")
        return word == str(one.round) or (bool(one.paid_cents) and word.lstrip("$€£") == amount.lstrip("$"))
    told = [hand for _, hand in one.hands] + list(one.people) + ([f"void {one.void}"] if one.void else [])
    return any(word in each.lower() for each in told)


def _summaries(
    rules: TableRules, state: RoundState, lines: Iterable[WrittenEvent], first: int
) -> Iterator[RoundSummary]:
    """Each round as its last event left it."""
    told: list[WrittenEvent] = []
    wagers = 0
    after = state
    for line in lines:
        if told and line.round != told[-1].round:
            yield _summary(after, told, wagers)
            told, wagers = [], 0
        after = handle(rules, after, line.event).state
        if line.round >= first:
            told.append(line)
            wagers = max(wagers, len(live_wagers(after)))
    if told:
        yield _summary(after, told, wagers)


def _summary(state: RoundState, told: Sequence[WrittenEvent], wagers: int) -> RoundSummary:
    claims = [claim for claim in state.claims if claim.state is not ClaimState.REJECTED]
    people = {str(msgspec.to_builtins(line.event).get("by", "")) for line in told}
    return RoundSummary(
        round=told[0].round,
        at_ms=told[0].moment.at_ms,
        wagers=wagers,
        hands=tuple((claim.seat, spoken(claim.hand)) for claim in claims),
        paid_cents=sum(claim.amount_cents for claim in claims if claim.state is ClaimState.PAID),
        void=spoken(state.irregularities[-1].name) if state.voided and state.irregularities else "",
        is_over=state.phase in (Phase.ENDED, Phase.CLOSED) or state.round != told[0].round,
        people=tuple(sorted(people - {""})),
    )
