"""The meter's speed and size, each figure beside its limit in the same run.

python bench/meter_speed.py [--messages N] [--runs N]
Intake: wagers made durable exactly once, beside a bare aiomqtt subscriber that merely receives the same messages.
Answer: from a table's publishing to the meter's acknowledgement at 500 a second, beside the broker's own round trip at
500 a second and the disk's own synced write, in turn, second after second: what slows down one slows down all.
Tables: processor time per wager and memory per table, from 1 to 2,000 tables. For a restart: bench/meter_restart.py.
"""

import argparse
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from meter_load import LINK, Broker, MeterUnderLoad, entries, hellos, receive_all, sync_ms
from raw_mqtt import Heard, Wire, publication

from meter.link import Reply, decode, reply_topic

TABLES_OF_A_FLOOD = 100  # each may be 200 entries ahead of its acknowledgements
RATE = 500
FLOOR_SIZES = (1, 50, 2_000)
SLICES = 8  # of a second each
WARM_UP_SLICES = 4  # not counted: then the write-ahead log has gone round once, and is written over from then on
LEAST_PART = 0.5  # of the bare subscriber's rate
MOST_ROUND_TRIPS = 10
MOST_GROWTH = 1.25  # of the cost per wager; "flat" with what two busy cores add by themselves
MOST_BYTES_PER_TABLE = 10_000


class Paced(NamedTuple):
    """What a paced run measured, in milliseconds; processor time and memory are the meter's."""

    echo_ms: list[float]
    sync_ms: list[float]
    answer_ms: list[float]
    cpu_us: float
    memory_bytes: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=20_000, help="of a flood, at most 20,000")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
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
    wire = Wire(port, "tables")
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
    print(f"\n{tables:,} tables at {RATE}/s")
    for words, times in (
        ("one synced write of this disk:", paced.sync_ms),
        ("broker's own round trip:", paced.echo_ms),
    ):
        print(f"{words:31} p50 {_p(times, 50):6.2f} ms, p99 {_p(times, 99):8.2f} ms")
    words = f"publish to acknowledgement:     p50 {_p(paced.answer_ms, 50):6.2f} ms, p99"
    return _judged(words, _p(paced.answer_ms, 99), "ms", most=MOST_ROUND_TRIPS * _p(paced.echo_ms, 99))


def _paced(folder: Path, port: int, tables: int) -> Paced:
    meter, echo, floor = MeterUnderLoad(folder, port, tables), Echo(port), Floor(port, tables)
    echo_ms, disk_ms, answer_ms, cpu_s = [], [], [], 0.0
    for _ in range(WARM_UP_SLICES):
        floor.second()
    for _ in range(SLICES):
        echo_ms += echo.second()
        disk_ms += sync_ms(folder)
        before_s = meter.cpu_s
        answer_ms += floor.second()
        cpu_s += meter.cpu_s - before_s
    paced = Paced(echo_ms, disk_ms, answer_ms, cpu_s / len(answer_ms) * 1e6, meter.memory_bytes)
    echo.wire.close()
    floor.wire.close()
    meter.close()
    return paced


class Echo:
    """A client that hears what it says: the broker's own round trip."""

    def __init__(self, port: int) -> None:
        self.wire = Wire(port, "echo")
        self.wire.subscribe("echo/+")

    def second(self) -> list[float]:
        """A second of messages as long as wagers; how long each took, in milliseconds."""
        sent: dict[str, float] = {}
        topics = [f"echo/{number}" for number in range(RATE)]
        packets = [(topic, publication(topic, b"x" * 250, number)) for number, topic in enumerate(topics)]
        heard = islice(_at_rate(self.wire, packets, sent), RATE)
        return [(message.at_s - sent[message.topic]) * 1_000 for message in heard]


class Floor:
    """Every table of a floor on one connection."""

    def __init__(self, port: int, tables: int) -> None:
        self.wire = _joined(port, tables)
        self._packets = iter(entries(tables, RATE * (WARM_UP_SLICES + SLICES)))
        self._sent: dict[str, float] = {}
        self._answered: dict[str, int] = {}

    def second(self) -> list[float]:
        """A second of wagers; how long each took to be acknowledged, in milliseconds."""
        packets = [(f"{table}/{seq}", packet) for table, seq, packet in islice(self._packets, RATE)]
        times: list[float] = []
        for heard in _at_rate(self.wire, packets, self._sent):
            times += self._times_of(heard)
            if len(times) == RATE:
                break
        assert len(times) == RATE, f"{RATE - len(times)} wagers were not acknowledged"
        return times

    def _times_of(self, heard: Heard) -> list[float]:
        table, reply = heard.topic.rpartition("/")[2], decode(heard.payload, Reply)
        assert not reply.refusal, reply.refusal
        new = range(self._answered.get(table, 0) + 1, reply.booked_seq + 1)
        self._answered[table] = max(self._answered.get(table, 0), reply.booked_seq)
        return [(heard.at_s - self._sent[f"{table}/{seq}"]) * 1_000 for seq in new]


def _at_rate(wire: Wire, packets: Sequence[tuple[str, bytes]], sent: dict[str, float]) -> Iterator[Heard]:
    """Sends one packet after the other at the rate and yields what comes back, until five seconds pass in silence."""
    began, at = time.perf_counter(), 0
    while True:
        now = time.perf_counter()
        due = began + at / RATE
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


def _joined(port: int, tables: int) -> Wire:
    """A connection for all tables, after every one of them has been told that it is welcome."""
    wire = Wire(port, "tables")
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
