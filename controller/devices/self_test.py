"""The technician's self-test, part by part or each part once; never while a round is open."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from typing import Final

from common.clock import Clock
from controller.devices.performer import DevicePerformer
from controller.settings.device_names import RETURN_DEVICE, seat_device
from controller.table.loop import TableLoop
from drivers.light_patterns import Pattern
from drivers.ports import Acceptor, Lamp, ReturnDevice, ReturnFault
from drivers.recognise.wear import SeatHealth
from flashing.paths import held
from games.refusal import Refusal, because
from games.round.events import DeviceMended
from games.round.state import Phase, RoundState
from games.round.step import at_boot

LIGHT_S: Final = 0.6
GATE_S: Final = 0.4
LISTEN_S: Final = 2.0
MOTOR_S: Final = 0.3
CHIP_S: Final = 30.0
LOOK_S: Final = 0.1
KINDS: Final = ("lights", "gates", "sensors", "return device")
PULSE: Final = "pulse"
"""One lamp, gate or motor moves once."""
PAY: Final = "pay one chip"
MEASURE: Final = "measure"
"""One chip, which somebody drops, is measured on its way past the beams of a seat."""
ONLY_CLOSED: Final = because("test_only_closed")
BUSY: Final = because("test_running")


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
        health: Callable[[int], SeatHealth],
        chip_ms: tuple[float, float],
        held: Callable[[], str] = held,
    ) -> None:
        """chip_ms are the shortest and the longest that a chip breaks a beam."""
        self._table, self._performer, self._clock = table, performer, clock
        self._acceptors, self._lights, self._return = acceptors, lights, return_device
        self._health, self._chip_ms = health, chip_ms
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
        return because("flash_running", flash=flash) if flash else None

    def parts(self) -> dict[str, tuple[str, ...]]:
        """What each test of a single part can be asked of."""
        seats = tuple(f"seat {seat}" for seat in self._acceptors)
        gates = tuple(f"{seat} gate" for seat in seats)
        return {PULSE: (*self._lights, *gates, RETURN_DEVICE), PAY: (RETURN_DEVICE,), MEASURE: seats}

    def is_known(self, kind: str, part: str) -> bool:
        """Whether there is such a test."""
        return part in self.parts().get(kind, ()) or (kind in KINDS and not part)

    async def run(self, kind: str, told: Callable[[], None], part: str = "") -> str:
        """Runs a test on a reserved table and says what came of it; told hears that something else is tested."""
        try:
            match kind:
                case "pulse":
                    return await self._pulse(part, told)
                case "pay one chip":
                    return await self._pay_one(told)
                case "measure":
                    return await self._measure(int(part.removeprefix("seat ")), told)
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

    async def _pulse(self, part: str, told: Callable[[], None]) -> str:
        self._now(part, told)
        if part in self._lights:
            self._lights[part].show(Pattern.STEADY)
            await self._pause(LIGHT_S)
            self._lights[part].show(Pattern.DARK)
            return f"{part} shone for {LIGHT_S:g} s; did you see it?"
        if part == RETURN_DEVICE:
            return await self._turn_motor()
        acceptor = self._acceptors[int(part.split()[1])]
        acceptor.open()
        await self._pause(GATE_S)
        acceptor.shut()
        return f"{part} opened for {GATE_S:g} s; did you hear it?"

    async def _turn_motor(self) -> str:
        """Chips that come out meanwhile are counted, as in every test."""

        async def turn() -> None:
            with suppress(ReturnFault):  # that it was stopped before it was empty
                await self._return.empty(lambda _now: None)

        async def move() -> None:
            turning = asyncio.ensure_future(turn())
            await self._pause(MOTOR_S)
            await self._return.stop()
            await turning

        return await self._moved("its motor turned", move)

    async def _pay_one(self, told: Callable[[], None]) -> str:
        self._now(RETURN_DEVICE, told)

        async def move() -> None:
            await self._return.empty(lambda _now: None, most=1)

        return await self._moved("it was told to pay one chip", move)

    async def _moved(self, words: str, move: Callable[[], Awaitable[None]]) -> str:
        """What came out of the return device is in no count, and no longer inside."""
        if not self._performer.collector.is_idle:
            return f"{RETURN_DEVICE}: it is at work; try again when it stands still"
        if RETURN_DEVICE in self._table.state.faults:
            return f"{RETURN_DEVICE}: it has a fault; mend that first, and test it again"
        try:
            before = await self._return.reading()
            await move()
            chips = (await self._return.reading()).chips_since(before)
        except ReturnFault as fault:
            return f"{RETURN_DEVICE}: {fault.detail}"
        await self._table.ask(DeviceMended(RETURN_DEVICE, f"{words}; {chips} chips came out", chips))
        return f"{RETURN_DEVICE}: {words}; {chips} came out"

    async def _measure(self, seat: int, told: Callable[[], None]) -> str:
        """Opens one gate for one chip that the technician drops."""
        self._now(f"seat {seat}: drop a chip", told)
        acceptor, device = self._acceptors[seat], seat_device(seat)
        before = self._health(seat)
        acceptor.open()
        for _ in range(round(CHIP_S / LOOK_S)):
            await self._pause(LOOK_S)
            now = self._health(seat)
            if (now.chips, now.faults) != (before.chips, before.faults):
                break
        acceptor.shut()
        await self._pause(LOOK_S)
        return f"seat {seat}: " + ", ".join(self._passage(before, self._health(seat), device))

    def _passage(self, before: SeatHealth, after: SeatHealth, device: str) -> Iterator[str]:
        low_ms, high_ms = self._chip_ms
        pulses = after.pulses - before.pulses
        if device in self._table.state.faults:
            fault = self._table.state.faults[device]
            yield f"{fault.kind}: {fault.detail}"
        elif after.chips == before.chips:
            yield "something came that was taken for no chip" if pulses else f"no chip came within {CHIP_S:g} s"
        else:
            yield "a chip went in"
        if pulses:
            widths = " and ".join(f"{width:g} ms" for width in after.latest_ms[-min(pulses, 2) :])
            yield f"the beam was broken for {widths}; a chip takes {low_ms:g} to {high_ms:g} ms"
        if after.near_misses > before.near_misses:
            yield "that is close to a limit: look at [geometry] and at the beam"
        if after.chips > before.chips:
            yield "pay one chip to get it back"

    def _now(self, what: str, told: Callable[[], None]) -> None:
        self.running = what
        told()

    async def _pause(self, seconds: float) -> None:
        over = asyncio.Event()
        self._clock.call_at(self._clock.now() + seconds, over.set)
        await over.wait()
