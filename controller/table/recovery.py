"""Recovery: replays the journal at start and compares every result with the one written down."""

import hashlib
from contextlib import ExitStack
from importlib.metadata import version
from typing import Final

import msgspec
from msgspec.structs import asdict

from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.journal.records import KEEP, WrittenEvent, entry_words
from controller.table.meter_entries import entries, with_since, written_since
from games.round.state import Phase, RoundState
from games.round.step import RoundStep, handle
from games.round.table_rules import TableRules

RULES_CHANGED: Final = (
    "settings or program have changed while a round was open; "
    "put the old ones back, close the table and stop it, then change them"
)
DIFFERS: Final = "differs on replay with this version; install the version that wrote the journal"


def recall(rules: TableRules, journal: Journal) -> tuple[RoundState, int]:
    """The book where the journal ends, and how many events lie behind its snapshot; any doubt raises JournalFault."""
    with ExitStack() as undo:
        undo.callback(journal.abandon)
        state, lines = journal.recall()
        _keep_rules(rules, journal, is_over=not lines and state.phase is Phase.CLOSED)
        for line in lines:
            step = handle(rules, state, line.event)
            _compare(journal, line, step)
            state = step.state
        _require_outbox(journal, state)
        undo.pop_all()
    return state, len(lines)


def _keep_rules(rules: TableRules, journal: Journal, *, is_over: bool) -> None:
    """A table whose rules have changed since must have been closed and stopped cleanly."""
    digest = _digest(rules)
    if journal.rules not in ("", digest) and not is_over:
        raise JournalFault(f"{journal.path}: {RULES_CHANGED}")
    journal.keep_rules(digest)


def _digest(rules: TableRules) -> str:
    """What a replay depends on: the program and everything a table is told of the rules."""
    told = {name: value for name, value in asdict(rules).items() if name != "game"}
    words = msgspec.json.encode([version("pitlink"), rules.game.name, told], enc_hook=str, order="sorted")
    return hashlib.sha256(words).hexdigest()


def _compare(journal: Journal, line: WrittenEvent, step: RoundStep) -> None:
    if line.refusal != step.refusal:
        raise JournalFault(f"{journal.path}: the result of event {line.number} {DIFFERS}")
    ordered = with_since(entries(step, line.moment.synced), written_since(line.entries))
    if line.entries != entry_words(ordered):
        raise JournalFault(f"{journal.path}: the meter entry of event {line.number} {DIFFERS}")


def _require_outbox(journal: Journal, state: RoundState) -> None:
    """Everything that was ordered and not acknowledged waits, sealed by its event, and nothing else does."""
    due = range(journal.booked_seq() + 1, state.link_seq + 1)
    waits = {letter.seq for letter in journal.waiting()}
    for seq in sorted(waits.symmetric_difference(due)):
        problem = "was never ordered" if seq in waits else "is missing"
        raise JournalFault(f"{journal.path}: entry {seq} for the meter {problem}; {KEEP}")
