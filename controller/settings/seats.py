"""The seats of a table as its settings give them: where chips go in, and where the light is."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from common.settings import Section
from drivers.cctalk.acceptor import AcceptorAddress
from drivers.cctalk.bus import BusSettings
from drivers.cctalk.settings import HopperSettings, check_addresses, read_acceptor, read_wire
from drivers.gpio.gate import GateSettings
from drivers.gpio.header import Pin
from drivers.gpio.settings import read_moving_pin, read_pin, read_pins
from drivers.recognise.geometry import Geometry
from games.game import Game
from games.round.table_rules import TableRules

_LIMITS: Final = {
    "diameter_mm": (15, 200),
    "thickness_mm": (1, 10),
    "chute_mm": (1, 20),
    "drop_mm": (1, 500),
    "beam_gap_mm": (1, 100),
    "beam_offset_mm": (0, 100),
    "push_mm_s": (0, 3000),
    "slowest_fall": (0.05, 1),
}
KINDS: Final = ("slot", "sensor", "cctalk")


class WagerSensorSettings(Struct, frozen=True):
    """A side wager whose chip rests on a sensor of its own at the seat, with a light of its own."""

    wager: str
    sensor: Pin
    light: Pin


class SlotSettings(Struct, frozen=True):
    """A seat whose chip passes one or two beams behind a gate."""

    seat: int
    beams: tuple[Pin, ...]
    gate: int
    light: Pin
    side_wagers: tuple[WagerSensorSettings, ...] = ()
    kind: Literal["slot"] = "slot"


class SensorSettings(Struct, frozen=True):
    """A seat whose chip rests on a sensor."""

    seat: int
    sensor: Pin
    light: Pin
    side_wagers: tuple[WagerSensorSettings, ...] = ()
    kind: Literal["sensor"] = "sensor"


class CcTalkSeatSettings(Struct, frozen=True):
    """A seat whose acceptor is on a serial wire."""

    seat: int
    place: AcceptorAddress
    light: Pin
    side_wagers: tuple[WagerSensorSettings, ...] = ()
    kind: Literal["cctalk"] = "cctalk"


SeatSettings: TypeAlias = SlotSettings | SensorSettings | CcTalkSeatSettings


def read_seats(root: Section, game: Game) -> tuple[SeatSettings, ...]:
    """Reads every [[seat]]."""
    sections = root.sections("seat")
    seats = [_read_seat(section, game) for section in sections]
    numbers = [seat.seat for seat in seats]
    for section, seat in zip(sections, seats, strict=True):
        if numbers.count(seat.seat) > 1:
            section.fault("number", f"seat {seat.seat} stands there more than once; number the seats 1, 2, 3 …")
    if not seats:
        root.fault("seat", "missing; add one [[seat]] with number, acceptor and light for each position")
    return tuple(seats)


def check_wager_sensors(root: Section, seats: tuple[SeatSettings, ...], rules: TableRules) -> None:
    """A sensor for a wager that this table does not take, or that one sensor cannot tell, is a fault."""
    for number, seat in enumerate(seats, start=1):
        names = [side.wager for side in seat.side_wagers]
        for place, name in enumerate(names, start=1):
            key = f"seat[{number}].side_wager[{place}].wager"
            if not root.is_sound(key):
                continue
            if name == "number":
                root.fault(key, "a number wager lies on one of seven numbers: the dealer taps it; remove its sensor")
            elif rules.layout_wager(name) is None:
                known = ", ".join(wager.name for wager in rules.layout_wagers if wager.name != "number")
                offers = f"write one of {known}" if known else "it has none: remove [[seat.side_wager]]"
                root.fault(key, f"this table has no such side wager; {offers}, or add it to table.wagers", value=name)
            elif names.index(name) != place - 1:
                root.fault(key, f"seat {seat.seat} has two sensors for the {name} wager; remove one", value=name)


def read_geometry(section: Section, seats: tuple[SeatSettings, ...]) -> Geometry:
    """Reads [geometry]; a slot built so that it counts wrong is a fault where there are slots."""
    usual = Geometry()
    geometry = Geometry(
        **{key: section.number(key, getattr(usual, key), low=low, high=high) for key, (low, high) in _LIMITS.items()}
    )
    beams = [len(seat.beams) for seat in seats if isinstance(seat, SlotSettings)]
    if all(section.is_sound(key) for key in _LIMITS):
        for key, problem in geometry.problems(min(beams)) if beams else ():
            section.fault(key, problem, value=getattr(geometry, key))
    return geometry


def read_gates(section: Section) -> GateSettings:
    """Reads [gates]; a solenoid of less than full duty must be given a limit, and one of full duty needs none."""
    usual = GateSettings()
    settings = GateSettings(
        hit=read_moving_pin(section, "hit") if section.has("hit") else None,
        hit_ms=section.number("hit_ms", usual.hit_ms, low=10, high=1000),
        duty=section.number("duty", usual.duty, low=0.05, high=1),
        longest_hold_s=section.number("longest_hold_s", low=1, high=3600) if section.has("longest_hold_s") else None,
    )
    if settings.duty < 1 and settings.longest_hold_s is None and section.is_sound("duty"):
        section.fault("duty", "a solenoid of less than full duty must not be held for ever; add longest_hold_s")
    if settings.duty == 1 and settings.longest_hold_s is not None:
        section.fault(
            "longest_hold_s", "with duty = 1 it may be held for ever; write the solenoid's duty, or leave this out"
        )
    return settings


def read_acceptor_wire(
    root: Section, seats: tuple[SeatSettings, ...], hopper: HopperSettings | None
) -> BusSettings | None:
    """Reads [acceptors], where a seat needs it, and gives each device of the wire an address of its own."""
    addresses = {
        f"seat[{number}].address": seat.place.address
        for number, seat in enumerate(seats, start=1)
        if isinstance(seat, CcTalkSeatSettings)
    }
    if not addresses:
        return None
    wire = read_wire(root.section("acceptors"), hopper.wire if hopper else None)
    if hopper is not None and hopper.port == wire.port:
        addresses = {"return_device.address": hopper.address} | addresses
    check_addresses(root, addresses)
    return wire


def _read_seat(section: Section, game: Game) -> SeatSettings:
    number = section.whole("number", low=1, high=game.most_seats)
    side = tuple(
        WagerSensorSettings(
            part.text("wager", pattern=r"[a-z_]{1,32}", meaning="a wager such as bonus"),
            read_pin(part, "sensor"),
            read_pin(part, "light"),
        )
        for part in section.sections("side_wager")
    )
    match section.choice("acceptor", KINDS):
        case "sensor":
            return SensorSettings(number, read_pin(section, "sensor"), read_pin(section, "light"), side)
        case "cctalk":
            return CcTalkSeatSettings(number, read_acceptor(section), read_pin(section, "light"), side)
        case _:
            beams = read_pins(section, "beams", most=2)
            return SlotSettings(number, beams, read_moving_pin(section, "gate"), read_pin(section, "light"), side)
