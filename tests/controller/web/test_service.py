"""A technician's tests of one part, through pitlink service at a table's own socket."""

import asyncio
import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cli.main import main
from games.round.events import PanelUsed
from tests.support.meter.staff_pins import DAN, SUE, TIM, Login
from tests.support.table.paper_floor import Bench, paper_floor
from tests.support.web.panel_page import events, give_pins


@pytest.fixture
async def closed(tmp_path: Path) -> AsyncIterator[Bench]:
    """A table that nobody has opened, with one chip in its return device."""
    async with paper_floor(tmp_path, is_open=False) as floor:
        bench = floor.tables["T1"]
        give_pins(bench)
        with bench.hopper.hands_on() as board:
            board.metal.stock = 1
        assembly = bench.assembly
        assert assembly is not None
        await bench.until(lambda: assembly.performer.collector.is_idle)  # a table that starts asks who it is
        yield bench


class Terminal:
    """A technician's shell at the board."""

    def __init__(self, bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        assert bench.assembly is not None
        self._bench, self._socket = bench, bench.assembly.control
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def begin(self, *words: str, by: Login | None = TIM) -> "asyncio.Task[int]":
        """Types a command and the PIN."""
        signed = ("--by", by.number) if by else ()
        self._monkeypatch.setattr("sys.stdin", io.StringIO(f"{by.pin}\n" if by else ""))
        command = ["service", "--socket", str(self._socket), *words, *signed]
        return asyncio.create_task(asyncio.to_thread(main, command))

    async def end(self, running: "asyncio.Task[int]") -> tuple[int, str]:
        """Time passes until it has ended; returns its exit code and what it said."""
        while not running.done():
            await self._bench.pass_time(0.05)
            await asyncio.sleep(0.001)
        said = self._capsys.readouterr()
        return await running, said.out + said.err

    async def run(self, *words: str, by: Login | None = TIM) -> tuple[int, str]:
        return await self.end(self.begin(*words, by=by))


@pytest.fixture
def terminal(closed: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(closed, monkeypatch, capsys)


async def test_one_lamp_and_one_gate_move_once(closed: Bench, terminal: Terminal) -> None:
    """The part that was named and no other; afterwards everything is as before, and the journal has it."""
    running = terminal.begin("pulse", "seat", "3", "light")
    await closed.until(lambda: closed.lit == [3])
    assert await terminal.end(running) == (0, "seat 3 light shone for 0.6 s; did you see it?\n")
    assert closed.lit == []
    running = terminal.begin("pulse", "seat 5 gate")
    await closed.until(lambda: closed.open_gates == [5])
    assert await terminal.end(running) == (0, "seat 5 gate opened for 0.4 s; did you hear it?\n")
    assert closed.open_gates == []
    written = [(event.by, event.action) for event in events(closed, PanelUsed)]
    assert ("Tim", "test pulse seat 3 light") in written
    assert ("Tim", "tested pulse seat 5 gate") in written


async def test_one_chip_is_paid_and_an_empty_device_says_so(closed: Bench, terminal: Terminal) -> None:
    """What came out is counted."""
    assert await terminal.run("pay-one-chip") == (0, "return device: it was told to pay one chip; 1 came out\n")
    assert closed.hopper_metal.stock == 0
    assert await terminal.run("pay-one-chip") == (0, "return device: it was told to pay one chip; 0 came out\n")


async def test_the_motor_turns_for_a_moment(closed: Bench, terminal: Terminal) -> None:
    """It is stopped again, and chips that came out meanwhile are told."""
    code, said = await terminal.run("pulse", "return device")
    assert code == 0
    assert said.startswith("return device: its motor turned; ")
    assert closed.state.faults == {}


async def test_a_chip_is_measured_on_its_way(closed: Bench, terminal: Terminal) -> None:
    """Its gate opens for it alone; the width stands beside the limits, and the table wagers nothing."""
    running = terminal.begin("measure", "2")
    await closed.until(lambda: closed.open_gates == [2])
    closed.insert_chip(2)
    code, said = await terminal.end(running)
    assert code == 0
    assert "seat 2: a chip went in, the beam was broken for " in said
    assert "pay one chip to get it back" in said
    assert closed.open_gates == []
    assert not closed.state.wagers


async def test_no_chip_within_half_a_minute(closed: Bench, terminal: Terminal) -> None:
    """The gate shuts again."""
    code, said = await terminal.run("measure", "4")
    assert (code, said.splitlines()[-1]) == (0, "seat 4: no chip came within 30 s")
    assert closed.open_gates == []


async def test_while_a_round_is_open_nothing_moves(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same refusal for every test of a part."""
    give_pins(bench)
    terminal = Terminal(bench, monkeypatch, capsys)
    gates = bench.open_gates
    for words in (("pulse", "seat 3 gate"), ("pay-one-chip",), ("measure", "3"), ("test", "lights")):
        code, said = await terminal.run(*words)
        assert code == 1
        assert "only while the table is closed" in said
    assert bench.open_gates == gates


async def test_only_a_technician_tests_and_only_what_is_there(closed: Bench, terminal: Terminal) -> None:
    """Others are refused by name; a part that is not fitted is answered with those that are."""
    for login in (DAN, SUE):
        code, said = await terminal.run("pulse", "seat 3 light", by=login)
        assert (code, "a technician does this" in said) == (1, True)
    code, said = await terminal.run("pulse", "seat 9 light")
    assert code == 2
    assert "there is no test 'pulse seat 9 light'" in said
    assert "pulse seat 7 gate" in said
    assert closed.lit == []


async def test_every_input_can_be_watched(closed: Bench, terminal: Terminal) -> None:
    """Each pin with its device; outputs on request."""
    closed.metal.slots[3].stick()
    await closed.pass_time(0.2)
    code, said = await terminal.run("watch", "--once", by=None)
    assert code == 0
    assert "seat 3 acceptor: ON" in said
    assert "seat 4 acceptor: off" in said
    assert "light" not in said
    assert "seat 3 light: off" in (await terminal.run("watch", "--once", "--outputs", by=None))[1]
    assert "pulse: seat 1 light" in (await terminal.run("parts", by=None))[1]
