"""The plug is pulled between any two steps of a round; afterwards the table stands where it stood."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from common.log import open_log
from controller.assembly import Assembly
from controller.journal.journal import Journal
from demo.table import bench_settings
from drivers.light_patterns import Pattern
from games.round.effects import Effect, Light, SetLight
from games.round.events import ClaimValidated, CouponRedeemed, HandClaimed, MismatchExplained, PayoutConfirmed
from games.round.outputs import live_wagers, outputs
from games.round.state import ClaimState, Phase, RoundState
from games.round.step import handle
from games.round.table_rules import TableRules
from link.messages import Entry, Payout, Wagers
from tests.support.table.paper_floor import NOWHERE, Bench, PaperFloor, Silent, open_table

PLAYERS = (2, 3, 5)
FLOP = ("Th", "Jh", "Qh")
SHARES = 6
PATTERNS = {
    Light.DARK: Pattern.DARK,
    Light.OPEN: Pattern.PULSE,
    Light.LIT: Pattern.STEADY,
    Light.LOOK: Pattern.DOUBLE_FLASH,
}


class PowerCut(Exception):  # noqa: N818  it is what happens
    """The plug was pulled here."""


class Seen(Struct, frozen=True):
    """What people saw of a table when the plug was pulled, and the book it had acted on."""

    state: RoundState
    lights: dict[int, Light]  # as they were ordered; a seat that was not ordered yet is not here
    shining: frozenset[int]
    open_gates: frozenset[int]


class Plug:
    """Counts the steps of everything that touches disk or metal, and is pulled at one of them."""

    def __init__(self, at: int | None) -> None:
        self._at = at
        self.steps = 0
        self.look: Callable[[], Seen] | None = None
        self.seen: Seen | None = None

    def step(self) -> None:
        """Once the power is gone, nothing works any more."""
        self.steps += 1
        if self._at is not None and self.steps >= self._at:
            if self.seen is None and self.look is not None:
                self.seen = self.look()
            raise PowerCut

    def stay(self) -> None:
        """The round is over; nobody pulls any more, unless it was pulled in a task that nobody waits for."""
        if self._at is not None and self.steps >= self._at:
            raise PowerCut
        self._at = None

    def between(self, act: Callable[..., Any], *, after: bool) -> Callable[..., Any]:
        """The same act with a place to pull the plug before it, and after it."""

        def step_and_act(*args: Any, **kwargs: Any) -> Any:
            self.step()
            result = act(*args, **kwargs)
            if after:
                self.step()
            return result

        return step_and_act


class CutBench(Bench):
    """A bench whose controller can die at any step."""

    plug: Plug

    def assemble(self) -> Assembly:
        assembly = super().assemble()
        journal: Any = assembly.table.journal
        performer: Any = assembly.performer
        ordered: dict[int, Light] = {}
        self.plug.look = lambda: Seen(
            assembly.table.state, dict(ordered), frozenset(self.lit), frozenset(self.open_gates)
        )
        performer.perform = noting(performer.perform, ordered)
        journal.write = self.plug.between(journal.write, after=True)
        journal.mark_booked = self.plug.between(journal.mark_booked, after=True)
        performer.perform = self.plug.between(performer.perform, after=False)
        return assembly


def noting(perform: Callable[[Effect], None], ordered: dict[int, Light]) -> Callable[[Effect], None]:
    """Carries out orders and remembers the lights that were reached."""

    def perform_and_note(effect: Effect) -> None:
        perform(effect)
        if isinstance(effect, SetLight):
            ordered[effect.seat] = effect.light

    return perform_and_note


class People:
    """Players, dealer and supervisor: each does what the table, as it stands, asks of him, and nothing twice."""

    def __init__(self, bench: CutBench) -> None:
        self._bench = bench
        self._chips_to_give = set(PLAYERS)

    async def act(self) -> None:
        """The next thing somebody does."""
        bench, state = self._bench, self._bench.state
        await bench.settle()
        # A port whose opening was cut off is free again a moment later; the table finds out by itself.
        await bench.until(lambda: not bench.state.faults, "a fault stays")
        state = bench.state
        match state.phase:
            case Phase.CLOSED:
                await open_table(bench)
            case Phase.OPEN if state.link_down:
                await bench.until(lambda: not bench.state.link_down)
            case Phase.OPEN if state.asked_coupons:
                await bench.until(lambda: not bench.state.asked_coupons, "the meter does not answer for a coupon")
            case Phase.OPEN if 6 not in state.wagers:
                await bench.tell(CouponRedeemed(6, "C-1"))
            case Phase.OPEN if self._chips_to_give:
                await bench.drop_chip(self._chips_to_give.pop())
            case Phase.OPEN:
                await bench.press_lock_out()
            case Phase.LOCKED if state.counted is not None:
                await bench.turn_key(on=True)
                await bench.settle()
                await bench.tell(MismatchExplained("Sue", "a chip fell while the power was off; given back"))
            case Phase.LOCKED:
                await bench.until(lambda: bench.state.counted is not None or bench.state.phase is not Phase.LOCKED)
            case _:
                await self._settle(state)

    async def _settle(self, state: RoundState) -> None:
        bench = self._bench
        claim = state.claim(6)
        if claim is None:
            await bench.tell(HandClaimed(6, ("2h", "3h"), FLOP))
        elif claim.state is ClaimState.ASKED:
            await bench.until(lambda: bench.state.claims[0].state is not ClaimState.ASKED)
        elif claim.state is ClaimState.FIXED:
            await bench.turn_key(on=True)
            await bench.settle()
            await bench.tell(ClaimValidated(6, "Sue"))
        elif claim.state is ClaimState.VALIDATED:
            await bench.tell(PayoutConfirmed(6, "Dan"))
        else:
            await bench.press_end_of_round()


async def play_with_a_cut(folder: Path, at: int | None) -> tuple[int, CutBench]:
    """One round with the plug pulled at one step; how many steps there were in all."""
    floor = PaperFloor(folder)
    floor.meter.start()
    settings = bench_settings("T1", folder, link={"name": "demo", "loss_s": 60.0})
    bench = CutBench(settings, NOWHERE, clock=floor.clock, log=open_log(Silent()), connect=floor.broker.connect)
    bench.floor, bench.plug = floor, Plug(at)
    people = People(bench)
    bench.hopper.__enter__()
    bench.plug_in_hopper()
    try:
        await bench.power_on()
    except PowerCut:
        await stand_up_again(bench)
    is_booked = False
    while not is_booked:
        try:
            if bench.state.round < 2:
                await people.act()
            else:
                await bench.booked()
                bench.plug.stay()
                is_booked = True
        except PowerCut:
            await stand_up_again(bench)
    steps = bench.plug.steps
    await bench.shut_down()
    bench.hopper.__exit__(None, None, None)
    await floor.meter.kill()
    return steps, bench


async def stand_up_again(bench: CutBench) -> None:
    """Pulls the plug for good, plugs it in again, and compares."""
    await bench.power_cut()
    books = journal_says(bench)
    before = books[-1]
    assert bench.plug.seen is not None
    nothing_was_shown_that_is_not_on_disk(bench.settings.rules, books, bench.plug.seen)
    assert bench.open_gates == [], "a dead process accepts nothing"
    bench.plug = Plug(None)
    await bench.power_on()
    assert bench.state == before
    await bench.until(lambda: not bench.state.link_down, "no link after the cut")
    await bench.settle()
    await pins_agree(bench)


def journal_says(bench: CutBench) -> list[RoundState]:
    """Every book that the journal on disk leads through, told by another reader from its first event."""
    journal = Journal.look(Path(bench.settings.state_dir) / "journal.db")
    books = [RoundState()]
    for line in journal.lines():
        books.append(handle(bench.settings.rules, books[-1], line.event).state)
    journal.abandon()
    return books


def nothing_was_shown_that_is_not_on_disk(rules: TableRules, books: list[RoundState], seen: Seen) -> None:
    """Law 1: what the table had acted on, and every light and gate that people saw, is what the journal led to."""
    assert seen.state in books
    acted = len(books) - 1 - books[::-1].index(seen.state)
    looks = [outputs(rules, state) for state in books[max(acted - 3, 0) :]]  # a batch's orders are carried out in turn
    for seat, light in seen.lights.items():
        assert light in {look.lights[seat] for look in looks}, f"seat {seat}"
        assert light is not Light.LIT or seat in seen.shining
        assert light is not Light.DARK or seat not in seen.shining
    assert all(any(look.gates[seat] for look in looks) for seat in seen.open_gates)


async def watch_undisturbed(bench: CutBench) -> None:
    """Watches the lights for a while in which nothing happens: a port that was found again is watched anew."""
    assert bench.assembly is not None
    journal, seen = bench.assembly.table.journal, -1
    while seen != journal.last_number:
        seen = journal.last_number
        await bench.pass_time(5)
        await bench.settle()


async def pins_agree(bench: CutBench) -> None:
    """Law 7: lights and gates, read from the pins, are what the book says."""
    await watch_undisturbed(bench)
    shown = outputs(bench.settings.rules, bench.state)
    for seat, light in shown.lights.items():
        assert bench.metal.look(seat) is PATTERNS[light], f"seat {seat}"
        assert bench.metal.gate_is_open(seat) == shown.gates[seat]
    assert {seat for seat, light in shown.lights.items() if light is Light.LIT} == live_wagers(bench.state)


async def audit(bench: CutBench) -> None:
    """Every cent and every chip: journal, outbox, hopper and meter agree, and nothing was paid twice."""
    journal = Journal.look(Path(bench.settings.state_dir) / "journal.db")
    rows = journal._database.execute("SELECT seq, entry FROM outbox ORDER BY seq").fetchall()
    lines = list(journal.lines())
    assert journal.waiting() == []
    journal.abandon()
    entries = [msgspec.json.decode(entry, type=Entry) for _, entry in rows]
    assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1))
    wagers = [entry for entry in entries if isinstance(entry, Wagers)]
    payouts = [entry for entry in entries if isinstance(entry, Payout)]
    assert len(wagers) == 1
    assert len(payouts) == 1
    pot = bench.floor.meter.pot
    assert pot.in_cents == 100 * len(wagers[0].seats)
    assert pot.amount_cents == pot.base_cents + pot.contribution_cents - pot.deducted_cents + pot.refill_cents
    assert pot.deducted_cents == 50_00
    paid = [line for line in lines if isinstance(line.event, PayoutConfirmed) and line.refusal is None]
    assert len(paid) == 1
    assert bench.hopper_metal.stock == 0, "every chip that fell in came back to the rack"


@pytest.mark.parametrize("share", range(SHARES))
async def test_the_plug_pulled_between_any_two_steps_of_a_round(tmp_path: Path, share: int) -> None:
    """R51: at every step that touches disk or metal, in one whole round with a win; each test takes a share of them."""
    steps, bench = await play_with_a_cut(tmp_path / "whole", at=None)
    await audit(bench)
    assert steps > 80, "the plug is where the work is"
    for at in range(1 + share, steps + 1, SHARES):
        folder = tmp_path / str(at)
        folder.mkdir()
        _, bench = await play_with_a_cut(folder, at)
        await audit(bench)


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
