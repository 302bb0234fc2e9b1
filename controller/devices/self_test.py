"""The technician's self-test: lights, gates, sensors and the return device, never while a round is open."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

from common.clock import Clock
from controller.devices.performer import DevicePerformer
from controller.settings.device_names import RETURN_DEVICE
from controller.table.loop import TableLoop
from drivers.light_patterns import Pattern
from drivers.ports import Acceptor, Lamp, ReturnDevice, ReturnFault
from flashing.paths import held
from games.refusal import Refusal
from games.round.state import Phase, RoundState
from games.round.step import at_boot

LIGHT_S: Final = 0.6
GATE_S: Final = 0.4
LISTEN_S: Final = 2.0
KINDS: Final = ("lights", "gates", "sensors", "return device")
ONLY_CLOSED: Final = Refusal("self-tests only while the table is closed")
BUSY: Final = Refusal("a technician is testing; wait until he is done")


class SelfTest:
    """Moves every part once, for a person to watch, and leaves the table as the book says."""

    def __init__(
        self,
        table: TableLoop,
        performer: DevicePerformer,
        clock: Clock,
        *,
        acceptors: Mapping[int, Acceptor],
        lights: Mapping[str, Lamp],
        return_device: ReturnDevice,
        held: Callable[[], str] = held,
    ) -> None:
        self._table, self._performer, self._clock = table, performer, clock
        self._acceptors, self._lights, self._return = acceptors, lights, return_device
        self._held = held
        self.running = ""

    def reserve(self, state: RoundState) -> Refusal | None:
        """Takes the table for a test, or says why not; asked at the turn of the event that announces the test."""
        if state.phase is not Phase.CLOSED:
            return ONLY_CLOSED
        if self.running:
            return BUSY
        self.running = "about to begin"
        return None

    def bars_opening(self, _state: RoundState) -> Refusal | None:
        """Why the table may not be opened now, or None."""
        if self.running:
            return BUSY
        flash = self._held()
        return Refusal(f"{flash}; wait until that has ended") if flash else None

    async def run(self, kind: str, told: Callable[[], None]) -> str:
        """Runs one of KINDS on a reserved table and says what came of it; told hears that something else is tested."""
        try:
            match kind:
                case "lights":
                    return await self._test_lights(told)
                case "gates":
                    return await self._test_gates(told)
                case "sensors":
                    return await self._test_sensors(told)
                case _:
                    return await self._test_return_device(told)
        finally:
            self._now("", told)
            for effect in at_boot(self._table.rules, self._table.state):
                self._performer.perform(effect)

    async def _test_lights(self, told: Callable[[], None]) -> str:
        for name, light in self._lights.items():
            self._now(name, told)
            light.show(Pattern.STEADY)
            await self._pause(LIGHT_S)
            light.show(Pattern.DARK)
        return f"{len(self._lights)} lights shone one after the other; did you see each of them?"

    async def _test_gates(self, told: Callable[[], None]) -> str:
        for seat, acceptor in self._acceptors.items():
            self._now(f"seat {seat} gate", told)
            acceptor.open()
            await self._pause(GATE_S)
            acceptor.shut()
        return f"{len(self._acceptors)} gates opened and shut; did you hear each of them?"

    async def _test_sensors(self, told: Callable[[], None]) -> str:
        self._now("sensors and buttons", told)
        for acceptor in self._acceptors.values():
            acceptor.retest()
        for control in self._performer.controls.values():
            control.retest()
        await self._pause(LISTEN_S)
        wrong = [device for device in self._table.state.faults if device != RETURN_DEVICE]
        return f"wrong: {', '.join(wrong)}" if wrong else "every sensor and button is at rest and quiet"

    async def _test_return_device(self, told: Callable[[], None]) -> str:
        self._now(RETURN_DEVICE, told)
        try:
            who, count = await self._return.identify(), await self._return.reading()
        except ReturnFault as fault:
            return f"{RETURN_DEVICE}: {fault.detail}"
        name = " ".join(filter(None, (who.maker, who.product, who.serial)))
        return f"{name} answers; its counter stands at {count.count}"

    def _now(self, what: str, told: Callable[[], None]) -> None:
        self.running = what
        told()

    async def _pause(self, seconds: float) -> None:
        over = asyncio.Event()
        self._clock.call_at(self._clock.now() + seconds, over.set)
        await over.wait()
