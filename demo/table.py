"""A whole table on simulated metal: every line a board runs, with hands to push chips and eyes to see lights."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Self

from msgspec.structs import replace

from common.board_health import BoardFiles
from common.clock import Clock, ManualClock
from common.log import Log
from common.settings import SettingsFile
from controller.assembly import Assembly, Connect
from controller.settings.device_names import BONUS_BUTTON, END_OF_ROUND, LOCK_OUT, RETURN_DEVICE
from controller.settings.seats import CcTalkSeatSettings, SensorSettings, SlotSettings
from controller.settings.table import TableSettings, read
from drivers.cctalk.settings import HopperSettings
from drivers.gpio.chip import GpioChip
from drivers.gpio.header import Pin
from drivers.gpio.pins import InputWiring
from drivers.light_patterns import Pattern
from drivers.mqtt.client import MqttClient
from drivers.mqtt.settings import BrokerSettings
from drivers.simulated.hopper import SimulatedHopper
from drivers.simulated.hopper_board import HopperBoard
from drivers.simulated.hopper_mechanics import HopperMechanics
from drivers.simulated.pins import SimulatedPins
from drivers.simulated.table import SeatWiring, SensorWiring, SimulatedLamp, SimulatedPanel, SlotWiring
from games.catalogue import GAMES
from games.round.state import RoundState

BEAMS: Final = (2, 3, 4, 5, 6, 7, 8)
GATES: Final = (9, 10, 11, 12, 13, 16, 17)
LIGHTS: Final = (18, 19, 20, 21, 22, 23, 27)
CHIP_S: Final = 0.12
PRESS_S: Final = 0.1
THROAT_S: Final = 0.25
"""Lock-out waits so long for chips that may be between gate and beam."""
_STEP_S: Final = 0.004
_PATIENCE_S: Final = 60.0


def bench_settings(name: str, folder: Path, **changes: Any) -> TableSettings:
    """The settings of a bench table with every seat of its game; changes replace whole parts of the file."""
    table = {"id": name, "game": "texas-holdem-bonus", "pay_table": "A", "state_dir": str(folder / name)}
    table |= changes.pop("table", {})
    seats = [
        {"number": number, "acceptor": "slot", "beams": [beam], "gate": gate, "light": light}
        for number, (beam, gate, light) in enumerate(zip(BEAMS, GATES, LIGHTS, strict=True), start=1)
    ][: GAMES[table["game"]].most_seats]
    parts: dict[str, Any] = {
        "table": table,
        "link": {"name": "demo"},
        "panel": {"port": 0},
        "lock_out": {"button": 25, "lamp": 26},
        "end_of_round": {"button": 24},
        "supervisor": {"key": 15},
        "return_device": {"kind": "cctalk", "port": "to be plugged in", "poll_ms": 5},
        "seat": seats,
    }
    return read(SettingsFile("bench", {**parts, **changes}))


class SimulatedTable:
    """One simulated table; its metal and its chips survive a power cut of the controller."""

    def __init__(
        self,
        settings: TableSettings,
        broker: BrokerSettings,
        *,
        clock: Clock,
        log: Log,
        chip_ms: float = 0,
        connect: Connect = MqttClient,
    ) -> None:
        self._clock, self._log, self._connect = clock, log, connect
        self.hopper_metal = HopperMechanics(chip_ms=chip_ms)
        # A fraction of the real hopper's ten seconds in vain: emptying takes no longer than it must.
        self.hopper = SimulatedHopper(HopperBoard(self.hopper_metal, time_factor=0.002 if chip_ms == 0 else 0.1))
        self.settings = replace(settings, broker=broker)
        self.pins = SimulatedPins(clock)
        self.metal = _metal(settings, self.pins, lambda _seat: self.hopper.load(1))
        self.board: BoardFiles | None = None
        self.assembly: Assembly | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self.hopper.__enter__()
        self.plug_in_hopper()
        await self.power_on()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.assembly is not None:
            await self.shut_down()
        self.hopper.__exit__(None, None, None)

    def plug_in_hopper(self) -> None:
        """Tells the table which port the hopper hangs on."""
        wire = self.settings.return_device
        if isinstance(wire, HopperSettings):
            self.settings = replace(self.settings, return_device=replace(wire, port=self.hopper.port))

    async def power_on(self) -> None:
        """Starts the controller on the metal as it stands."""
        self.assembly = self.assemble()
        await self.assembly.start()
        self._tasks = [asyncio.create_task(part) for part in self.assembly.parts()]

    def assemble(self) -> Assembly:
        """The controller, put together and not yet running."""
        return Assembly(
            self.settings,
            GpioChip(self.pins, ()),
            clock=self._clock,
            log=self._log,
            connect=self._connect,
            board=self.board,
        )

    async def shut_down(self) -> None:
        """Ends the controller as SIGTERM does."""
        assert self.assembly is not None
        if not any(task.done() for task in self._tasks):  # after a death nobody waits
            winding_down = asyncio.create_task(self.assembly.wind_down())
            await self.until(winding_down.done)
            await winding_down
        assembly = await self._end_tasks()
        await assembly.stop()

    async def power_cut(self) -> None:
        """Ends the controller as a pulled plug does: nothing is written, every output falls."""
        assembly = await self._end_tasks()
        await assembly.power_off()
        assembly.table.abandon()
        self.pins.program_died()

    @property
    def state(self) -> RoundState:
        """What the table's book says now."""
        assert self.assembly is not None
        return self.assembly.table.state

    def insert_chip(self, seat: int) -> None:
        """A player pushes a chip into his slot, or lays it on his sensor."""
        if seat in self.metal.sensors:
            self.metal.place_chip(seat)
        else:
            self.metal.insert_chip(seat)

    async def drop_chip(self, seat: int) -> None:
        """A player pushes a chip into his slot, or lays it on his sensor, and it has come to rest."""
        self.insert_chip(seat)
        await self.pass_time(CHIP_S)

    async def press_lock_out(self) -> None:
        """The dealer presses and releases lock-out."""
        await self._press(LOCK_OUT)
        await self.pass_time(THROAT_S)

    async def press_end_of_round(self) -> None:
        """The dealer presses and releases end of round."""
        await self._press(END_OF_ROUND)

    async def press_bonus(self) -> None:
        """A player presses and releases the bonus button."""
        await self._press(BONUS_BUTTON)

    async def turn_key(self, *, on: bool) -> None:
        """The supervisor turns the key."""
        self.metal.turn_key(on)
        await self.pass_time(PRESS_S)

    async def look(self, seat: int) -> Pattern | None:
        """What a person who watches the seat's light for a while takes it to say."""
        await self.pass_time(2.5)
        return self.metal.look(seat)

    async def pass_time(self, seconds: float) -> None:
        """Lets time go by: a moved clock moves in small steps, so that threads and loop keep up."""
        if not isinstance(self._clock, ManualClock):
            await asyncio.sleep(seconds)
            return
        for _ in range(max(1, round(seconds / _STEP_S))):
            self._clock.advance(_STEP_S)
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    async def settle(self) -> None:
        """Waits until everything that happened is written down and acted upon."""
        await self.until(lambda: self._is_settled)

    async def until(self, condition: Callable[[], bool], what: str = "") -> None:
        """Waits, in real time and not for ever, until something is so."""
        deadline = asyncio.get_running_loop().time() + _PATIENCE_S
        calm = 0
        while calm < 3:
            calm = calm + 1 if condition() else 0
            self.raise_if_dead()
            self._let_throats_empty()
            if asyncio.get_running_loop().time() > deadline:
                raise TimeoutError(f"table {self.settings.table}: {what or 'not settled'}: {self.state}")
            await asyncio.sleep(0 if calm else 0.001)

    @property
    def _is_settled(self) -> bool:
        assert self.assembly is not None
        collector = self.assembly.performer.collector
        return self.assembly.table.is_idle and collector.is_idle and not self._is_counting

    @property
    def _is_counting(self) -> bool:
        state = self.state
        return state.is_to_be_counted and state.counted is None and RETURN_DEVICE not in state.faults

    def _let_throats_empty(self) -> None:
        """A count that waits for the throats needs time, and on a moved clock nobody else gives it any."""
        if isinstance(self._clock, ManualClock) and self.assembly and self.assembly.performer.is_hushing:
            self._clock.advance(_STEP_S)

    async def _press(self, name: str) -> None:
        self.metal.press(name)
        await self.pass_time(PRESS_S)
        self.metal.release(name)
        await self.pass_time(PRESS_S)

    async def _end_tasks(self) -> Assembly:
        assert self.assembly is not None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks, assembly, self.assembly = [], self.assembly, None
        return assembly

    def raise_if_dead(self) -> None:
        """Raises what ended a part of the controller that must never end."""
        for task in self._tasks:
            if task.done():
                task.result()


