"""Positions × attempts: what each attacker is told, and which alarm the floor has of it."""

import ast
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import Struct
from msgspec.structs import replace

from common.auth.lockout import OWN_SCREEN
from common.unix_http import PAGES
from drivers.mqtt.client import Message
from link import topics
from link.messages import VERSION, Award, Envelope, Payout, Validation, Wagers, encode
from meter.ledger.accounts import Account
from tests.support.meter.floor_bench import FloorBench
from tests.support.meter.meter_bench import with_cards
from tests.support.meter.proved import Paper
from tests.support.meter.staff_pins import ANN, DAN, SUE, TIM, Login
from tests.support.table.paper_floor import PaperFloor, paper_floor
from tests.support.web.floor_page import FloorPage
from tests.support.web.floor_page import page_at as floor_page_at
from tests.support.web.panel_page import Page, certificate, claimed, give_pins, page_at, validated
from tests.support.web.web_clients import network_pages

pytestmark = pytest.mark.timeout(120)

ROOT: Final = Path(__file__).parents[2]
FLUSH_CENTS: Final = 50_00
GUESS: Final = "000000"


class AttackedTable(Struct, frozen=True):
    """A dealt table with its own screen and its network pages."""

    floor: PaperFloor
    own: Page
    network: Page

    async def claim(self) -> None:
        """A flush at seat 3, fixed by the meter, by the dealer who is signed in at the own screen."""
        await self.own.sign_in_as(DAN)
        await claimed(self.floor.tables["T1"], self.own)


class AttackedMeter(Struct, frozen=True):
    """A meter with its page; table T1 has registered round 1 and claims a flush at seat 3 by entry 2."""

    bench: FloorBench
    page: FloorPage

    def hear(self, topic: str, payload: bytes) -> None:
        """The broker delivers this."""
        self.bench.desks["main"].heard(Message(topic, payload))

    @property
    def paper(self) -> Paper:
        return Paper(2, "flush", FLUSH_CENTS)


Refusal = str
AtTable = Callable[[AttackedTable], Awaitable[Refusal]]
AtMeter = Callable[[AttackedMeter], Awaitable[Refusal]]


def words(answer: tuple[int, Any]) -> str:
    """What a page was told; nothing if it was let through."""
    status, said = answer
    return "" if status == 200 else str(said.get("reason") or said.get("error"))


async def looks(at: AttackedTable) -> Refusal:
    return words(await at.network.get("/slips/data"))


async def orders_unsigned(at: AttackedTable) -> Refusal:
    return words(await at.network.act("close", await at.own.offer("close"), reason="night"))


async def guesses_over_the_network(at: AttackedTable) -> Refusal:
    return words(await at.network.sign_in_as(replace(SUE, pin=GUESS)))


async def guesses_a_number(at: AttackedTable) -> Refusal:
    return words(await at.network.sign_in_as(Login("9999", "Zoe", SUE.role, GUESS)))


async def orders_from_another_site(at: AttackedTable) -> Refusal:
    order = {"seen": await at.own.offer("close"), "key": "1", "says": {"reason": "night"}, "signed": SUE.shown}
    return words(await at.own.post("/panel/act/close", order, Origin="https://elsewhere.example"))


async def dealer_validates(at: AttackedTable) -> Refusal:
    await at.claim()
    return words(await at.own.act("validate", await at.own.offer("validate", 3), signed=DAN, seat=3))


async def dealer_is_sue(at: AttackedTable) -> Refusal:
    await at.claim()
    return words(await at.own.act("validate", await at.own.offer("validate", 3), signed=DAN, seat=3, by="Sue"))


async def dealer_guesses(at: AttackedTable) -> Refusal:
    bench = at.floor.tables["T1"]
    await at.claim()
    for _ in range(3):
        guess = replace(SUE, pin=GUESS)
        answer = await at.own.act("validate", await at.own.offer("validate", 3), signed=guess, seat=3)
        await bench.pass_time(6)
    return words(answer)


async def supervisor_pays_herself(at: AttackedTable) -> Refusal:
    await at.claim()
    await validated(at.floor.tables["T1"], at.own)
    return words(await at.own.act("pay", await at.own.offer("pay", 3), signed=SUE, seat=3))


async def supervisor_names_a_royal(at: AttackedTable) -> Refusal:
    await at.own.sign_in_as(DAN)
    await at.floor.tables["T1"].deal(3)
    return words(await at.own.act("claim", await at.own.offer("claim", 3), seat=3, hand="royal_flush"))


async def supervisor_is_elsewhere(at: AttackedTable) -> Refusal:
    await at.claim()
    return words(await at.network.act("validate", await at.own.offer("validate", 3), signed=SUE, seat=3))


async def technician_validates(at: AttackedTable) -> Refusal:
    await at.claim()
    return words(await at.own.act("validate", await at.own.offer("validate", 3), signed=TIM, seat=3))


