"""The composition root of a table: every part is made here and handed what it needs."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from importlib.metadata import version
from itertools import count
from pathlib import Path
from socket import gethostname
from typing import Any, Final, Protocol

from msgspec.structs import replace

from common.board_health import BoardFiles
from common.clock import Clock, RealClock
from common.log import Log
from common.unix_http import CONTROL
from controller.devices.board_monitor import BoardMonitor
from controller.devices.performer import DevicePerformer
from controller.journal.journal import Journal
from controller.meter_link.client import MeterClient
from controller.meter_link.lights_report import LightsReport, page_address
from controller.meter_link.staff_copy import StaffCopy
from controller.meter_link.staff_link import StaffLink, TableLink
from controller.settings.cabinet import CABINET_DOOR, CLOCK_BATTERY
from controller.settings.device_names import (
    BONUS_BUTTON,
    END_OF_ROUND,
    JOURNAL,
    LOCK_OUT,
    LOCK_OUT_LAMP,
    RETURN_DEVICE,
    SUPERVISOR_KEY,
    seat_device,
    wager_device,
)
from controller.settings.pins import gates
from controller.settings.seats import CcTalkSeatSettings, SeatSettings, SensorSettings, SlotSettings
from controller.settings.table import ByEyeSettings, TableSettings
from controller.table.background_audit import audit
from controller.table.last_refusal import LastRefusal
from controller.table.loop import TableLoop
from controller.web.server import TableServer
from controller.web.view import TableView, view
from drivers import ports
from drivers.absent import AbsentReturn
from drivers.cctalk.acceptor_poller import SHUT_S, AcceptorPoller
from drivers.cctalk.bus import Bus, BusSettings
from drivers.cctalk.hopper import CcTalkHopper
from drivers.cctalk.settings import HopperSettings
from drivers.gpio.acceptor import SensorAcceptor, SlotAcceptor
from drivers.gpio.beam_proof import BeamProof
from drivers.gpio.button import Button, KeySwitch
from drivers.gpio.chip import GpioChip
from drivers.gpio.gate import GateDrive, HitSupply
from drivers.gpio.header import Pin
from drivers.gpio.light import GpioLight
from drivers.gpio.pins import InputWiring, PinRegistry
from drivers.gpio.return_device import GpioReturn
from drivers.mqtt.client import Listener, MqttClient, Outgoing
from drivers.mqtt.settings import BrokerSettings
from drivers.recognise.debounce import LATE_MS
from games.round.events import DeviceMended
from link import messages as link
from link.messages import Hello

FIRST_WAGER_CHANNEL: Final = 100
"""The channels below are those of the seats' acceptors."""

WIND_DOWN_S: Final = 5.0
"""Longer than the slowest lawful chip takes, and well within systemd's patience."""


class Connection(Protocol):
    """The part of a pipe that a table needs."""

    async def run(self, listener: Listener) -> None: ...

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None: ...


class Connect(Protocol):
    """How a connection to the broker is made."""

    def __call__(
        self, broker: BrokerSettings, client_id: str, /, *, topics: Sequence[str], will: Outgoing, largest_bytes: int
    ) -> Connection: ...


