"""Whole rounds through simulated metal, in the words of the pit."""

from drivers.light_patterns import Pattern
from games.round.events import ClaimValidated, CouponRedeemed, HandClaimed, PayoutConfirmed
from games.round.state import Phase
from tests.support.table.paper_floor import Bench

FLOP = ("Th", "Jh", "Qh")


async def test_a_chip_in_seat_3_becomes_money_on_the_meter(bench: Bench) -> None:
    """The first whole round: chip, light, lock-out, count, registration."""
    await bench.drop_chip(3)
    await bench.settle()
    assert await bench.look(3) is Pattern.STEADY
    await bench.press_lock_out()
    await bench.settle()
    await bench.until(lambda: bench.state.registered)
    pot = bench.floor.meter.pot
    assert (pot.in_cents, pot.contribution_cents) == (100, 70)
    assert str(pot.carry) == "37/100"
    assert bench.hopper_metal.given == 1


async def test_a_person_can_tell_every_light_apart(bench: Bench) -> None:
    """Open pulses, a wager is steady, a refusal flashes twice, a locked empty seat is dark (S-17)."""
    await bench.drop_chip(3)
    await bench.settle()
    assert await bench.look(3) is Pattern.STEADY
    assert await bench.look(4) is Pattern.PULSE
    await bench.press_lock_out()
    await bench.settle()
    assert await bench.look(4) is Pattern.DARK
    assert await bench.look(3) is Pattern.STEADY
    await bench.tell(CouponRedeemed(4, "C-1"))
    await bench.pass_time(0.3)
    assert bench.metal.is_lit(4)
    await bench.pass_time(1.3)
    assert bench.metal.look(4) is Pattern.DOUBLE_FLASH
    await bench.pass_time(3)
    assert bench.metal.look(4) is Pattern.DARK


async def test_28_6_b_a_chip_after_lock_out_comes_back_to_the_player(bench: Bench) -> None:
    """A shut gate is a shut gate: no beam, no light, no chip in the hopper."""
    await bench.drop_chip(3)
    await bench.press_lock_out()
    await bench.drop_chip(4)
    await bench.settle()
    assert bench.metal.chips_bounced == [4]
    assert bench.lit == [3]
    assert list(bench.state.wagers) == [3]


async def test_a_second_chip_comes_back_to_the_player(bench: Bench) -> None:
    """A lit seat's gate is shut."""
    await bench.drop_chip(3)
    await bench.settle()
    await bench.drop_chip(3)
    assert bench.metal.chips_bounced == [3]
    await bench.press_lock_out()
    await bench.settle()
    assert bench.state.phase is not Phase.LOCKED


async def test_a_losing_round_costs_two_presses(bench: Bench) -> None:
    """Lock-out, end of round, and the next one is open."""
    await bench.deal(2, 6)
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.phase is Phase.OPEN)
    assert bench.state.round == 2
    assert bench.open_gates == [1, 2, 3, 4, 5, 6, 7]


async def test_a_round_without_wagers_moves_no_chip_and_no_meter(bench: Bench) -> None:
    """Nothing to collect, nothing registered."""
    await bench.deal()
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.round == 2)
    assert bench.hopper_metal.given == 0
    assert bench.floor.meter.pot.in_cents == 0
    with bench.hopper.hands_on() as board:
        assert board.orders == 0


async def test_a_flush_is_fixed_validated_paid_and_deducted(bench: Bench) -> None:
    """28.11(f): $50 leave the meter for the player, once."""
    await bench.deal(3)
    await bench.must(HandClaimed(3, ("2h", "3h"), FLOP))
    await bench.until(lambda: bench.state.claims[0].amount_cents == 50_00)
    await bench.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    await bench.until(lambda: bench.floor.meter.pot.deducted_cents == 50_00 and not bench.floor.meter.pot.awards)
    assert bench.floor.meter.pot.amount_cents == 10_000_00 + 70 - 50_00
    assert bench.lit == []
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.round == 2)


async def test_28_11_i_two_straight_flushes_are_paid_one_after_the_other(bench: Bench) -> None:
    """S-19: each gets ten percent of what is on the meter at his turn, the right-hand seat first."""
    await bench.deal(2, 5)
    flop = ("5h", "6h", "7h")
    await bench.must(HandClaimed(2, ("3h", "4h"), flop), HandClaimed(5, ("8h", "9h"), flop))
    before = bench.floor.meter.pot.base_cents + bench.floor.meter.pot.contribution_cents
    for seat in (5, 2):
        await bench.until(lambda seat=seat: bench.state.claim(seat).amount_cents > 0)  # type: ignore[misc,union-attr]  # claimed above
        await bench.must(ClaimValidated(seat, "Sue"), PayoutConfirmed(seat, "Dan"))
    first, second = bench.state.claim(5), bench.state.claim(2)
    assert first is not None
    assert second is not None
    assert first.amount_cents == -(-before // 10)
    assert second.amount_cents == -(-(before - first.amount_cents) // 10)


async def test_a_royal_takes_the_whole_meter_and_leaves_the_reset_amount(bench: Bench) -> None:
    """100 % of the meter, once; the display stands at the reset amount at once."""
    await bench.deal(3)
    whole = bench.floor.meter.pot.amount_cents
    await bench.must(HandClaimed(3, ("Ah", "Kh"), FLOP))
    await bench.until(lambda: bench.state.claims[0].amount_cents == whole)
    assert bench.floor.meter.pot.amount_cents == 5_000_00
    await bench.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    await bench.until(lambda: not bench.floor.meter.pot.awards)
    assert bench.floor.meter.pot.amount_cents == 5_000_00


async def test_a_coupon_and_a_chip_make_two_lights_and_one_chip(bench: Bench) -> None:
    """The coupon is counted apart and moves the meter like a chip."""
    await bench.must(CouponRedeemed(5, "C-1"))
    await bench.until(lambda: 5 in bench.state.wagers)
    await bench.deal(3)
    assert bench.floor.meter.pot.in_cents == 200
    assert bench.hopper_metal.given == 1


async def test_seven_chips_and_the_button_in_one_millisecond(bench: Bench) -> None:
    """R26: chips already in the throat at the press are wagers; lights, chips and meter agree."""
    for seat in range(1, 8):
        bench.insert_chip(seat)
    await bench.press_lock_out()
    await bench.settle()
    await bench.until(lambda: bench.state.registered)
    assert len(bench.state.wagers) == 7
    assert bench.state.counted == 7
    assert bench.floor.meter.pot.in_cents == 700


async def test_a_bouncing_button_is_one_press(bench: Bench) -> None:
    """Worn contacts make many edges, never two rounds."""
    await bench.drop_chip(3)
    bench.metal.buttons["lock-out button"].bounce()
    await bench.pass_time(0.5)
    bench.metal.release("lock-out button")
    await bench.pass_time(0.2)
    await bench.settle()
    await bench.until(lambda: bench.state.registered)
    assert bench.state.round == 1


async def test_a_glitch_on_the_lock_out_line_locks_nothing(bench: Bench) -> None:
    """The gates shut at the first edge and open again when it was noise."""
    bench.metal.buttons["lock-out button"].contact.glitch(2)
    await bench.pass_time(0.001)
    assert bench.open_gates == []
    await bench.pass_time(0.2)
    await bench.settle()
    assert bench.state.phase is Phase.OPEN
    assert bench.open_gates == [1, 2, 3, 4, 5, 6, 7]