async def supervisor_decides_alone(at: AttackedMeter) -> Refusal:
    return words(await at.page.decide({"type": "Correct", "old_cents": 1_000_000, "new_cents": 5}, SUE))


async def supervisor_guesses_the_second(at: AttackedMeter) -> Refusal:
    tries = at.bench.web_server.authenticator._attempts
    for _ in range(2):
        tries.begin(ANN.number, OWN_SCREEN)
    now = tries._now
    tries._now = lambda: now() + 60  # their waits are over
    return words(await at.page.decide({"type": "Correct", "old_cents": 1, "new_cents": 5}, replace(ANN, pin=GUESS)))


async def technician_decides(at: AttackedMeter) -> Refusal:
    return words(await at.page.decide({"type": "Close"}, TIM))


async def thief_pays_unproved(at: AttackedMeter) -> Refusal:
    await at.bench.enter("T1", Payout(2))
    return held(at)


async def thief_pays_by_one_pin(at: AttackedMeter) -> Refusal:
    await at.bench.enter("T1", at.paper.payout(SUE, SUE))
    return held(at)


async def thief_pays_by_two_dealers(at: AttackedMeter) -> Refusal:
    await at.bench.enter("T1", at.paper.payout(DAN, DAN))
    return held(at)


async def thief_forges_a_validation(at: AttackedMeter) -> Refusal:
    await at.bench.enter("T1", Validation(2, 3, FLUSH_CENTS, f"{SUE.number}:{'0' * 64}"))
    return at.bench.desks["main"].head.pot.awards[0].refused


async def thief_claims_without_a_wager(at: AttackedMeter) -> Refusal:
    await at.bench.enter("T1", with_cards(Award(1, 7, "royal_flush", percent_bp=10_000)))
    return at.bench.desks["main"].head.pot.doubted[0].reason


async def thief_is_another_table(at: AttackedMeter) -> Refusal:
    envelope = Envelope(VERSION, "T2", "journal-T2", 1, 0, Wagers(1, 100, (1,)))
    at.hear(topics.entry_topic("main", "T1"), encode(envelope))
    return latest(at, "message refused")


async def thief_sends_garbage(at: AttackedMeter) -> Refusal:
    at.hear(topics.entry_topic("main", "T1"), b'{"v": 1, "table": "T1", "journal": "j", "entry": {}}')
    return latest(at, "message refused")


def held(at: AttackedMeter) -> str:
    """Why the payout is held for two persons."""
    pot = at.bench.desks["main"].head.pot
    assert pot.paid_cents == 0
    return pot.reported[0].reason


def latest(at: AttackedMeter, kind: str) -> str:
    return next(each.latest_words for each in at.bench.watch.open_alarms if each.alarm.kind == kind)


class Row(Struct, frozen=True):
    """An attempt from a position: what the attacker is told, and the alarm of the floor ("": it is everyday life)."""

    position: str
    attempt: AtTable | AtMeter
    told: str
    alarm: str = ""


PLAYER, DEALER, SUPERVISOR, TECHNICIAN, THIEF, NETWORK = (
    "player on the Wi-Fi",
    "dealer",
    "one supervisor",
    "technician",
    "stolen table certificate",
    "pit network",
)
AT_TABLE: Final = (
    Row(PLAYER, looks, "sign in"),
    Row(PLAYER, orders_unsigned, "sign"),
    Row(PLAYER, guesses_over_the_network, "do not match", "wrong PIN"),
    Row(NETWORK, guesses_a_number, "do not match", "wrong PIN"),
    Row(NETWORK, orders_from_another_site, "own page"),
    Row(DEALER, dealer_validates, "Dan is a dealer: a supervisor does this"),
    Row(DEALER, dealer_is_sue, "known by number and PIN"),
    Row(DEALER, dealer_guesses, "do not match", "wrong PIN"),
    Row(SUPERVISOR, supervisor_pays_herself, "another person must confirm"),
    Row(SUPERVISOR, supervisor_names_a_royal, "enter its cards"),
    Row(SUPERVISOR, supervisor_is_elsewhere, "at the table's own screen"),
    Row(TECHNICIAN, technician_validates, "Tim is a technician: a supervisor does this"),
)
AT_METER: Final = (
    Row(SUPERVISOR, supervisor_decides_alone, "two different persons"),
    Row(SUPERVISOR, supervisor_guesses_the_second, "do not match", "wrong PIN"),
    Row(TECHNICIAN, technician_decides, "Tim may not"),
    Row(THIEF, thief_pays_unproved, "nobody proved", "payout held"),
    Row(THIEF, thief_pays_by_one_pin, "two persons", "payout held"),
    Row(THIEF, thief_pays_by_two_dealers, "may not validate", "payout held"),
    Row(THIEF, thief_forges_a_validation, "does not hold", "validation refused"),
    Row(THIEF, thief_claims_without_a_wager, "seat 7", "award held"),
    Row(THIEF, thief_is_another_table, "a message of table T2 on table T1's topic", "message refused"),
    Row(THIEF, thief_sends_garbage, "a message that is none", "message refused"),
)
ELSEWHERE: Final = (
    (NETWORK, "tests/integration/test_link_tls.py", "test_r44_without_a_certificate_nobody_gets_in"),
    (NETWORK, "tests/attacks/test_pages.py", "test_15_3_hostile_connections_stop_no_round_and_no_sign"),
    (THIEF, "tests/integration/test_link_tls.py", "test_r45_a_table_cannot_speak_as_another"),
    (THIEF, "tests/integration/test_link_tls.py", "test_a_table_cannot_fill_the_broker_with_retained_topics"),
    (THIEF, "tests/attacks/test_staff_directory.py", "test_a_stolen_table_certificate_cannot_publish_a_directory"),
    (TECHNICIAN, "tests/attacks/test_staff_directory.py", "test_nobody_alone_adds_an_accomplice"),
    (TECHNICIAN, "tests/flashing/test_bundle.py", "test_an_unsigned_bundle_is_refused"),
)
"""Attempts that need a broker, a bundle or hundreds of connections: tests of their own, which check what is refused."""