class Assembly:
    """One table, put together and ready to run in the current loop."""

    def __init__(
        self,
        settings: TableSettings,
        metal: GpioChip,
        *,
        clock: Clock,
        log: Log,
        connect: Connect = MqttClient,
        board: BoardFiles | None = None,
    ) -> None:
        loop = asyncio.get_running_loop()
        self.settings, self._log, self._connect = settings, log.bind(table=settings.table), connect
        self._board = PinRegistry(metal.pins, clock=clock, loop=loop, report=self._report, pin_errors=metal.errors)
        self._devices: list[Any] = []
        # First of all: the emitters take a moment to come up, and the journal is opened meanwhile.
        self._proof = None if settings.emitters is None else self._keep(BeamProof(self._board, settings.emitters))
        folder = Path(settings.state_dir)
        folder.mkdir(parents=True, exist_ok=True)
        journal = Journal.open(folder / "journal.db", rehearsal=settings.rehearsal)
        self.table = TableLoop(settings.rules, journal, clock, self._log)
        self.monitor = BoardMonitor(self.table, clock, board, folder, settings.cabinet)
        self._last_refusal = LastRefusal(self.table.state.phase, clock)
        self.table.watch(self._last_refusal.note)
        self.client = self._make_client(RealClock(loop))
        self._buses: dict[str, Bus] = {}
        self.return_device = self._make_return_device()
        self._chain = self._make_chain(clock)
        hit, hit_ms = settings.gates.hit, settings.gates.hit_ms
        supply = None if hit is None else self._keep(HitSupply(self._board, hit, hit_ms))
        self._drive = GateDrive(settings.gates, supply)
        if self._proof is not None:
            self._proof.wait_until_up()
        self._acceptors = {seat.seat: self._keep(self._acceptor(seat)) for seat in settings.seats}
        self._lights = {seat.seat: self._light(f"seat {seat.seat} light", seat.light) for seat in settings.seats}
        self._lamp = self._light(LOCK_OUT_LAMP, settings.lock_out_lamp)
        self.performer = self._fit(clock)
        wager_lights = self._fit_wager_sensors()
        self.link = TableLink(self.client, self._make_staff_link(clock, log), self._make_lights_report())
        self.web_server = TableServer(
            settings,
            self.table,
            self.performer,
            clock=clock,
            link=self.link,
            look=self.look,
            acceptors=self._acceptors,
            lights={f"seat {seat} light": light for seat, light in self._lights.items()}
            | wager_lights
            | {LOCK_OUT_LAMP: self._lamp},
            return_device=self.return_device,
            pins=metal.pins,
        )
        for fault in self.web_server.sign.faults:
            log.warning("sign_falls_back", reason=fault)

    @property
    def port(self) -> int:
        """Where the pages are served on loopback."""
        return self.web_server.port

    @property
    def control(self) -> Path:
        """Where programs find the control interface."""
        return Path(self.settings.state_dir) / CONTROL

    def look(self, language: str = "") -> TableView:
        """The table as people see it, in this language or the panel's own."""
        seen = view(
            self.settings.table,
            self.table,
            self.client.view(),
            self._last_refusal.known,
            self.web_server.words.of(language),
            rehearsal=self.settings.rehearsal,
        )
        health = {seat: acceptor.health for seat, acceptor in self._acceptors.items()}
        monitor = self.monitor
        return replace(
            seen,
            health=health,
            refused_ms=self._last_refusal.at_ms,
            board=monitor.health,
            board_alarms=monitor.alarms,
        )

    def parts(self) -> list[Coroutine[Any, Any, None]]:
        """Everything that runs for ever."""
        mqtt = self._connect(
            self.settings.broker.known_as(self.settings.table),
            # Two boards of one name would push each other off the broker; so the meter can tell the second one why not.
            f"{self.settings.table}-{self.table.journal.id[:8]}",
            topics=self.link.topics,
            will=self.client.will,
            largest_bytes=link.MAX_STAFF_BYTES,
        )
        return [
            self.table.run(self.performer),
            audit(self.table),
            self.monitor.run(),
            self.performer.collector.run(),
            mqtt.run(self.link),
            self.link.staff.run(mqtt),
            self.link.lights.run(mqtt),
            self.client.run(mqtt),
            *([self._chain.run()] if self._chain else []),
        ]

    async def start(self) -> None:
        """Opens the web server and has every known fault, and the return device, tested again."""
        await self.web_server.open()
        for device in self.table.state.faults:
            if device in (JOURNAL, RETURN_DEVICE):
                continue  # audit and collector look at these; no motor turns that nobody asked for
            if self.performer.has(device):
                self.performer.retest(device)
            else:
                self.table.post(DeviceMended(device))  # what is fitted no longer is not broken
        self.performer.collector.look()

    async def wind_down(self) -> None:
        """Shuts the gates while everything still runs, and gives what is under way the time to be written down."""
        with suppress(TimeoutError):  # a disk that hangs must not keep the table from stopping
            async with asyncio.timeout(WIND_DOWN_S):
                await self.performer.leave()

    async def stop(self) -> None:
        """Shuts the gates, stills the return device and leaves the journal clean."""
        self.performer.make_safe()
        if self._chain is not None:
            await self._chain.stop()
        await self.performer.collector.stop()
        try:
            await self.power_off()
        finally:
            self.table.close()

    async def power_off(self) -> None:
        """Lets go of pins, ports and sockets as the end of the process would; one that will not go keeps no other."""
        async with AsyncExitStack() as last_to_first:
            for bus in self._buses.values():
                last_to_first.push_async_callback(bus.close)
            for device in reversed(self._devices):
                last_to_first.callback(device.close)
            last_to_first.push_async_callback(self.web_server.close)

    def _report(self, signal: ports.Signal) -> None:
        self.performer.report(signal)

    def _make_staff_link(self, clock: Clock, log: Log) -> StaffLink:
        settings = self.settings
        copy = StaffCopy(Path(settings.state_dir), settings.link.staff_key)
        return StaffLink(
            copy,
            link=settings.link.name,
            table=settings.table,
            journal=self.table.journal.id,
            wall_ms=clock.wall_ms,
            log=log,
        )

    def _make_lights_report(self) -> LightsReport:
        settings = self.settings
        return LightsReport(
            self.table,
            link=settings.link.name,
            name=settings.table,
            page=lambda: page_address(settings.panel.tls, self.port, gethostname()),
        )

    def _make_client(self, clock: Clock) -> MeterClient:
        settings = self.settings
        hello = Hello(
            v=link.VERSION,
            table=settings.table,
            journal=self.table.journal.id,
            game=settings.game,
            pay_table=settings.pay_table,
            stake_cents=settings.stake_cents,
            seats=len(settings.seats),
            next_seq=1,
            software=version("pitlink"),
            rehearsal=settings.rehearsal,
            connection_sign=settings.choices.connection_sign,
            config_hash=settings.config_hash,
            decks=settings.choices.decks or 0,
            pays=settings.meter_pays,
        )
        return MeterClient(
            self.table, hello, link_name=settings.link.name, loss_s=settings.link.loss_s, clock=clock, log=self._log
        )

    def _make_return_device(self) -> ports.ReturnDevice:
        settings = self.settings.return_device
        if isinstance(settings, HopperSettings):
            return CcTalkHopper(settings, self._bus(settings.wire), self._note_reset)
        if isinstance(settings, ByEyeSettings):
            return AbsentReturn()
        device = GpioReturn(self._board, settings, epoch=f"{self.table.journal.id} run {self.table.journal.boot}")
        self._devices.append(device)
        return device

    def _note_reset(self, detail: str) -> None:
        self._log.warning("return_device_reset", detail=detail)

    def _make_chain(self, clock: Clock) -> AcceptorPoller | None:
        wire = self.settings.acceptor_wire
        return None if wire is None else AcceptorPoller(self._bus(wire), clock, self._report)

    def _bus(self, wire: BusSettings) -> Bus:
        """One for each port: who shares a wire takes turns."""
        return self._buses.setdefault(wire.port, Bus(wire))

    def _fit(self, clock: Clock) -> DevicePerformer:
        settings, levels = self.settings, self.settings.levels
        performer = DevicePerformer(
            self.table,
            clock,
            acceptors=self._acceptors,
            drop_gates=partial(self._board.lower, gates(settings)),
            lights=self._lights,
            lamp=self._lamp,
            return_device=self.return_device,
            one_button=settings.end_of_round is None,
            throat_s=max(_throat_s(settings), SHUT_S if self._chain else 0),
            wake_meter=self.client.wake,
        )
        performer.prove_beams = self._prove_beams if self._proof else None
        timings, board = settings.timing.button, self._board
        wire = InputWiring(settings.lock_out, active_high=levels.buttons_active_high, pull_up=levels.pull_up)
        performer.controls[LOCK_OUT] = self._keep(
            Button(
                board,
                LOCK_OUT,
                wire,
                on_touch=performer.lock_out_touched,
                on_false_touch=performer.stand_as_booked,
                timings=timings,
            )
        )
        if settings.end_of_round is not None:
            wire = InputWiring(settings.end_of_round, active_high=levels.buttons_active_high, pull_up=levels.pull_up)
            performer.controls[END_OF_ROUND] = self._keep(Button(board, END_OF_ROUND, wire, timings=timings))
        if settings.bonus_display is not None:
            button, performer.bonus_amounts = settings.bonus_display.button, settings.bonus_display.amounts
            wire = InputWiring(button, active_high=levels.buttons_active_high, pull_up=levels.pull_up)
            performer.controls[BONUS_BUTTON] = self._keep(Button(board, BONUS_BUTTON, wire, timings=timings))
        if settings.supervisor_key is not None:
            wire = InputWiring(settings.supervisor_key, active_high=levels.buttons_active_high, pull_up=levels.pull_up)
            performer.controls[SUPERVISOR_KEY] = self._keep(KeySwitch(board, SUPERVISOR_KEY, wire, timings=timings))
        performer.cabinet_contact = self.monitor.hear_contact
        for name, pin in ((CABINET_DOOR, settings.cabinet.door), (CLOCK_BATTERY, settings.cabinet.clock_battery)):
            if pin is not None:
                wire = InputWiring(pin, active_high=levels.buttons_active_high, pull_up=levels.pull_up)
                performer.controls[name] = self._keep(KeySwitch(board, name, wire, timings=timings))
        return performer

    def _acceptor(self, seat: SeatSettings) -> ports.Acceptor:
        device, levels, timing = seat_device(seat.seat), self.settings.levels, self.settings.timing
        match seat:
            case SlotSettings(beams=beams, gate=gate):
                wires = [
                    InputWiring(pin, active_high=levels.beams_active_high, pull_up=levels.pull_up) for pin in beams
                ]
                return SlotAcceptor(
                    self._board,
                    device,
                    channel=seat.seat,
                    beams=wires,
                    gate=gate,
                    drive=self._drive,
                    timings=timing.slot,
                    geometry=self.settings.geometry,
                )
            case CcTalkSeatSettings(place=place):
                assert self._chain is not None
                return self._chain.add(device, place, seat.seat)
            case SensorSettings(sensor=pin):
                wager = self.table.state.wagers.get(seat.seat)
                return SensorAcceptor(
                    self._board,
                    device,
                    channel=seat.seat,
                    sensor=InputWiring(pin, active_high=levels.sensors_active_high, pull_up=levels.pull_up),
                    has_chip=wager is not None and not wager.coupon,
                    timings=timing.sensor,
                )

    def _fit_wager_sensors(self) -> dict[str, GpioLight]:
        """The sensors of side wagers, each heard on a channel of its own, and their lights by name."""
        levels, lights, channels = self.settings.levels, dict[str, GpioLight](), count(FIRST_WAGER_CHANNEL)
        for seat in self.settings.seats:
            for side in seat.side_wagers:
                device, channel = wager_device(seat.seat, side.wager), next(channels)
                sensor = SensorAcceptor(
                    self._board,
                    device,
                    channel=channel,
                    sensor=InputWiring(side.sensor, active_high=levels.sensors_active_high, pull_up=levels.pull_up),
                    has_chip=side.wager in self.table.state.sensed.get(seat.seat, ()),
                    timings=self.settings.timing.sensor,
                )
                light = self._light(f"{device}'s light", side.light)
                lights[f"{device}'s light"] = light
                self.performer.fit_wager_sensor(channel, seat.seat, side.wager, self._keep(sensor), light)
        return lights

    def _prove_beams(self, then: Callable[[], None]) -> None:
        """Proves every slot, unless a chip may come: one that falls past dark emitters is not seen."""
        slots = [acceptor for acceptor in self._acceptors.values() if isinstance(acceptor, SlotAcceptor)]
        if self._proof is None or any(slot.is_open or slot.is_busy for slot in slots):
            then()
        else:
            self._proof.run(slots, then)

    def _light(self, device: str, pin: Pin) -> GpioLight:
        light = GpioLight(self._board, device, pin, active_high=self.settings.levels.lights_active_high)
        self._devices.append(light)
        return light

    def _keep(self, device: Any) -> Any:
        self._devices.append(device)
        return device


def _throat_s(settings: TableSettings) -> float:
    """The longest a lawful chip needs from the gate past the last beam, and to be heard there."""
    timings = settings.timing.slot
    return (timings.in_flight_ms + 2 * timings.max_chip_ms + LATE_MS) / 1000
