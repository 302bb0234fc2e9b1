"""Rows of the rule book that need metal to be proved."""

from drivers.light_patterns import Pattern
from games.round.state import Phase
from tests.support.table.paper_floor import Bench


async def test_1_20_a_7_every_chip_wagered_comes_to_the_rack(bench: Bench) -> None:
    """Round after round: chips in, chips given back at the rack and wagers on the meter are the same number (S-2)."""
    wagered = 0
    for number, seats in enumerate(((3,), (1, 4, 7), (), (2, 3, 5, 6)), start=1):
        await bench.deal(*seats)
        wagered += len(seats)
        assert bench.hopper_metal.given == wagered
        await bench.press_end_of_round()
        await bench.until(lambda number=number: bench.state.round == number + 1)  # type: ignore[misc]  # bound early
    await bench.booked()
    pot = bench.floor.meter.pot
    assert (pot.chips, pot.chip_cents) == (wagered, wagered * 100)


async def test_1_13q_e_1_each_position_has_its_own_acceptor_and_light(bench: Bench) -> None:
    """A chip lights the position it was put in and no other; a chip that comes back lights nothing (S-10)."""
    for seat in (6, 2):
        await bench.drop_chip(seat)
        await bench.settle()
    await bench.pass_time(2.5)
    assert [seat for seat in range(1, 8) if bench.metal.look(seat) is Pattern.STEADY] == [2, 6]
    await bench.press_lock_out()
    await bench.drop_chip(4)
    await bench.settle()
    assert bench.metal.chips_bounced == [4]
    assert bench.lit == [2, 6]


async def test_1_13q_e_3_lock_out_shuts_every_gate_on_the_metal(bench: Bench) -> None:
    """One press, and no position takes a chip (S-12)."""
    assert bench.open_gates == [1, 2, 3, 4, 5, 6, 7]
    await bench.press_lock_out()
    await bench.settle()
    assert bench.open_gates == []
    for seat in range(1, 8):
        await bench.drop_chip(seat)
    await bench.settle()
    assert sorted(bench.metal.chips_bounced) == [1, 2, 3, 4, 5, 6, 7]
    assert bench.lit == []
    assert bench.state.phase is not Phase.OPEN