def test_every_position_is_tried() -> None:
    """Those of docs/threats.md that the issue names; no attempt is there twice, and tests elsewhere exist."""
    rows = (*AT_TABLE, *AT_METER)
    assert {row.position for row in rows} == {PLAYER, DEALER, SUPERVISOR, TECHNICIAN, THIEF, NETWORK}
    assert len({row.attempt for row in rows}) == len(rows)
    document = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
    assert all(f"| {row.position} |" in document for row in rows)
    for _, file, name in ELSEWHERE:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert name in {getattr(node, "name", "") for node in ast.walk(tree)}


@asynccontextmanager
async def attacked_table(folder: Path) -> AsyncIterator[AttackedTable]:
    """A table of a house, a stranger's browser at its network pages, and its own screen."""
    panel = {"port": 0, "tls": {"host": "127.0.0.1", "port": 0, **certificate(folder)}}
    async with paper_floor(folder, panel=panel) as floor:
        bench = floor.tables["T1"]
        give_pins(bench)
        assert bench.assembly is not None
        tls, upstream = bench.settings.panel.tls, bench.assembly.control.with_name(PAGES)
        assert tls is not None
        async with (
            network_pages(tls, upstream) as (url, browser),
            page_at(f"http://127.0.0.1:{bench.assembly.port}") as own,
        ):
            yield AttackedTable(floor, own, await Page(browser, url).load())


@pytest.mark.parametrize("row", AT_TABLE, ids=lambda row: f"{row.position}: {row.attempt.__name__}")
async def test_an_attempt_at_a_table_is_refused_and_the_floor_hears_of_it(tmp_path: Path, row: Row) -> None:
    """The attacker is told why not; nothing is paid; the table's alarm, if there is one, is raised by the meter."""
    async with attacked_table(tmp_path) as at:
        told = await row.attempt(at)  # type: ignore[arg-type]  # an AtTable
        assert row.told in told
        assert at.floor.meter.pot.balances.get(Account.PAID, 0) == 0
        alarms = [payload for topic, payload in at.floor.broker.log if topic == topics.alarm_topic("demo", "T1")]
    (tmp_path / "meter").mkdir()
    bench = FloorBench(tmp_path / "meter")
    for payload in alarms:
        bench.desks["main"].heard(Message(topics.alarm_topic("main", "T1"), payload))
    assert {each.alarm.kind for each in bench.watch.open_alarms} == ({row.alarm} if row.alarm else set())
    bench.store.close()


@pytest.mark.parametrize("row", AT_METER, ids=lambda row: f"{row.position}: {row.attempt.__name__}")
async def test_an_attempt_at_the_meter_is_refused_and_raises_its_alarm(tmp_path: Path, row: Row) -> None:
    """Refused or held with words; nothing is paid; exactly this alarm stands on the floor's page."""
    async with FloorBench(tmp_path).running() as bench, floor_page_at(bench) as page:
        await bench.join("T1", "T2")
        await bench.wager("T1", 3)
        await bench.enter("T1", Award(1, 3, "flush", fixed_cents=FLUSH_CENTS))
        assert row.told in await row.attempt(AttackedMeter(bench, page))  # type: ignore[arg-type]  # an AtMeter
        assert bench.desks["main"].head.pot.balances.get(Account.PAID, 0) == 0
        assert {each["alarm"]["kind"] for each in (await page.view())["alarms"]} == (
            {row.alarm} if row.alarm else set()
        )
