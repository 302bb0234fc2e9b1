"""A table's settings: TOML into one frozen value, or every fault at once."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct, convert
from msgspec.structs import asdict

from common.paper_settings import PaperSettings, read_papers
from common.settings import Section, SettingsError, SettingsFile, open_settings
from common.tls import LOOPBACK, PagesTls, read_tls
from common.words import CURRENCIES, DOLLARS, ENGLISH, LANGUAGES
from controller.settings.cabinet import CabinetSettings, read_cabinet
from controller.settings.house_choices import HouseChoices, read_choices
from controller.settings.pins import check_pins
from controller.settings.seats import (
    SeatSettings,
    check_wager_sensors,
    read_acceptor_wire,
    read_gates,
    read_geometry,
    read_seats,
)
from controller.settings.sign import SignSettings, read_sign
from drivers.cctalk.bus import BusSettings
from drivers.cctalk.settings import HopperSettings, read_hopper
from drivers.gpio.gate import GateSettings
from drivers.gpio.header import Pin
from drivers.gpio.return_device import GpioReturnSettings
from drivers.gpio.settings import GpioSettings, read_gpio, read_moving_pin, read_pin
from drivers.mqtt.settings import BrokerSettings, read_broker, refuse_names_of_others
from drivers.recognise.chip_outlet import OutletTimings
from drivers.recognise.debounce import BUTTON_TIMINGS, SENSOR_TIMINGS, SLOT_TIMINGS, Timings
from drivers.recognise.geometry import BY_GEOMETRY, Geometry
from flashing.fleet.settings import FleetAddress, read_address
from games.catalogue import GAMES
from games.catalogue.blackjack import insurance_table
from games.compliance import TableCase, table_faults
from games.game import Game
from games.money import Cents
from games.odds.bets import USUAL_DECKS
from games.paytable import PayTable, raised, written
from games.round.table_rules import TableRules

PANEL_TLS_PORT: Final = 8443


class PanelSettings(Struct, frozen=True):
    """Where the control interface and the pages listen: on loopback, and elsewhere only with TLS; what they speak."""

    host: str
    port: int
    remote_validation: bool = False
    tls: PagesTls | None = None
    language: str = ENGLISH


def read_panel(section: Section) -> PanelSettings:
    """Reads [panel]."""
    return PanelSettings(
        host=section.choice("host", LOOPBACK, LOOPBACK[0]),
        port=section.whole("port", 8080, low=0, high=65_535),
        remote_validation=section.flag("remote_validation", default=False),
        tls=read_tls(section, port=PANEL_TLS_PORT),
        language=section.choice("language", tuple(LANGUAGES), ENGLISH),
    )


_STAFF_KEY: Final = "the 128 hexadecimal digits that pitlink staff key prints at the meter"
ID_PATTERN: Final = r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}"


class ByEyeSettings(Struct, frozen=True):
    """No return device: the chips stay in sight, and the dealer's press is his word that one lies at each light."""

    kind: Literal["by_eye"] = "by_eye"


ReturnSettings: TypeAlias = HopperSettings | GpioReturnSettings | ByEyeSettings


class LevelSettings(Struct, frozen=True):
    """Which level means active; gates and motors are always active high, so that dead is shut and still."""

    beams_active_high: bool
    sensors_active_high: bool
    buttons_active_high: bool
    lights_active_high: bool
    pull_up: bool


class TimingSettings(Struct, frozen=True):
    """How long things take at each kind of input."""

    slot: Timings  # as the geometry has it
    sensor: Timings
    button: Timings


class LinkSettings(Struct, frozen=True):
    """Which link this table belongs to, what happens when it is lost, and whose staff directory counts here."""

    name: str
    loss_s: float
    when_lost: str
    staff_key: str = ""
    staff_stale_days: int = 7


MOST_DISPLAYED_CENTS: Final = 10_000_000_00


class BonusDisplaySettings(Struct, frozen=True):
    """The bonus button, and what the display may show by the cents of the wager; repeated amounts are likelier."""

    button: Pin
    amounts: Mapping[Cents, tuple[Cents, ...]]


