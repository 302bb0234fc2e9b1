"""The meter's settings: the broker, the store and the links it holds."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Final

from msgspec import UNSET, Struct

from common.paper_settings import PaperSettings, read_papers
from common.settings import Section, SettingsError, SettingsFile, open_settings
from common.tls import PagesTls, read_tls
from common.words import CURRENCIES, DOLLARS, ENGLISH, LANGUAGES
from drivers.mqtt.settings import BrokerSettings, read_broker, refuse_names_of_others
from games import catalogue
from games.compliance import GameOnLink, LinkCase, link_faults
from games.money import Cents
from games.paytable import Pay, pay_of, words
from meter.ledger.balances import LinkTerms
from meter.ledger.parameters import JoinTerms, OfferedGame

_WITHOUT_A_FILE: Final = Path("/var/lib/pitlink-meter")  # of the meter's unit


FLOOR_TLS_PORT: Final = 8493


class FloorSettings(Struct, frozen=True):
    """What the floor's page is told; on this machine it is served on the meter's floor_port."""

    tls: PagesTls | None = None
    language: str = ENGLISH


def read_floor(section: Section) -> FloorSettings:
    """Reads [floor]."""
    return FloorSettings(
        tls=read_tls(section, port=FLOOR_TLS_PORT),
        language=section.choice("language", tuple(LANGUAGES), ENGLISH),
    )


_POSTGRES: Final = ("postgresql://", "postgres://")


def is_postgres(address: str) -> bool:
    """Whether this is the address of a database and not a path."""
    return address.startswith(_POSTGRES)


_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}"
_NAME_MEANING: Final = "1 to 32 letters, digits, - or _"
CLOCK: Final = r"([01]\d|2[0-3]):[0-5]\d"
LOCK_AFTER_DAYS: Final = 90
"""Days after which somebody whom nobody saw is locked."""
DAY_STARTS: Final = "06:00"
"""When the gaming day begins where nobody says otherwise."""
_MOST_CENTS: Final = 100_000_000_00


class AllowedGame(Struct, frozen=True):
    """A game that tables of a link may deal: which pay tables, for which stakes, and what is paid beyond them.

    decks None is the game's usual number.
    """

    name: str
    pay_tables: tuple[str, ...]
    stakes_cents: tuple[Cents, ...]
    pays: Mapping[str, Pay] = {}
    decks: int | None = None

    @property
    def offered(self) -> OfferedGame:
        """The same for the ledger."""
        pays = {hand: words(pay) for hand, pay in self.pays.items()}
        return OfferedGame(self.name, self.pay_tables, self.stakes_cents, pays, self.decks)


class Link(Struct, frozen=True):
    """One pot: its terms, the tables that may join it and what they may deal.

    shortest_round_ms is the least time between two rounds of a table (0: any; None: what its game takes at the least);
    approved are the hashes of the tables' configurations that may join (none: any). shortest_claim_ms and
    shortest_payout_ms are the least times from registered wagers to a claim, and from it to its payout.
    """

    name: str
    terms: LinkTerms
    tables: tuple[str, ...]
    games: tuple[AllowedGame, ...]
    shortest_round_ms: int | None = None
    approved: tuple[str, ...] = ()
    shortest_claim_ms: int | None = None
    shortest_payout_ms: int | None = None

    @property
    def identity(self) -> str:
        """Who the meter is to the broker: one connection per link, so that each link has a last will of its own."""
        return f"meter-{self.name}"

    @property
    def rehearsal(self) -> bool:
        """Whether this link only plays at being one."""
        return self.terms.rehearsal

    @property
    def case(self) -> LinkCase:
        """What compliance asks of this link."""
        games = (
            GameOnLink(game.name, game.pay_tables, game.stakes_cents, game.pays, game.decks) for game in self.games
        )
        terms, tables = self.terms, len(self.tables)
        return LinkCase(
            terms.rate_bp, terms.base_cents, terms.reset_cents, tuple(games), tables, reset_rate_bp=terms.reset_rate_bp
        )

    @property
    def offer(self) -> JoinTerms:
        """What the ledger keeps of the tables and games, and of what is asked of them."""
        games = tuple(game.offered for game in self.games)
        paces = (self.shortest_round_ms, self.shortest_claim_ms, self.shortest_payout_ms)
        of_round, of_claim, of_payout = (UNSET if pace is None else pace for pace in paces)
        return JoinTerms(self.tables, games, of_round, tuple(sorted(self.approved)) or UNSET, of_claim, of_payout)

    def game(self, name: str) -> AllowedGame | None:
        """What this link allows of the game, or None."""
        return next((game for game in self.games if game.name == name), None)

    def shortest_round_of(self, game: str) -> int:
        """The least time between two rounds of a table that deals this game, in milliseconds."""
        return catalogue.GAMES[game].shortest_round_ms if self.shortest_round_ms is None else self.shortest_round_ms

    def shortest_claim_of(self, game: str) -> int:
        """The least time from registered wagers of this game to a claim, in milliseconds."""
        return catalogue.GAMES[game].shortest_claim_ms if self.shortest_claim_ms is None else self.shortest_claim_ms

    def shortest_payout_of(self, game: str) -> int:
        """The least time from a claim to its payout, in milliseconds."""
        return catalogue.GAMES[game].shortest_payout_ms if self.shortest_payout_ms is None else self.shortest_payout_ms


class MeterSettings(Struct, frozen=True):
    """Everything a meter service is told; floor_port 0 serves no pages on this machine."""

    store: str
    broker: BrokerSettings
    links: tuple[Link, ...]
    floor_port: int = 0
    day_starts: str = DAY_STARTS
    floor: FloorSettings = FloorSettings()
    papers: PaperSettings = PaperSettings()
    state_dir: str = ""
    lock_after_days: int = LOCK_AFTER_DAYS
    currency: str = DOLLARS

    @property
    def folder(self) -> Path:
        """Where sockets, staff directory and the count of wrong PINs are: beside the ledger, unless told otherwise."""
        return _folder(self.store, self.state_dir)


def folder_of(path: Path) -> Path:
    """The folder of the meter's sockets that a settings file names; the rest of it is not judged."""
    file = open_settings(path)
    folder = _folder(_store(file.root), _state_dir(file.root))
    if file.faults:
        raise SettingsError(file.faults)
    return folder


