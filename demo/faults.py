"""What visitors of the demo can break and mend again, each with what to watch meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct

from demo.floor import DemoFloor
from drivers.simulated.hopper_mechanics import Jam

Switch: TypeAlias = Callable[[DemoFloor, str, bool], Awaitable[None]]


class DemoFault(Struct, frozen=True):
    """One thing to break: what its switch is called, and what holds while it is broken."""

    label: str
    watch: str
    switch: Switch


async def _beam(floor: DemoFloor, table: str, breaks: bool) -> None:
    slot = next(iter(floor.tables[table].metal.slots.values()))
    (slot.stick if breaks else slot.free)()


async def _jam(floor: DemoFloor, table: str, breaks: bool) -> None:
    with floor.tables[table].hopper.hands_on() as board:
        board.metal.jam = Jam.DISC if breaks else None


async def _missing(floor: DemoFloor, table: str, breaks: bool) -> None:
    """A chip that fell into the hopper is not there any more, or the next one; found again only while it is missed."""
    bench = floor.tables[table]
    with bench.hopper.hands_on() as board:
        if breaks:
            floor.missing_since[table] = bench.state.round
            board.metal.stock, board.metal.vanishing = max(0, board.metal.stock - 1), int(not board.metal.stock)
        elif board.metal.vanishing:
            board.metal.vanishing = 0
        elif floor.missing_since[table] == bench.state.round:
            board.metal.stock += 1


async def _wire(floor: DemoFloor, table: str, breaks: bool) -> None:
    hopper = floor.tables[table].hopper
    (hopper.unplug if breaks else hopper.plug)()


async def _network(floor: DemoFloor, table: str, breaks: bool) -> None:
    cable = floor.cables[table]
    (cable.cut if breaks else cable.mend)()


async def _power(floor: DemoFloor, table: str, breaks: bool) -> None:
    bench = floor.tables[table]
    await (bench.power_cut() if breaks else bench.power_on())


async def _broker(floor: DemoFloor, _table: str, breaks: bool) -> None:
    await (floor.broker.stop() if breaks else floor.broker.start())


async def _meter(floor: DemoFloor, _table: str, breaks: bool) -> None:
    await (floor.stop_meter() if breaks else floor.start_meter())


OF_A_TABLE: Final[dict[str, DemoFault]] = {
    "beam": DemoFault(
        "Stuck sensor",
        "Something sticks in the beam of seat 1: only that seat is shut, the others play on. "
        "Mend it, then test the seat again: a fault clears only when its cause was looked at.",
        _beam,
    ),
    "missing": DemoFault(
        "Missing chip",
        "A chip was taken out of the hopper: press lock-out, and the count is one short of the lights. Nothing is "
        "dealt before it was counted again, or a supervisor has explained the difference. Mend it: the chip is found.",
        _missing,
    ),
    "jam": DemoFault(
        "Jammed hopper",
        "The hopper's disc cannot turn: press lock-out with a chip in it, and the table waits for a true count. "
        "Mend it, then test the hopper again.",
        _jam,
    ),
    "wire": DemoFault(
        "Hopper unplugged",
        "The hopper's serial adapter is pulled out: press lock-out, and nothing is dealt that was not counted. "
        "Mend it, and the hopper is found again by itself.",
        _wire,
    ),
    "network": DemoFault(
        "Network cable cut",
        "Nothing reaches the meter from this table, and nobody tells it: after five seconds of silence it takes no new "
        "wagers. The round in hand goes on, the other table plays on, and nothing is booked twice afterwards.",
        _network,
    ),
    "power": DemoFault(
        "Power cut",
        "The controller is dead: gates fell shut, lights are dark. Mend it, and the table stands where it stood.",
        _power,
    ),
}
OF_THE_FLOOR: Final[dict[str, DemoFault]] = {
    "broker": DemoFault(
        "Broker dead",
        "The message broker was killed: every table notices, finishes its round and keeps what the meter must hear.",
        _broker,
    ),
    "meter": DemoFault(
        "Meter dead",
        "The meter's process was killed: no table takes wagers that nobody counts. Its ledger is on disk.",
        _meter,
    ),
}


class DemoFaults:
    """The switches, and which of them are on."""

    def __init__(self, floor: DemoFloor) -> None:
        self._floor = floor
        self._switches = {
            **{name: ("", fault) for name, fault in OF_THE_FLOOR.items()},
            **{f"{kind}-{table}": (table, fault) for table in floor.names for kind, fault in OF_A_TABLE.items()},
        }
        self._broken: set[str] = set()
        self._one_at_a_time = asyncio.Lock()

    def __contains__(self, name: str) -> bool:
        return name in self._switches

    async def turn(self, name: str, *, breaks: bool) -> None:
        """Breaks or mends something; what is so already stays so."""
        async with self._one_at_a_time:
            if breaks == (name in self._broken):
                return
            table, fault = self._switches[name]
            await fault.switch(self._floor, table, breaks)
            self._broken ^= {name}

    def shown(self) -> Iterator[dict[str, Any]]:
        """Every switch as the page draws it."""
        for name, (table, fault) in self._switches.items():
            yield {
                "name": name,
                "table": table,
                "label": fault.label,
                "watch": fault.watch,
                "on": name in self._broken,
            }