class TableSettings(Struct, frozen=True):
    """Everything a table daemon is told."""

    table: str
    game: str
    pay_table: str
    stake_cents: Cents
    state_dir: str
    rehearsal: bool
    seats: tuple[SeatSettings, ...]
    lock_out: Pin
    lock_out_lamp: Pin
    end_of_round: Pin | None
    supervisor_key: Pin | None
    bonus_display: BonusDisplaySettings | None
    return_device: ReturnSettings
    geometry: Geometry
    timing: TimingSettings
    levels: LevelSettings
    link: LinkSettings
    broker: BrokerSettings
    panel: PanelSettings
    currency: str = DOLLARS
    settlement: str = "player_by_player"
    choices: HouseChoices = HouseChoices()
    gpio: GpioSettings = GpioSettings()
    acceptor_wire: BusSettings | None = None
    emitters: Pin | None = None
    gates: GateSettings = GateSettings()
    papers: PaperSettings = PaperSettings()
    sign: SignSettings = SignSettings()
    cabinet: CabinetSettings = CabinetSettings()
    fleet: FleetAddress | None = None

    @property
    def rules(self) -> TableRules:
        """What binds this table's round."""
        game = GAMES[self.game]
        pay_table = game.progressive.pay_table(self.pay_table, self.stake_cents) if game.progressive else None
        assert pay_table is not None
        return TableRules(
            game=game,
            pay_table=raised(pay_table, self.choices.pays.get("progressive", {})),
            side_tables=dict(_side_tables(game, self.choices, self.stake_cents)),
            minimums=self.choices.minimums,
            limits=self.choices.limits,
            limits_before=self.choices.limits_before,
            choices=self.choices.of_the_round,
            names_will_do=self.choices.names_will_do,
            stake_cents=self.stake_cents,
            seats=tuple(sorted(seat.seat for seat in self.seats)),
            sensors=tuple((seat.seat, side.wager) for seat in self.seats for side in seat.side_wagers),
            decks=self.choices.decks or min(USUAL_DECKS, game.most_decks),
            offers=(*self.choices.wagers, *self.choices.multiple_action_offers),
            settlement=self.settlement,
            by_eye=isinstance(self.return_device, ByEyeSettings),
            supervisor_key=self.supervisor_key is not None,
            queue_when_link_lost=self.link.when_lost == "queue",
        )

    @property
    def meter_pays(self) -> dict[str, int | str]:
        """What this house pays from the meter otherwise than the rule lists it, as settings write it."""
        chosen, lines = self.choices.pays.get("progressive", {}), self.rules.pay_table.lines
        return {line.hand: written(line.pay) for line in lines if line.deducted and line.hand in chosen}

    @property
    def case(self) -> TableCase:
        """What compliance asks of this table."""
        return TableCase(self.game, self.pay_table, self.stake_cents, seats=len(self.seats), **asdict(self.choices))

    @property
    def config_hash(self) -> str:
        """What an authority approves of this table (R98), as a SHA-256: a meter may insist on it."""
        return hashlib.sha256(msgspec.json.encode(self.case, enc_hook=str, order="sorted")).hexdigest()


def _side_tables(game: Game, choices: HouseChoices, stake_cents: Cents) -> Iterator[tuple[str, PayTable]]:
    """The pay table of each side wager on offer, with what the house pays above it."""
    for name in choices.wagers:
        wager = game.wager(name)
        if wager is not None and wager.tables:
            chosen = choices.pay_tables.get(name, wager.pay_table_names[0])
            table = wager.pay_table(wager.table_called(chosen), stake_cents)
            if table is not None:
                yield name, raised(table, choices.pays.get(name, {}))
    for name in choices.multiple_action_offers:
        if choices.insurance_to_one:
            yield name, insurance_table(choices.insurance_to_one)


def load(path: Path) -> TableSettings:
    """Reads a table's settings file; raises SettingsError with every fault in it."""
    file = open_settings(path)
    file.expect("table", not_other="store", advice="this looks like a meter's settings; use pitlink meter")
    return read(file)


def state_dir_of(path: Path) -> Path:
    """The state directory that a settings file names; the rest of it is not judged."""
    file = open_settings(path)
    table = file.root.section("table")
    state_dir = Path(_state_dir(table, _id(table)))
    if file.faults:
        raise SettingsError(file.faults)
    return state_dir


def read(file: SettingsFile) -> TableSettings:
    """Reads a table's settings; raises SettingsError with every fault in them."""
    settings = survey(file)
    file.finish()
    return settings


def survey(file: SettingsFile) -> TableSettings:
    """Reads as far as it goes: what is wrong stands in the file's faults, and under a faulty key anything."""
    settings = _read(file.root)
    check_pins(file.root, settings)
    _check_rules(file.root, settings)
    if all(file.root.is_sound(f"table.{key}") for key in ("game", "pay_table", "stake_cents")):
        check_wager_sensors(file.root, settings.seats, settings.rules)
    return settings