def _metal(settings: TableSettings, pins: SimulatedPins, on_chip_in: Callable[[int], None]) -> SimulatedPanel:
    levels = settings.levels

    def wired(pin: Pin, *, active_high: bool) -> InputWiring:
        return InputWiring(pin, active_high=active_high, pull_up=levels.pull_up)

    def lamp(pin: Pin) -> SimulatedLamp:
        return SimulatedLamp(pin, active_high=levels.lights_active_high)

    seats: dict[int, SeatWiring] = {}
    for seat in settings.seats:
        match seat:
            case SlotSettings(beams=beams, gate=gate, light=light):
                wires = tuple(wired(pin, active_high=levels.beams_active_high) for pin in beams)
                seats[seat.seat] = SlotWiring(wires, gate, lamp(light), settings.emitters, settings.gates.hit)
            case SensorSettings(sensor=sensor, light=light):
                seats[seat.seat] = SensorWiring(wired(sensor, active_high=levels.sensors_active_high), lamp(light))
            case CcTalkSeatSettings():
                pass  # its acceptor is on a wire, not on pins; its light is not looked at
    wagers = {
        (seat.seat, side.wager): SensorWiring(
            wired(side.sensor, active_high=levels.sensors_active_high), lamp(side.light)
        )
        for seat in settings.seats
        for side in seat.side_wagers
    }
    bonus = settings.bonus_display.button if settings.bonus_display else None
    buttons = {LOCK_OUT: settings.lock_out, END_OF_ROUND: settings.end_of_round, BONUS_BUTTON: bonus}
    return SimulatedPanel(
        pins,
        seats=seats,
        buttons={
            name: wired(pin, active_high=levels.buttons_active_high) for name, pin in buttons.items() if pin is not None
        },
        key=wired(settings.supervisor_key or 0, active_high=levels.buttons_active_high),
        lamps={LOCK_OUT: lamp(settings.lock_out_lamp)},
        on_chip_in=on_chip_in,
        wagers=wagers,
    )
