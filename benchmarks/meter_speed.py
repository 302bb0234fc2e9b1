"""The meter's speed and size, each figure beside its limit in the same run.

python -m benchmarks.meter_speed [--messages N] [--runs N]
Intake: wagers made durable exactly once, beside a bare aiomqtt subscriber that merely receives the same messages.
Answer: from a table's publishing to the meter's acknowledgement at 500 rounds of four wagers a second. A millisecond
after each of them the same connection sends a message as long to itself: the broker's own round trip, on the same line,
at the same time, so that what slows down one slows down both. The disk's own synced write is measured in between.
Judged is the p99 of the median second: the host of a virtual machine takes its processors and its disk away for a tenth
of a second now and then, and one such pause is one per cent of ten seconds. The p99 of all seconds stands beside it.
Tables: processor time per wager and memory per table, from 1 to 2,000 tables. Restarts: benchmarks/meter_restart.py.
"""

import argparse
import gc
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from benchmarks.meter_load import LINK, Broker, MeterUnderLoad, entries, hellos, receive_all, sync_ms
from benchmarks.raw_mqtt import Heard, RawConnection, publication
from link.messages import Reply, decode
from link.topics import reply_topic

TABLES_OF_A_FLOOD = 100  # each may be 200 entries ahead of its acknowledgements
RATE = 500
FLOOR_SIZES = (1, 50, 2_000)
SECONDS = 15
WARM_UP_S = 4  # not counted: then the write-ahead log has gone round once, and is written over from then on
LEAST_PART = 0.9  # of the bare subscriber's rate
MOST_ROUND_TRIPS = 10
MOST_GROWTH = 1.25  # of the cost per wager; "flat" with what two busy cores add by themselves
MOST_BYTES_PER_TABLE = 10_000


class Paced(NamedTuple):
    """What a paced run measured, in milliseconds, second by second; processor time and memory are the meter's."""

    echo_ms: list[list[float]]
    sync_ms: list[list[float]]
    answer_ms: list[list[float]]
    cpu_us: float
    memory_bytes: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=20_000, help="of a flood, at most 20,000")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    gc.disable()  # of the measuring side: its own pauses are not the meter's
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        broker = Broker(folder)
        try:
            kept = [*_intake(folder, broker.port, args.messages, args.runs), *_floors(folder, broker.port)]
        finally:
            broker.close()
    return 0 if all(kept) else 1


def _intake(folder: Path, port: int, count: int, runs: int) -> list[bool]:
    """Floods both, in turn, so that a machine that slows down slows down both."""
    bare, durable = [], []
    for run in range(runs):
        bare.append(_bare_rate(port, count))
        durable.append(_durable_rate(folder / f"flood{run}", port, count))
    least = LEAST_PART * statistics.median(bare)
    print(f"bare aiomqtt subscriber, received:   {statistics.median(bare):8,.0f} messages/s")
    rate = statistics.median(durable)
    return [_judged("meter, durable and exactly once:    ", rate, "messages/s", least=least)]


def _bare_rate(port: int, count: int) -> float:
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    subscriber = spawn.Process(target=receive_all, args=(port, count, there))
    subscriber.start()
    assert here.recv() == "listening"
    wire = RawConnection(port, "tables")
    began = time.perf_counter()
    wire.send(b"".join(packet for _, _, packet in entries(TABLES_OF_A_FLOOD, count)))
    assert here.recv() == "done"
    took = time.perf_counter() - began
    subscriber.join()
    wire.close()
    return count / took


def _durable_rate(folder: Path, port: int, count: int) -> float:
    meter, wire = MeterUnderLoad(folder, port, TABLES_OF_A_FLOOD), _joined(port, TABLES_OF_A_FLOOD)
    flood = entries(TABLES_OF_A_FLOOD, count)
    last = {table: seq for table, seq, _ in flood}
    began = time.perf_counter()
    wire.send(b"".join(packet for _, _, packet in flood))
    while last:
        for heard in wire.heard(1.0):
            table, reply = heard.topic.rpartition("/")[2], decode(heard.payload, Reply)
            assert not reply.refusal, reply.refusal
            if last.get(table, 0) <= reply.booked_seq:
                last.pop(table, None)
    took = time.perf_counter() - began
    wire.close()
    meter.close()
    return count / took


def _floors(folder: Path, port: int) -> list[bool]:
    floors = {tables: _paced(folder / f"floor{tables}", port, tables) for tables in FLOOR_SIZES}
    kept = [_answered(tables, paced) for tables, paced in floors.items()]
    print()
    smallest, largest = floors[FLOOR_SIZES[0]], floors[FLOOR_SIZES[-1]]
    most = MOST_GROWTH * smallest.cpu_us
    kept += [
        _judged(f"processor time per message, {tables:5,} tables:", paced.cpu_us, "us", most=most)
        for tables, paced in floors.items()
    ]
    each = (largest.memory_bytes - smallest.memory_bytes) / (FLOOR_SIZES[-1] - FLOOR_SIZES[0])
    kept.append(_judged("memory per table:", each, "bytes", most=MOST_BYTES_PER_TABLE))
    return kept