def _check_rules(root: Section, settings: TableSettings) -> None:
    """A table with a fault against the rules does not open."""
    if not root.is_sound("table.game"):
        return
    placed = [
        ("seat" if fault.key == "seats" else f"table.{fault.key}", fault) for fault in table_faults(settings.case)
    ]
    for key, fault in [(key, fault) for key, fault in placed if root.is_sound(key)]:
        root.fault(key, str(fault), fault.rule, value=fault.value if key == "seat" else None)


def _id(table: Section) -> str:
    return table.text("id", pattern=ID_PATTERN, meaning="letters, digits, - or _, at most 32")


def _state_dir(table: Section, name: str) -> str:
    return table.text("state_dir", f"/var/lib/pitlink/{name}", meaning="a directory for the journal")


def _read(root: Section) -> TableSettings:
    table, panel, link = root.section("table"), root.section("panel"), root.section("link")
    lock_out, supervisor = root.section("lock_out"), root.section("supervisor")
    name = _id(table)
    refuse_names_of_others(table, "id", [name])
    game, pay_table, stake = _read_game(table)
    returns = root.section("return_device")
    seats, return_device = read_seats(root, game), _read_return(returns, game)
    hopper = return_device if isinstance(return_device, HopperSettings) else None
    geometry = read_geometry(root.section("geometry"), seats)
    _check_fit(returns, geometry)
    broker = read_broker(root.section("broker"), identities=[name])
    return TableSettings(
        table=name,
        game=game.name,
        pay_table=pay_table,
        stake_cents=stake,
        state_dir=_state_dir(table, name),
        rehearsal=table.flag("rehearsal", default=False),
        seats=seats,
        lock_out=read_pin(lock_out, "button"),
        lock_out_lamp=read_pin(lock_out, "lamp"),
        end_of_round=_optional_pin(root.section("end_of_round"), "button"),
        supervisor_key=_optional_pin(supervisor, "key"),
        bonus_display=_read_bonus_display(root.section("bonus_display"), game),
        return_device=return_device,
        geometry=geometry,
        timing=_read_timing(root.section("timing"), geometry),
        levels=_read_levels(root.section("levels")),
        link=LinkSettings(
            name=link.text("name", pattern=ID_PATTERN, meaning="the link's name"),
            loss_s=link.number("loss_s", 5.0, low=2.0, high=60.0),
            when_lost=link.choice("when_lost", ("close", "queue"), "close"),
            staff_key=link.optional_text("staff_key", pattern="[0-9a-f]{128}", meaning=_STAFF_KEY) or "",
            staff_stale_days=link.whole("staff_stale_days", 7, low=0, high=365),
        ),
        broker=broker,
        panel=read_panel(panel),
        currency=table.choice("currency", tuple(CURRENCIES), DOLLARS),
        settlement=table.choice("settlement", tuple(game.settlement), next(iter(game.settlement))),
        choices=read_choices(table),
        gpio=read_gpio(root.section("gpio")),
        acceptor_wire=read_acceptor_wire(root, seats, hopper),
        emitters=_optional_pin(root.section("beams"), "emitters"),
        gates=read_gates(root.section("gates")),
        papers=read_papers(root.section("papers")),
        sign=read_sign(root.section("sign")),
        cabinet=read_cabinet(root.section("cabinet")),
        fleet=_read_fleet(root, broker),
    )


def _read_fleet(root: Section, broker: BrokerSettings) -> FleetAddress | None:
    """A board shows the fleet server the certificate that it shows the broker."""
    if not root.has("fleet"):
        return None
    if broker.tls is None:
        root.fault("fleet", "needs the board's certificate; add [broker.tls] with ca, certificate and key")
    return read_address(root.section("fleet"))


def _read_game(table: Section) -> tuple[Game, str, Cents]:
    game = GAMES[table.choice("game", tuple(GAMES))]
    wager = game.progressive
    assert wager is not None
    pay_table = table.choice("pay_table", wager.pay_table_names)
    return game, pay_table, table.whole("stake_cents", wager.stakes[0], low=1, high=100_00)


def _read_return(section: Section, game: Game) -> ReturnSettings:
    match section.choice("kind", ("cctalk", "gpio", "by_eye")):
        case "gpio":
            return _read_gpio_return(section)
        case "by_eye":
            return _read_by_eye(section, game)
        case _:
            return read_hopper(section)


