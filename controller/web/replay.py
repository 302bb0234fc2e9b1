"""Replay of a round from the journal, event by event, with the table after each."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from common.words import Words
from controller.journal.journal import Journal
from controller.journal.records import WrittenEvent
from controller.journal.volumes import having
from controller.web.event_text import event_sentence
from controller.web.text import IN_ENGLISH, Told, told
from controller.web.view import CountView, PaymentView, count, payments
from games.round.effects import FlashRefusal, SendToMeter
from games.round.outputs import outputs
from games.round.state import RoundState
from games.round.step import RoundStep, handle
from games.round.table_rules import TableRules


class Frame(Struct, frozen=True):
    """One event and the table after it; differs is what today's rules would have answered, where that is different."""

    number: int
    at: str
    at_ms: int
    since_ms: int
    boot: int
    kind: str
    event: str
    sentence: str
    details: dict[str, object]
    by: str
    refusal: Told | None
    differs: str
    phase: str
    lights: dict[int, str]
    gates_open: tuple[int, ...]
    refused_at: tuple[int, ...]
    community: tuple[str, ...]
    no_win: tuple[int, ...]
    folded: tuple[int, ...]
    count: CountView
    payments: tuple[PaymentView, ...]
    to_meter: tuple[str, ...]
    hash: str


class Replay(Struct, frozen=True):
    """One round; every frame's hash seals it to the one before."""

    table: str
    game: str
    journal: str
    round: int
    frames: tuple[Frame, ...]
    lines: tuple[WrittenEvent, ...]


class NoSuchRound(Exception):  # noqa: N818  it says what is missing
    """The journal has no event of this round, or not any more."""


def read_round(path: Path, table: str, rules: TableRules, number: int, words: Words = IN_ENGLISH) -> Replay:
    """Replays one round from a journal file, beside whoever writes it; damage raises JournalFault."""
    journal = Journal.look(path)
    try:
        archived = having(journal.volumes(), round_number=number)
        state, lines = journal.stretch(number)
        found, identity = journal.rounds(), journal.id
    finally:
        journal.abandon()
    if archived is not None:
        raise NoSuchRound(f"round {number} of table {table} is archived: {archived.file}")
    if not any(line.round == number for line in lines):
        have = f"it has rounds {found[0]} to {found[-1]}" if found else "it is empty"
        raise NoSuchRound(f"the journal of table {table} has no round {number}; {have}")
    frames = tuple(_frames(rules, state, lines, number, words))
    return Replay(table, rules.game.title, identity, number, frames, tuple(lines[-len(frames) :]))


def time_words(at_ms: int) -> str:
    """A moment as a dispute reads it."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(sep=" ", timespec="milliseconds").removesuffix("+00:00")


def _frames(
    rules: TableRules, state: RoundState, lines: Sequence[WrittenEvent], number: int, words: Words
) -> Iterator[Frame]:
    first: WrittenEvent | None = None
    for line in lines:
        step = handle(rules, state, line.event)
        state = step.state
        if line.round == number:
            first = first or line
            yield _frame(rules, line, step, words, since=first)


def _frame(rules: TableRules, line: WrittenEvent, step: RoundStep, words: Words, *, since: WrittenEvent) -> Frame:
    shown = outputs(rules, step.state)
    details = msgspec.to_builtins(line.event)
    details.pop("type")
    same_run = line.boot == since.boot
    return Frame(
        number=line.number,
        at=time_words(line.moment.at_ms),
        at_ms=line.moment.at_ms,
        since_ms=line.moment.mono_ms - since.moment.mono_ms if same_run else line.moment.at_ms - since.moment.at_ms,
        boot=line.boot,
        kind=type(line.event).__name__,
        event=words.name("event", type(line.event).__name__),
        sentence=event_sentence(line.event, words),
        by=str(details.pop("by", "")),
        details=details,
        refusal=None if line.refusal is None else told(line.refusal, words),
        differs=_difference(line, step, words),
        phase=step.state.phase.value,
        lights={seat: light.value for seat, light in shown.lights.items()},
        gates_open=tuple(seat for seat, is_open in shown.gates.items() if is_open),
        refused_at=tuple(effect.seat for effect in step.effects if isinstance(effect, FlashRefusal)),
        community=step.state.community,
        no_win=step.state.no_win,
        folded=tuple(sorted(step.state.folded)),
        count=count(step.state, words),
        payments=payments(rules, step.state, words),
        to_meter=tuple(_sent(effect) for effect in step.effects if isinstance(effect, SendToMeter)),
        hash=line.hash,
    )


def _difference(line: WrittenEvent, step: RoundStep, words: Words) -> str:
    """Nothing, unless the rules have changed since."""
    if line.refusal == step.refusal:
        return ""
    return "accepted" if step.refusal is None else told(step.refusal, words).reason


def _sent(effect: SendToMeter) -> str:
    body = msgspec.to_builtins(effect.entry)
    name = body.pop("type")
    return f"entry {effect.seq}: {name} " + ", ".join(f"{key} {value}" for key, value in body.items())