def _folder(store: str, state_dir: str) -> Path:
    beside = _WITHOUT_A_FILE if is_postgres(store) else Path(store).parent
    return Path(state_dir) if state_dir else beside


def _store(root: Section) -> str:
    return root.text("store", meaning="the path of the ledger file, or postgresql://…")


def _state_dir(root: Section) -> str:
    return root.optional_text("state_dir", meaning="a directory for the meter's sockets") or ""


def read_meter_settings(path: Path) -> MeterSettings:
    """Reads a meter's settings file; raises SettingsError with every fault in it."""
    file = open_settings(path)
    file.expect("store", not_other="table", advice="this looks like a table's settings; use pitlink table")
    settings = survey(file)
    file.finish()
    return settings


def survey(file: SettingsFile) -> MeterSettings:
    """Reads as far as it goes: what is wrong stands in the file's faults, and under a faulty key anything."""
    root = file.root
    store = _store(root)
    links = tuple(_link(part) for part in root.sections("link"))
    broker = read_broker(root.section("broker"), identities=[link.identity for link in links])
    if not links:
        root.fault("link", "missing; add at least one [[link]]")
    _refuse_twins(root, "link", [link.name for link in links])
    _refuse_two_pots(root, links)
    port = root.whole("floor_port", 0, low=0, high=65_535)
    day_starts = root.text("day_starts", DAY_STARTS, pattern=CLOCK, meaning="a time such as 06:00")
    floor, papers = read_floor(root.section("floor")), read_papers(root.section("papers"))
    return MeterSettings(
        store,
        broker,
        links,
        port,
        day_starts,
        floor,
        papers,
        state_dir=_state_dir(root),
        lock_after_days=_lock_after_days(root),
        currency=root.choice("currency", tuple(CURRENCIES), DOLLARS),
    )


def _lock_after_days(root: Section) -> int:
    return root.section("staff").whole("lock_after_days", LOCK_AFTER_DAYS, low=0, high=3_650)


