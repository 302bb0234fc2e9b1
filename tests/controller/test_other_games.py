"""Rounds of the other games through simulated metal: count first, count by eye, claims of each game's own cards."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.journal.journal import Journal
from controller.web.evidence import evidence
from controller.web.replay import read_round
from demo.table import LIGHTS
from drivers.light_patterns import Pattern
from games.round.events import (
    ChipsAttested,
    ClaimValidated,
    EnvyPaid,
    HandClaimed,
    HandShown,
    NoWinShown,
    PayoutConfirmed,
    SeatFolded,
)
from games.round.state import ClaimState, Phase
from tests.support.table.paper_floor import Bench, paper_floor

THREE_CARD = {"game": "three-card-poker", "pay_table": "A"}
SENSORS = [
    {"number": number, "acceptor": "sensor", "sensor": pin, "light": light}
    for number, (pin, light) in enumerate(zip((2, 3, 4, 5), LIGHTS, strict=False), start=1)
]


@pytest.fixture
async def three_card(tmp_path: Path) -> AsyncIterator[Bench]:
    """A three card poker table with slots and a hopper."""
    async with paper_floor(tmp_path, table=THREE_CARD) as floor:
        yield floor.tables["T1"]


@pytest.fixture
async def by_eye(tmp_path: Path) -> AsyncIterator[Bench]:
    """A three card poker table with sensors and no return device."""
    async with paper_floor(
        tmp_path, table={**THREE_CARD, "stake_cents": 500}, seat=SENSORS, return_device={"kind": "by_eye"}
    ) as floor:
        yield floor.tables["T1"]


async def test_20_13_b_the_first_press_counts_and_the_count_closes(three_card: Bench) -> None:
    """Two presses make a losing round; in between the hopper has given back every chip and the meter has moved."""
    for seat in (2, 3, 5):
        await three_card.drop_chip(seat)
    await three_card.press_lock_out()
    await three_card.until(lambda: three_card.state.registered, "not registered")
    assert three_card.state.counted == 3
    assert three_card.hopper_metal.given == 3
    assert three_card.open_gates == []
    assert three_card.floor.meter.pot.in_cents == 300
    await three_card.press_end_of_round()
    await three_card.until(lambda: three_card.state.round == 2)
    assert three_card.open_gates == [1, 2, 3, 4, 5, 6, 7]


async def test_20_13_b_a_finger_on_the_button_shuts_no_gate_before_the_count(three_card: Bench) -> None:
    """The press only begins the count: a chip that comes while the hopper runs is counted and registered too."""
    three_card.hold_the_disc()
    for seat in (2, 3):
        await three_card.drop_chip(seat)
    await three_card.settle()
    three_card.metal.press("lock-out button")
    await three_card.pass_time(0.1)
    assert three_card.open_gates == [1, 4, 5, 6, 7]
    await three_card.until(lambda: three_card.state.phase is Phase.COUNTING)
    await three_card.drop_chip(5)
    three_card.metal.release("lock-out button")
    three_card.let_the_disc_go()
    await three_card.until(lambda: three_card.state.registered, "not registered")
    assert sorted(three_card.state.wagers) == [2, 3, 5]
    assert three_card.state.counted == 3
    assert three_card.state.flagged == ()


async def test_20_13_b_a_chip_in_the_throat_when_the_hopper_is_empty_is_still_in_time(three_card: Bench) -> None:
    """The gates shut before the count closes anything, and what is behind them by then makes the count begin again."""
    three_card.hold_the_disc()
    await three_card.drop_chip(2)
    await three_card.settle()
    await three_card.press_lock_out()
    counting = three_card.state
    assert counting.counted is None
    three_card.insert_chip(6)
    three_card.let_the_disc_go()
    await three_card.until(lambda: three_card.state.registered, "not registered")
    assert sorted(three_card.state.wagers) == [2, 6]
    assert three_card.state.counted == 2
    assert three_card.state.counts == 2
    assert (three_card.state.flagged, three_card.metal.chips_bounced) == ((), [])


async def test_20_13_b_once_the_hopper_is_empty_a_chip_finds_the_gate_shut(three_card: Bench) -> None:
    """Too late means before a shut gate, never behind it."""
    await three_card.drop_chip(2)
    await three_card.settle()
    await three_card.press_lock_out()
    performer = three_card.assembly.performer  # type: ignore[union-attr]  # it is running
    while not performer.is_hushing and not three_card.state.registered:  # noqa: ASYNC110  no bell rings for it
        await asyncio.sleep(0.001)
    three_card.insert_chip(6)
    await three_card.until(lambda: three_card.state.registered, "not registered")
    assert three_card.metal.chips_bounced == [6]
    assert list(three_card.state.wagers) == [2]


async def test_20_13_b_a_short_count_stands_still_with_shut_gates(three_card: Bench) -> None:
    """Nothing is registered before chips and lights agree."""
    await three_card.hang_a_chip()
    assert three_card.state.phase is Phase.COUNTING
    assert three_card.open_gates == []
    assert three_card.floor.meter.pot.in_cents == 0


async def test_20_10_b_the_light_goes_dark_with_a_fold(three_card: Bench) -> None:
    """The forfeited wager is out, the others are still lit."""
    await three_card.deal(2, 3)
    await three_card.must(SeatFolded(2))
    await three_card.settle()
    assert three_card.lit == [3]


async def test_20_14_a_envy_is_paid_before_the_round_ends(three_card: Bench) -> None:
    """Shown, owed, paid from the rack; the meter knows nothing of it."""
    await three_card.deal(2, 3)
    before = three_card.floor.meter.pot.amount_cents
    await three_card.must(HandShown(4, ("As", "Ks", "Qs")))
    await three_card.press_end_of_round()
    await three_card.settle()
    assert three_card.state.phase is Phase.SETTLING
    await three_card.must(EnvyPaid(3, "Dan"), EnvyPaid(2, "Dan"))
    await three_card.press_end_of_round()
    await three_card.until(lambda: three_card.state.round == 2)
    assert three_card.floor.meter.pot.amount_cents == before


async def test_20_14_a_a_shown_hand_wins_for_its_own_seat_and_has_its_evidence(three_card: Bench) -> None:
    """Who looks before he validates finds when the cards were told, and by whom."""
    await three_card.deal(3)
    await three_card.must(HandShown(3, ("As", "Ks", "Qs"), by="Dan"))
    await three_card.until(lambda: _state(three_card, 3) is ClaimState.FIXED, "not fixed")
    replay = read_round(Path(three_card.settings.state_dir) / "journal.db", "T1", three_card.settings.rules, 1)
    found = evidence(replay, 3, community=(), meter_cents=None, contest=())
    assert found is not None
    assert (found.claimed_by, found.payment.hand) == ("Dan", "A-K-Q of spades")


async def test_20_13_b_by_eye_the_press_is_journaled_as_the_dealers_word(by_eye: Bench) -> None:
    """Chips rest on their sensors; one press closes and registers, and the journal says that nobody else counted."""
    await by_eye.drop_chip(1)
    await by_eye.drop_chip(3)
    await by_eye.settle()
    assert await by_eye.look(1) is Pattern.STEADY
    await by_eye.press_lock_out()
    await by_eye.until(lambda: by_eye.state.registered, "not registered")
    assert by_eye.state.by_eye
    assert by_eye.floor.meter.pot.in_cents == 1_000
    journal = Journal.look(Path(by_eye.settings.state_dir) / "journal.db")
    words = [line.event for line in journal.lines() if isinstance(line.event, ChipsAttested)]
    journal.abandon()
    assert words == [ChipsAttested(2)]


async def test_1_10a_d_2_a_chip_laid_down_after_the_press_is_not_recognised(by_eye: Bench) -> None:
    """Nothing bars a sensor, so the table refuses what it sees, and flags it; the next round begins clean."""
    await by_eye.drop_chip(1)
    await by_eye.press_lock_out()
    await by_eye.drop_chip(2)
    await by_eye.settle()
    assert by_eye.state.flagged == (2,)
    assert list(by_eye.state.wagers) == [1]
    await by_eye.press_end_of_round()
    await by_eye.until(lambda: by_eye.state.round == 2)
    assert by_eye.state.wagers == {}


async def test_1_10a_d_1_a_chip_on_a_sensor_lights_its_own_position_while_it_rests_there(by_eye: Bench) -> None:
    """Each position has its own; lifted before the press, the light goes out (S-27)."""
    await by_eye.drop_chip(2)
    await by_eye.settle()
    assert [await by_eye.look(seat) is Pattern.STEADY for seat in (1, 2, 3)] == [False, True, False]
    by_eye.metal.lift_chip(2)
    await by_eye.pass_time(0.2)
    await by_eye.settle()
    assert by_eye.state.wagers == {}
    await by_eye.pass_time(2)
    assert await by_eye.look(2) is Pattern.PULSE


async def test_20_6_d_a_chip_lifted_before_the_press_is_no_wager(by_eye: Bench) -> None:
    """Withdrawn in time it leaves no trace on the meter (S-62)."""
    await by_eye.drop_chip(1)
    await by_eye.drop_chip(2)
    by_eye.metal.lift_chip(1)
    await by_eye.pass_time(0.2)
    await by_eye.press_lock_out()
    await by_eye.until(lambda: by_eye.state.registered, "not registered")
    assert by_eye.floor.meter.pot.in_cents == 500


async def test_after_a_power_cut_in_the_middle_of_a_count_it_goes_on(three_card: Bench) -> None:
    """Law 7: same phase, same lights, and every chip is counted once."""
    three_card.hold_the_disc()
    for seat in (2, 3, 5):
        await three_card.drop_chip(seat)
    await three_card.press_lock_out()
    await three_card.turn_the_disc_once()
    await three_card.until(lambda: three_card.state.returned > 0)
    assert three_card.state.phase is Phase.COUNTING
    await three_card.power_cut()
    await three_card.power_on()
    assert three_card.state.phase is Phase.COUNTING
    three_card.let_the_disc_go()
    await three_card.until(lambda: three_card.state.registered, "not registered")
    assert three_card.state.counted == 3
    assert three_card.floor.meter.pot.in_cents == 300


async def test_2_19_h_four_aces_at_two_seats_divide_the_meter(tmp_path: Path) -> None:
    """One award at the meter, two payouts at the table, not a cent more or less."""
    table = {"game": "blackjack", "pay_table": "base", "decks": 8}
    async with paper_floor(tmp_path, table=table) as floor:
        bench = floor.tables["T1"]
        await bench.deal(2, 5)
        await bench.must(HandClaimed(5, ("As", "Ac", "As", "Ac")), HandClaimed(2, ("Ah", "Ad", "Ah", "Ad")))
        await bench.until(lambda: _state(bench, 5) is ClaimState.FIXED, "not fixed")
        before = floor.meter.pot.awards[0].amount_cents
        await bench.must(ClaimValidated(5, "Sue"), ClaimValidated(2, "Sue"))
        await bench.until(lambda: all(claim.is_agreed for claim in bench.state.claims), "the meter does not agree")
        await bench.must(PayoutConfirmed(5, "Dan"), PayoutConfirmed(2, "Dan"))
        await bench.booked()
        assert sum(claim.amount_cents for claim in bench.state.claims) == before == floor.meter.pot.paid_cents
        assert floor.meter.pot.amount_cents == 5_000_00


async def test_16_12_g_a_validated_award_yields_to_an_earlier_turn(tmp_path: Path) -> None:
    """Seat 1's straight flush is validated, then seat 6 shows a royal flush: it is paid first, and seat 1 the rest."""
    async with paper_floor(tmp_path, table={"game": "caribbean-stud", "pay_table": "base"}) as floor:
        bench = floor.tables["T1"]
        await bench.deal(1, 6)
        whole = floor.meter.pot.amount_cents
        await bench.must(HandClaimed(1, ("9c", "8c", "7c", "6c", "5c")), NoWinShown((6,), "Dan"))
        await bench.until(lambda: _state(bench, 1) is ClaimState.FIXED, "not fixed")
        await bench.must(ClaimValidated(1, "Sue"), HandClaimed(6, ("As", "Ks", "Qs", "Js", "Ts")))
        assert await bench.tell(PayoutConfirmed(1, "Dan")) is not None
        for seat in (6, 1):
            await bench.until(lambda seat=seat: _state(bench, seat) is ClaimState.FIXED, "not fixed")  # type: ignore[misc]
            await bench.must(ClaimValidated(seat, "Sue"), PayoutConfirmed(seat, "Dan"))
        assert {claim.seat: claim.amount_cents for claim in bench.state.claims} == {6: whole, 1: 500_00}
        await bench.booked()
        assert floor.meter.pot.amount_cents == 4_500_00