def _check_fit(section: Section, geometry: Geometry) -> None:
    """A return device whose largest chip is known must take this table's."""
    if not section.has("largest_chip_mm"):
        return
    largest = section.number("largest_chip_mm", low=15, high=200)
    if section.is_sound("largest_chip_mm") and largest < geometry.diameter_mm:
        problem = f"chips of {geometry.diameter_mm:g} mm jam in it: most coin hoppers end at 33 mm"
        section.fault("largest_chip_mm", f"{problem}; take one for chips, or correct geometry.diameter_mm")


def _read_gpio_return(section: Section) -> GpioReturnSettings:
    usual = OutletTimings()
    jam_ms = section.number("jam_ms", usual.jam_ms, low=100, high=10_000)
    timings = OutletTimings(
        settle_ms=section.number("settle_ms", usual.settle_ms, low=0, high=50),
        longest_pulse_ms=section.number("longest_pulse_ms", jam_ms, low=5, high=10_000),
        jam_ms=jam_ms,
        empty_ms=section.number("empty_ms", usual.empty_ms, low=200, high=60_000),
        most_chips=section.whole("most_chips", usual.most_chips, low=1, high=1000),
        reread_ms=section.number("reread_ms", usual.reread_ms, low=10, high=500),
    )
    if timings.longest_pulse_ms > timings.jam_ms:
        section.fault("longest_pulse_ms", f"must not exceed jam_ms ({timings.jam_ms:g}); write the hopper's coin pulse")
    if timings.reread_ms <= timings.settle_ms:
        section.fault("reread_ms", "reread_ms must exceed settle_ms")
    return GpioReturnSettings(
        motor=read_moving_pin(section, "motor"),
        beam=read_pin(section, "beam"),
        beam_active_high=section.flag("beam_active_high", default=True),
        pull_up=section.flag("pull_up", default=True),
        timings=timings,
    )


def _read_by_eye(section: Section, game: Game) -> ByEyeSettings:
    if game.order == "lock_then_count":
        problem = f"{game.title} takes its chips from a return device once wagers are locked; write cctalk or gpio"
        section.fault("kind", problem, game.clauses["order"])
    return ByEyeSettings()


def _read_levels(section: Section) -> LevelSettings:
    return LevelSettings(
        beams_active_high=section.flag("beams_active_high", default=True),
        sensors_active_high=section.flag("sensors_active_high", default=False),
        buttons_active_high=section.flag("buttons_active_high", default=False),
        lights_active_high=section.flag("lights_active_high", default=True),
        pull_up=section.flag("pull_up", default=True),
    )


def _read_timing(section: Section, geometry: Geometry) -> TimingSettings:
    return TimingSettings(
        slot=_read_timings(section.section("slot"), geometry.timings(SLOT_TIMINGS)),
        sensor=_read_timings(section.section("sensor"), SENSOR_TIMINGS),
        button=_read_timings(section.section("button"), BUTTON_TIMINGS),
    )


def _read_timings(section: Section, usual: Timings) -> Timings:
    """A key for each field of Timings that geometry leaves free; whole numbers stay whole."""
    given = {
        field: section.whole(field, value, low=1, high=10_000)
        if field in {"chatter_edges", "short_pulses"}
        else section.number(field, value, low=0, high=60_000)
        for field, value in asdict(usual).items()
        if field not in BY_GEOMETRY
    }
    timings = convert(asdict(usual) | given, Timings)
    for problem in timings.problems():
        section.fault(problem.split()[0], problem)
    return timings


def _read_bonus_display(section: Section, game: Game) -> BonusDisplaySettings | None:
    """Reads [bonus_display]: what the button of 2.20(f) may show, each amount as likely as any other."""
    if not section.has("button"):
        return None
    bonus = next((wager for wager in game.wagers if wager.needs and not wager.tables and wager.sees == "own"), None)
    if bonus is None:
        section.fault("button", f"{game.title} has no bonus button; remove [bonus_display]", "2.20(f)")
        return None
    amounts = {
        stake: section.wholes(f"amounts_{stake}", low=1, high=MOST_DISPLAYED_CENTS, most=10_000)
        for stake in bonus.stakes
    }
    return BonusDisplaySettings(read_pin(section, "button"), amounts)


def _optional_pin(section: Section, key: str) -> Pin | None:
    return read_pin(section, key) if section.has(key) else None
