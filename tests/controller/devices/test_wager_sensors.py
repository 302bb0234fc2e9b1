"""Sensors of side wagers on simulated metal: chips, lights, faults and a power cut, and the settings that fit them."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from common.settings import SettingsError
from controller.settings.device_names import wager_device
from demo.table import BEAMS, GATES, LIGHTS, bench_settings
from drivers.light_patterns import Pattern
from tests.support.table.paper_floor import Bench, paper_floor

THREE_CARD = {"game": "three-card-poker", "pay_table": "A", "wagers": ["six_card_bonus"]}
EXPANDER = {"expander": [{"chip": "mcp23017", "interrupt": 14}]}
PAIR_PLUS = wager_device(2, "pair_plus")


def seats(*names: str) -> list[dict[str, Any]]:
    """Three seats; the second one has sensors for these wagers on an expander."""
    made = [
        {"number": number, "acceptor": "slot", "beams": [beam], "gate": gate, "light": light}
        for number, (beam, gate, light) in enumerate(zip(BEAMS[2:5], GATES, LIGHTS, strict=False), start=1)
    ]
    made[1]["side_wager"] = [
        {
            "wager": name,
            "sensor": {"chip": "mcp23017", "line": 2 * place},
            "light": {"chip": "mcp23017", "line": 2 * place + 1},
        }
        for place, name in enumerate(names)
    ]
    return made


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    sensors = seats("pair_plus", "six_card_bonus")
    async with paper_floor(tmp_path, table=THREE_CARD, seat=sensors, gpio=EXPANDER) as floor:
        yield floor.tables["T1"]


async def lay(bench: Bench, wager: str) -> None:
    """The player of seat 2 lays a chip there."""
    bench.metal.place_side_chip(2, wager)
    await bench.pass_time(0.5)
    await bench.settle()


async def looks(bench: Bench, wager: str) -> Pattern | None:
    """What a person takes the light of this wager to say."""
    await bench.pass_time(2.5)
    return bench.metal.look_at_wager(2, wager)


async def test_1_13q_e_1_a_chip_on_its_sensor_is_a_wager_with_a_light_and_stands_after_a_power_cut(
    bench: Bench,
) -> None:
    """Dark or open before, steady after; neither the count nor the acceptor's light knows of it."""
    await lay(bench, "pair_plus")
    assert bench.state.side[2].amounts == {"pair_plus": 100}
    assert await looks(bench, "pair_plus") is Pattern.STEADY
    await bench.drop_chip(3)
    await bench.settle()
    await bench.power_cut()
    assert not bench.metal.is_wager_lit(2, "pair_plus")
    await bench.power_on()
    await bench.settle()
    assert await looks(bench, "pair_plus") is Pattern.STEADY
    assert not bench.state.faults
    assert bench.assembly is not None
    assert bench.assembly.look().seats[1].wager_lights == {"pair_plus": "lit", "six_card_bonus": "open"}
    await bench.linked()
    await bench.press_lock_out()
    await bench.settle()
    assert bench.state.counted == 1
    bench.metal.lift_side_chip(2, "pair_plus")
    await bench.pass_time(0.5)
    await bench.settle()
    assert bench.state.side[2].amounts == {"pair_plus": 100}
    assert 2 in bench.state.flagged


async def test_a_refused_chip_flashes_and_a_lifted_one_leaves_no_wager(bench: Bench) -> None:
    """Six card bonus needs pair plus; what is lifted before lock-out never lay there."""
    await lay(bench, "six_card_bonus")
    assert bench.metal.look_at_wager(2, "six_card_bonus") is not Pattern.STEADY
    assert bench.state.side == {}
    await lay(bench, "pair_plus")
    bench.metal.lift_side_chip(2, "pair_plus")
    await bench.pass_time(0.5)
    await bench.settle()
    assert bench.state.side == {}
    assert await looks(bench, "pair_plus") is not Pattern.STEADY


async def test_a_covered_sensor_is_a_fault_of_its_wager_alone_until_it_is_tested_again(bench: Bench) -> None:
    """A chip that nobody knows of lies there at the start: the seat itself plays on."""
    await bench.shut_down()
    bench.metal.place_side_chip(2, "pair_plus")
    await bench.power_on()
    await bench.settle()
    assert bench.assembly is not None
    assert list(bench.state.faults) == [PAIR_PLUS]
    assert bench.assembly.look().seats[1].wager_lights["pair_plus"] == "look"
    await bench.linked()
    assert 2 in bench.open_gates
    bench.metal.lift_side_chip(2, "pair_plus")
    await bench.pass_time(0.5)
    bench.assembly.performer.retest(PAIR_PLUS)
    await bench.pass_time(2.5)
    await bench.until(lambda: not bench.state.faults)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("number", "one of seven numbers"),
        ("bonus", "write one of pair_plus, six_card_bonus"),
        ("progressive", "no such side wager"),
    ],
)
def test_a_sensor_for_what_it_cannot_tell_is_refused(tmp_path: Path, name: str, says: str) -> None:
    """With the wagers that may have one."""
    with pytest.raises(SettingsError, match=says) as refused:
        bench_settings("T1", tmp_path, table=THREE_CARD, seat=seats(name), gpio=EXPANDER)
    assert [fault.key for fault in refused.value.faults] == ["seat[2].side_wager[1].wager"]


def test_two_sensors_for_one_wager_and_lines_that_are_missing_are_refused(tmp_path: Path) -> None:
    """The second one; and a plan that the header cannot carry names the expanders that would do."""
    with pytest.raises(SettingsError, match="two sensors for the pair_plus wager"):
        bench_settings("T1", tmp_path, table=THREE_CARD, seat=seats("pair_plus", "pair_plus"), gpio=EXPANDER)
    crowded = [
        {"number": number, "acceptor": "slot", "beams": [beam], "gate": gate, "light": light}
        for number, (beam, gate, light) in enumerate(zip(BEAMS, GATES, LIGHTS, strict=True), start=1)
    ]
    crowded[1]["side_wager"] = [{"wager": "pair_plus", "sensor": 14, "light": 28}]
    wanted = r"this table needs 27 lines of the header, which has 26; put beams, .* on an expander \(MCP23017 at 0x20"
    with pytest.raises(SettingsError, match=wanted):
        bench_settings("T1", tmp_path, table=THREE_CARD, seat=crowded)
