"""A real table of the floor in a process of its own: journal, rules and client as on a board, people instead of metal.

python -m tests.soak.real_table PORT FOLDER SEED TABLE    plays until FOLDER/closing exists and everything is booked
"""

import asyncio
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from common.clock import RealClock
from common.log import open_log
from controller.journal.journal import Journal, looked_at
from controller.journal.records import WrittenEvent
from controller.meter_link.client import MeterClient
from controller.table.loop import TableLoop
from drivers.mqtt.client import MqttClient
from drivers.mqtt.settings import BrokerSettings
from games.round.effects import Effect, OpenNextRound, SendToMeter
from games.round.events import (
    ChipPlaced,
    ChipsCounted,
    ClaimRejected,
    ClaimValidated,
    EndOfRoundPressed,
    Event,
    HandClaimed,
    LinkLost,
    LinkRestored,
    LockOutPressed,
    NoWinShown,
    PayoutConfirmed,
    RoundOpened,
    TableOpened,
)
from games.round.state import Claim, ClaimState, Phase, RoundState
from link.messages import MAX_MESSAGE_BYTES, VERSION, Entry, Envelope, Hello
from tests.support.games.pit import FLOP, FLUSH, table_rules
from tests.support.meter.meter_process import LINK
from tests.support.meter.proved import proved
from tests.support.table.paper_floor import Silent

LOSS_S: Final = 2.0
"""The least that a table's settings allow."""
PACE_S: Final = 0.03


class People:
    """Whoever stands at the table: the next round is opened, the meter is told; there are no lights and no gates."""

    def __init__(self, table: TableLoop, client: MeterClient) -> None:
        self._table, self._client = table, client

    def perform(self, effect: Effect) -> None:
        match effect:
            case OpenNextRound():
                self._table.post(RoundOpened())
            case SendToMeter():
                self._client.wake()

    def make_safe(self) -> None:
        return None


def next_event(state: RoundState, luck: random.Random) -> Event | None:
    """What somebody does at a table that stands so, or nothing; chips are tried whether it takes them or not."""
    match state.phase:
        case Phase.CLOSED:
            return TableOpened("Ann")
        case Phase.OPEN if len(state.wagers) < 3:
            return ChipPlaced(luck.choice([seat for seat in range(1, 8) if seat not in state.wagers]))
        case Phase.OPEN:
            return LockOutPressed()
        case Phase.LOCKED:
            return ChipsCounted(state.chips_due)
        case Phase.COUNTED | Phase.IN_PLAY if luck.random() < 0.02:
            return HandClaimed(min(state.wagers), FLUSH, FLOP)
        case Phase.SETTLING if state.open_claims and not state.no_win:
            return NoWinShown(tuple(sorted(state.wagers))[1:], "Dan")
        case Phase.SETTLING if state.open_claims:
            return _settling(state.open_claims[0], luck)
        case Phase.ENDED:
            return None
        case _:
            return EndOfRoundPressed()


def _settling(claim: Claim, luck: random.Random) -> Event | None:
    match claim.state:
        case ClaimState.FIXED if luck.random() < 0.3:
            return ClaimRejected(claim.seat, "Sue", "misread")
        case ClaimState.FIXED:
            return ClaimValidated(claim.seat, "Sue")
        case ClaimState.VALIDATED:
            return PayoutConfirmed(claim.seat, "Dan")
        case _:
            return None


async def play(table: TableLoop, name: str, luck: random.Random, is_closing: Callable[[], bool]) -> None:
    """Round after round until the floor closes, the last one to its end; then the link is up and nothing is owed."""
    while not is_closing() or table.state.phase is not Phase.OPEN or table.state.wagers:
        event = next_event(table.state, luck)
        if event is not None:
            said = proved(event, table.state, link=LINK, table=name, journal=table.journal.id)
            await table.ask(said)
        await asyncio.sleep(PACE_S * luck.random())
    while table.state.link_down or await table.waiting():  # noqa: ASYNC110  an outbox tells nobody that it is empty
        await asyncio.sleep(PACE_S)


async def run(port: int, folder: Path, seed: str, name: str) -> None:
    """Plays this table until the floor closes."""
    log = open_log(Silent())
    clock = RealClock(asyncio.get_running_loop())
    table = TableLoop(table_rules(), Journal.open(journal_path(folder, name)), clock, log)
    hello = Hello(VERSION, name, table.journal.id, "texas-holdem-bonus", "A", 100, 7, 1, "test")
    client = MeterClient(table, hello, link_name=LINK, loss_s=LOSS_S, clock=clock, log=log)
    broker = BrokerSettings("127.0.0.1", port)
    mqtt = MqttClient(broker, name, topics=client.topics, will=client.will, largest_bytes=MAX_MESSAGE_BYTES)
    parts = (table.run(People(table, client)), client.run(mqtt), mqtt.run(client))
    running = [asyncio.create_task(part) for part in parts]
    playing = asyncio.create_task(play(table, name, random.Random(f"{seed}/{name}"), (folder / "closing").exists))
    await asyncio.wait([playing, *running], return_when=asyncio.FIRST_COMPLETED)
    for task in (playing, *running):
        if task.done():
            task.result()
        task.cancel()
    await asyncio.wait([playing, *running])
    table.close()


def journal_path(folder: Path, name: str) -> Path:
    """Where the table's journal is; its folder is made."""
    (folder / name).mkdir(exist_ok=True)
    return folder / name / "journal.db"


def envelopes(folder: Path, name: str) -> list[Envelope]:
    """Everything that the journal ordered of the meter, as it must stand in the ledger."""
    with looked_at(journal_path(folder, name)) as journal:
        return [
            Envelope(VERSION, name, journal.id, seq, line.moment.at_ms, entry)
            for line in journal.lines()
            for seq, entry in _ordered(line)
        ]


def _ordered(line: WrittenEvent) -> Iterator[tuple[int, Entry]]:
    for words in line.entries.splitlines():
        seq, body = words.split(" ", 1)
        yield int(seq), msgspec.json.decode(body, type=Entry)


def taken(folder: Path, name: str, *, lately: bool = False) -> list[float]:
    """When, by the machine's own clock, chips were taken or the table was opened: always, or among the last events."""
    with looked_at(journal_path(folder, name)) as journal:
        lines = journal.lines(after=max(0, journal.last_number - 20) if lately else 0)
        accepted = [line for line in lines if line.refusal is None]
    return [line.moment.mono_ms / 1000 for line in accepted if isinstance(line.event, ChipPlaced | TableOpened)]


def is_linked(folder: Path, name: str, at: float) -> bool:
    """Whether the table said at that moment that its link is up."""
    with looked_at(journal_path(folder, name)) as journal:
        said = [line for line in journal.lines() if isinstance(line.event, LinkLost | LinkRestored)]
    last = [line.event for line in said if line.moment.mono_ms <= at * 1000]
    return bool(last) and isinstance(last[-1], LinkRestored)


if __name__ == "__main__":
    asyncio.run(run(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]))