def _link(part: Section) -> Link:
    name = part.text("name", pattern=_NAME, meaning=_NAME_MEANING)
    terms = LinkTerms(
        rate_bp=part.whole("rate_bp", low=1, high=10_000),
        base_cents=part.whole("base_cents", low=0, high=_MOST_CENTS),
        reset_cents=part.whole("reset_cents", low=0, high=_MOST_CENTS),
        rehearsal=part.flag("rehearsal", False),
        reset_rate_bp=_said(part, "reset_rate_bp", "no reset meter", most=10_000),
        limit_cents=_said(part, "limit_cents", "no limit", most=_MOST_CENTS),
        overflow_seeds_next=part.flag("overflow_seeds_next", False),
        approval_above_cents=_optional_cents(part, "approval_above_cents"),
        ends_on=(part.only("ends_on", _day, 'a day such as "2026-12-31"') or "") if part.has("ends_on") else "",
    )
    tables = part.texts("tables", pattern=_NAME, meaning=_NAME_MEANING, most=2_000)
    refuse_names_of_others(part, "tables", tables)
    games = tuple(_game(section) for section in part.sections("game"))
    if not games:
        part.fault("game", "missing; add at least one [[link.game]]")
    _refuse_twins(part, "game", [game.name for game in games])
    keys = ("shortest_round_ms", "shortest_claim_ms", "shortest_payout_ms")
    shortest = {key: part.whole(key, low=0, high=600_000) for key in keys if part.has(key)}
    approved = (
        part.texts("approved", pattern="[0-9a-f]{64}", meaning="a SHA-256 in small hexadecimal digits", most=2_000)
        if part.has("approved")
        else ()
    )
    link = Link(name, terms, tables, games, approved=approved, **shortest)
    _check_parameters(part, terms)
    _check_rules(part, link)
    return link


def _said(part: Section, key: str, nothing: str, *, most: int) -> int:
    """A parameter that may be nothing, but not by being forgotten."""
    if not part.has(key):
        part.fault(key, f"missing; write {key} = 0 for {nothing}", "R1")
    return part.whole(key, 0, low=0, high=most)


def _optional_cents(part: Section, key: str) -> Cents | None:
    return part.whole(key, low=0, high=_MOST_CENTS) if part.has(key) else None


def _day(value: object) -> str | None:
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError:
        return None


def _check_parameters(part: Section, terms: LinkTerms) -> None:
    if terms.rate_bp + terms.reset_rate_bp > 10_000:
        part.fault("reset_rate_bp", "meter and reset meter together take more than the wager", "R15")
    if 0 < terms.limit_cents < max(terms.base_cents, terms.reset_cents):
        part.fault("limit_cents", "below base_cents or reset_cents; raise it, or write 0 for no limit", "R84")


def _game(part: Section) -> AllowedGame:
    name = part.choice("name", tuple(catalogue.GAMES))
    wager = catalogue.GAMES[name].progressive
    known = wager.pay_table_names if wager else ()
    pattern = "|".join(re.escape(table) for table in known)
    pay_tables = part.texts("pay_tables", pattern=pattern, meaning=f"one of {', '.join(known)}", most=20)
    stakes = part.wholes("stakes_cents", low=1, high=100_00, most=10)
    pays: dict[str, Pay] = part.section("pays").each(
        pay_of, 'cents such as 6000, or a part of the meter such as "12 %"'
    )
    most = catalogue.GAMES[name].most_decks
    decks = part.whole("decks", low=1, high=most) if part.has("decks") else None
    return AllowedGame(name, pay_tables, stakes, pays, decks)


def _check_rules(part: Section, link: Link) -> None:
    """A link promises what every game on it must, and links only what may be linked."""
    for fault in [fault for fault in link_faults(link.case) if part.is_sound(fault.key)]:
        part.fault(fault.key, str(fault), fault.rule)


def _refuse_two_pots(root: Section, links: Sequence[Link]) -> None:
    """A table plays for one live meter at a time; beside it, it may rehearse."""
    taken: dict[str, str] = {}
    for place, link in enumerate(links, start=1):
        for table in () if link.rehearsal else link.tables:
            first = taken.setdefault(table, link.name)
            if first != link.name:
                problem = f"table {table} is on link {first} and on link {link.name}; take it off one of them"
                root.fault(f"link[{place}].tables", problem, "R21")


def _refuse_twins(part: Section, key: str, names: list[str]) -> None:
    for name in sorted({name for name in names if names.count(name) > 1}):
        part.fault(key, f'"{name}" stands twice; once is enough')