def _answered(tables: int, paced: Paced) -> bool:
    print(f"\n{tables:,} tables at {RATE}/s, p50 and p99 of all seconds, p99 of the median second")
    for words, seconds in (
        ("one synced write of this disk:", paced.sync_ms),
        ("broker's own round trip:", paced.echo_ms),
    ):
        print(f"{_of_all(words, seconds)} {_of_median_second(seconds):8.2f} ms")
    words = _of_all("publish to acknowledgement:", paced.answer_ms)
    most = MOST_ROUND_TRIPS * _of_median_second(paced.echo_ms)
    return _judged(words, _of_median_second(paced.answer_ms), "ms", most=most)


def _of_all(words: str, seconds: Sequence[Sequence[float]]) -> str:
    times = [time for second in seconds for time in second]
    return f"{words:31} {_p(times, 50):6.2f} ms {_p(times, 99):8.2f} ms"


def _of_median_second(seconds: Sequence[Sequence[float]]) -> float:
    return statistics.median(_p(second, 99) for second in seconds)


def _paced(folder: Path, port: int, tables: int) -> Paced:
    meter, floor = MeterUnderLoad(folder, port, tables), TableFleet(port, tables)
    for _ in range(WARM_UP_S):
        floor.second()
    seconds, disk_ms, cpu_s = [], [], 0.0
    for _ in range(SECONDS):
        disk_ms.append(sync_ms(folder))
        before_s = meter.cpu_s
        seconds.append(floor.second())
        cpu_s += meter.cpu_s - before_s
    echo_ms, answer_ms = [echoes for echoes, _ in seconds], [answers for _, answers in seconds]
    paced = Paced(echo_ms, disk_ms, answer_ms, cpu_s / (RATE * SECONDS) * 1e6, meter.memory_bytes)
    floor.wire.close()
    meter.close()
    return paced


class TableFleet:
    """Every table of a floor on one connection, which hears what it says to itself as well."""

    def __init__(self, port: int, tables: int) -> None:
        self.wire = _joined(port, tables)
        self.wire.subscribe("echo/+")
        self._rounds = iter(entries(tables, RATE * (WARM_UP_S + SECONDS)))
        self._sent: dict[str, float] = {}
        self._answered: dict[str, int] = {}

    def second(self) -> tuple[list[float], list[float]]:
        """A second of rounds and echoes by turns; how long each took to come back, in milliseconds."""
        packets: list[tuple[str, bytes]] = []
        for number, (table, seq, packet) in enumerate(islice(self._rounds, RATE)):
            topic = f"echo/{number}"
            packets += [(f"{table}/{seq}", packet), (topic, publication(topic, b"x" * 250, number))]
        echoes: list[float] = []
        answers: list[float] = []
        for heard in _at_rate(self.wire, packets, self._sent):
            if heard.topic in self._sent:
                echoes.append((heard.at_s - self._sent[heard.topic]) * 1_000)
            else:
                answers += self._times_of(heard)
            if len(echoes) == len(answers) == RATE:
                break
        assert len(answers) == RATE, f"{RATE - len(answers)} rounds were not acknowledged"
        return echoes, answers

    def _times_of(self, heard: Heard) -> list[float]:
        table, reply = heard.topic.rpartition("/")[2], decode(heard.payload, Reply)
        assert not reply.refusal, reply.refusal
        new = range(self._answered.get(table, 0) + 1, reply.booked_seq + 1)
        self._answered[table] = max(self._answered.get(table, 0), reply.booked_seq)
        return [(heard.at_s - self._sent[f"{table}/{seq}"]) * 1_000 for seq in new]


def _at_rate(wire: RawConnection, packets: Sequence[tuple[str, bytes]], sent: dict[str, float]) -> Iterator[Heard]:
    """Sends the packets one by one, in a second, and yields what comes back, until five seconds pass in silence."""
    began, at = time.perf_counter(), 0
    while True:
        now = time.perf_counter()
        due = began + at / len(packets)
        if at < len(packets) and now >= due:
            name, packet = packets[at]
            sent[name] = now
            wire.send(packet)
            at += 1
            continue
        heard = wire.heard(due - now if at < len(packets) else 5.0)
        yield from heard
        if not heard and at == len(packets):
            return


def _joined(port: int, tables: int) -> RawConnection:
    """A connection for all tables, after every one of them has been told that it is welcome."""
    wire = RawConnection(port, "tables")
    wire.subscribe(reply_topic(LINK, "+"))
    wire.send(hellos(tables))
    welcome: set[str] = set()
    while len(welcome) < tables:
        for heard in wire.heard(1.0):
            assert not decode(heard.payload, Reply).refusal
            welcome.add(heard.topic)
    return wire


def _p(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1]


def _judged(words: str, value: float, unit: str, *, least: float | None = None, most: float | None = None) -> bool:
    limit = f"at least {least:,.0f}" if least is not None else f"at most {most:,.2f}"
    kept = value >= least if least is not None else value <= (most or 0)
    print(f"{words} {value:8,.2f} {unit} (limit: {limit}) {'' if kept else 'NOT KEPT'}")
    return kept


if __name__ == "__main__":
    sys.exit(main())