async def test_11_9_j_pai_gow_is_settled_at_the_meters_own_amount(tmp_path: Path) -> None:
    """At $5 and a meter below $10,000 a tenth is less than $1,000: the meter's answer turns the hand."""
    table = {"game": "pai-gow-poker", "pay_table": "base", "stake_cents": 500}
    async with paper_floor(tmp_path, table=table) as floor:
        bench = floor.tables["T1"]
        await bench.deal(3, 5)
        await bench.must(HandClaimed(5, ("9h", "Th", "Jh", "Qh", "Kh", "3c", "2d")), NoWinShown((3,), "Dan"))
        await bench.until(lambda: _state(bench, 5) is ClaimState.FIXED, "not fixed")
        await bench.must(ClaimValidated(5, "Sue"), PayoutConfirmed(5, "Dan"))
        await bench.must(HandClaimed(3, ("As", "Ks", "Qs", "Js", "Ts", "Jk", "Td")))
        await bench.until(lambda: _state(bench, 3) is ClaimState.FIXED, "not fixed")
        claim = bench.state.claim(3)
        assert claim is not None
        assert (claim.hand, claim.amount_cents) == ("royal_flush_and_pair", 1_000_00)


def _state(bench: Bench, seat: int) -> ClaimState | None:
    claim = bench.state.claim(seat)
    return claim.state if claim else None
