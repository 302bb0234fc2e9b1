"""Dispute file: one round as one self-contained HTML file, sentences first, the seals that prove it in an appendix."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

import msgspec
from msgspec import Struct

from controller.journal.journal import Journal
from controller.journal.records import Row
from controller.journal.volumes import Volume
from controller.web.replay import Frame, Replay, read_round
from controller.web.slips import facts, slips_of
from controller.web.text import with_rule
from games.round.table_rules import TableRules

LIGHTS: Final = {"dark": "○", "open": "◐", "lit": "●", "look": "✱"}
_CARD: Final = re.compile(r"\b([2-9TJQKA])([cdhs])\b")
_SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_HEADS: Final = ("No.", "Time (UTC)", "After", "What happened", "Lights", "Phase")
_APPENDIX_HEADS: Final = ("No.", "Event", "By", "Count", "Claims", "To the meter", "Hash")


class SealedRound(Struct, frozen=True):
    """The journal's own rows of one round, the hash before them, and where the journal ended when this was read."""

    table: str
    journal: str
    round: int
    head: int
    head_hash: str
    hash_before: str
    rows: tuple[Row, ...]


class Dispute(Struct, frozen=True):
    """A round and its seals, where the events are that lie before this journal's own, and whether others follow it."""

    replay: Replay
    sealed: SealedRound
    archived: tuple[Volume, ...] = ()
    is_volume: bool = False


def read_dispute(path: Path, table: str, rules: TableRules, number: int) -> Dispute:
    """Reads one round after checking the whole journal's chain; damage raises JournalFault."""
    replay = read_round(path, table, rules, number)
    first, last = replay.frames[0].number, replay.frames[-1].number
    journal = Journal.look(path)
    try:
        archived = tuple(journal.volumes())
        head, head_hash = journal.archived().until, journal.archived().chain
        for row in journal.rows():
            head, head_hash = row[0], row[-1]
        rows = tuple(journal.rows(after=first - 1, until=last))
        sealed = SealedRound(table, journal.id, number, head, head_hash, journal.hash_at(first - 1), rows)
    finally:
        journal.abandon()
    return Dispute(replay, sealed, archived, journal.is_volume)


def dispute_html(dispute: Dispute) -> str:
    """The whole file; the hash in it is that of the sealed rows, the file's own is the caller's to take."""
    replay = dispute.replay
    sealed = msgspec.json.encode(dispute.sealed).decode()
    template = files("controller.web").joinpath("dispute.html").read_text(encoding="utf-8")
    return Template(template).substitute(
        title=escape(f"Table {replay.table}, round {replay.round}"),
        game=escape(replay.game),
        facts=_pairs(_facts(dispute, sealed)),
        summary="\n".join(f"<li>{escape(line)}</li>" for line in _summary(replay)),
        legend=escape(", ".join(f"{mark} {name}" for name, mark in LIGHTS.items())),
        events="\n".join(_events(replay.frames, _HEADS, _told)),
        slips="\n".join(_slips(replay)),
        details="\n".join(_events(replay.frames, _APPENDIX_HEADS, _details)),
        sealed=escape(sealed),
    )


def _facts(dispute: Dispute, sealed: str) -> Sequence[tuple[str, str]]:
    replay, seals = dispute.replay, dispute.sealed
    first, last = replay.frames[0], replay.frames[-1]
    return (
        ("From", f"{first.at} UTC"),
        ("To", f"{last.at} UTC"),
        ("Events", f"{first.number} to {last.number} of {_checked(dispute)}"),
        ("Journal", seals.journal),
        (f"Head of the {'volume' if dispute.is_volume else 'journal'}", seals.head_hash),
        ("Hash of the sealed rows", hashlib.sha256(sealed.encode()).hexdigest()),
    )


def _checked(dispute: Dispute) -> str:
    head, archived = dispute.sealed.head, dispute.archived
    first = archived[-1].until + 1 if archived else 1
    if dispute.is_volume:
        checked = f"a closed volume, events {first} to {head}; its chain was checked"
    elif archived:
        checked = f"{head}; the chain from event {first} on was checked"
    else:
        checked = f"{head}; the whole chain was checked"
    return "; ".join([checked, *map(str, archived)])


def _summary(replay: Replay) -> Iterator[str]:
    """The round in a few sentences, for a reader who sees such a file for the first time."""
    first, last = replay.frames[0], replay.frames[-1]
    yield f"{replay.game}, table {replay.table}, round {replay.round}: from {first.at} to {last.at} UTC."
    lit = sorted({seat for frame in replay.frames for seat, light in frame.lights.items() if light == "lit"})
    yield f"Progressive wagers were accepted at seats {', '.join(map(str, lit))}." if lit else "No wager was accepted."
    if last.count.words:
        yield f"The chips: {last.count.words}."
    for paid in last.payments:
        yield f"Seat {paid.seat}, {paid.hand}: {paid.amount} from the {paid.source_words}, {paid.state_words}."
    refused = sum(frame.refusal is not None for frame in replay.frames)
    if refused:
        yield f"Refused, with the reason beside it: {refused} of the {len(replay.frames)} acts below."


def _events(frames: Sequence[Frame], heads: Sequence[str], cells: Callable[[Frame], Sequence[str]]) -> Iterator[str]:
    yield "<tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>"
    for frame in frames:
        mark = ' class="refused"' if frame.refusal else ""
        yield f"<tr{mark}>{''.join(f'<td>{cell}</td>' for cell in cells(frame))}</tr>"


def _told(frame: Frame) -> Sequence[str]:
    lights = " ".join(f"{seat}{LIGHTS[light]}" for seat, light in frame.lights.items())
    return (
        str(frame.number),
        f'<span class="time">{escape(frame.at[:19])}</span>',
        f"{frame.since_ms / 1000:.1f} s",
        escape(_cards_drawn(frame.sentence)) + _refused(frame),
        f'<span class="lights">{lights}</span>',
        escape(frame.phase),
    )


def _details(frame: Frame) -> Sequence[str]:
    claims = "; ".join(f"seat {paid.seat} {paid.hand} {paid.amount} {paid.state_words}" for paid in frame.payments)
    return (
        str(frame.number),
        _happened(frame),
        escape(frame.by),
        escape(frame.count.words),
        escape(claims),
        escape("; ".join(frame.to_meter)),
        f"<code>{frame.hash}</code>",
    )


def _happened(frame: Frame) -> str:
    said = ", ".join(f"{key} {_value(value)}" for key, value in frame.details.items() if value not in ("", [], 0))
    return escape(f"{frame.event} {said}".strip()) + _refused(frame)


def _cards_drawn(sentence: str) -> str:
    """The cards of a sentence with their suits: K♥ for Kh."""
    return _CARD.sub(lambda card: card[1].replace("T", "10") + _SUITS[card[2]], sentence)


def _refused(frame: Frame) -> str:
    words = ""
    if frame.refusal:
        words = f" <strong>Refused: {escape(with_rule(frame.refusal.reason, frame.refusal.rule))}</strong>"
    if frame.differs:
        words += f" <em>(under the rules in force now: {escape(frame.differs)})</em>"
    return words


def _slips(replay: Replay) -> Iterator[str]:
    for slip in slips_of(replay):
        yield f"<h2>Payout slip {escape(slip.table)}-{slip.number:06}</h2>"
        yield f'<table class="facts">{_pairs(facts(slip))}</table>'


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"<tr><th>{escape(label)}</th><td>{escape(value)}</td></tr>" for label, value in pairs if value)


def _value(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
