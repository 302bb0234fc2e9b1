"""Panels of every game, role, language, size and moment in a real browser: the rounds that lead to each moment."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, ViewportSize, expect

from common.auth.roles import Role
from games.round.events import ClaimValidated, HandClaimed, IrregularityNoted, MismatchExplained, NoWinShown
from games.round.state import ClaimState, Phase
from tests.support.meter.staff_pins import PINS
from tests.support.table.paper_floor import Bench, open_table, paper_floor
from tests.support.web.pages import PANEL, PHONE, Visitor, visitor
from tests.support.web.panel_page import FLOP, give_pins

SIZES: Final[Mapping[str, ViewportSize]] = {
    "1024x600": PANEL,
    "1280x800": {"width": 1280, "height": 800},
    "390x844": PHONE,
}
PEOPLE: Final[Mapping[str, tuple[Role, ...]]] = {
    "nobody": (),
    "dealer": (Role.DEALER,),
    "two": (Role.DEALER, Role.SUPERVISOR),
    "technician": (Role.TECHNICIAN,),
    "accounting": (Role.ACCOUNTING,),
}
TABLES: Final[Mapping[str, dict[str, Any]]] = {
    "texas-holdem-bonus": {"pay_table": "A", "wagers": ["bonus"]},
    "caribbean-stud": {"pay_table": "base"},
    "three-card-poker": {"pay_table": "A", "wagers": ["six_card_bonus"]},
    "blackjack": {"pay_table": "base", "wagers": ["bonus"]},
    "pai-gow-poker": {
        "pay_table": "base",
        "wagers": ["bonus", "insurance", "number"],
        "options": {"player_bank": "bank", "start": "generator"},
    },
}
"""Every game, each with wagers and duties that ask for most acts at once."""


@asynccontextmanager
async def panel_table(folder: Path, name: str) -> AsyncIterator[Bench]:
    """A closed table of this game with a staff."""
    game = name if name in TABLES else "texas-holdem-bonus"
    async with paper_floor(folder, is_open=False, table={"game": game, **TABLES[game]}) as floor:
        give_pins(floor.tables["T1"])
        yield floor.tables["T1"]


@asynccontextmanager
async def panel_of(chrome: Browser, bench: Bench, company: str) -> AsyncIterator[Visitor]:
    """A window at this table where these people are signed in."""
    async with visitor(chrome, bench) as guest:
        await guest.go("/panel")
        for role in PEOPLE[company]:
            await sign_in_quietly(guest, role)
        yield guest


async def look(guest: Visitor, size: str, language: str) -> None:
    """Loads the panel anew in this size and language, and waits until it shows the table."""
    await guest.page.set_viewport_size(SIZES[size])
    await guest.go(f"/panel?language={language}")
    await expect(guest.page.locator("#next")).not_to_be_empty()
    await guest.page.evaluate("document.fonts.ready")
    await guest.page.wait_for_timeout(60)


async def sign_in_quietly(guest: Visitor, role: Role) -> None:
    """Somebody of this role signs in without a keypad; the page is loaded again afterwards."""
    login = PINS[role]
    await guest.page.evaluate(
        """async (shown) => {
          const { token } = await (await fetch("/panel/session")).json();
          const headers = { "Content-Type": "application/json", "X-Pitlink-Token": token };
          await fetch("/panel/sign-in", { method: "POST", headers, body: JSON.stringify(shown) });
        }""",
        {"number": login.number, "pin": login.pin},
    )


async def holdem_round(bench: Bench) -> AsyncIterator[str]:
    """From a closed table to a paid award and void hands, moment by moment."""
    yield "closed"
    await open_table(bench)
    yield "open"
    await wager(bench, 2, 4, 5, 6)
    yield "chips"
    await lock(bench)
    yield "counted"
    await bench.must(HandClaimed(2, ("8h", "9h"), tuple(FLOP)))
    yield "settling"
    await bench.must(NoWinShown((6, 5, 4), "Dan"))
    await bench.until(lambda: bench.state.claims[0].state is ClaimState.FIXED, "not fixed")
    yield "award"
    await bench.must(ClaimValidated(2, "Sue"))
    await bench.until(lambda: bench.state.claims[0].state is ClaimState.VALIDATED, "not agreed")
    yield "pay"
    await bench.must(IrregularityNoted("misdeal", "Sue"))
    yield "irregularity"


async def troubled_round(bench: Bench) -> AsyncIterator[str]:
    """A seat that is out of order, chips that differ from lights, a table that lost its meter."""
    await open_table(bench)
    bench.metal.slots[3].stick()
    await bench.pass_time(3)
    yield "seat-out"
    bench.metal.slots[3].free()
    await bench.pass_time(1)
    await wager(bench, 2, 4, 5)
    with bench.hopper.hands_on() as board:
        board.metal.stock -= 1
    await bench.press_lock_out()
    await bench.until(lambda: bench.state.is_miscounted, "chips and lights agree")
    yield "mismatch"
    bench.floor.broker.switch_off()
    await bench.must(MismatchExplained("Sue", "chip stuck in the slot"))
    await bench.press_end_of_round()
    await bench.pass_time(10)
    await bench.until(lambda: bool(bench.state.link_down) and bench.state.phase is Phase.OPEN, "the meter answers")
    yield "lost"


async def plain_round(bench: Bench) -> AsyncIterator[str]:
    """Every seat wagers, and the hand is dealt."""
    await open_table(bench)
    yield "open"
    await wager(bench, *bench.settings.rules.seats)
    yield "chips"
    await lock(bench)
    yield "counted"


async def wager(bench: Bench, *seats: int) -> None:
    """A chip at each of these seats, and its light."""
    for seat in seats:
        await bench.drop_chip(seat)
    await bench.settle()


async def lock(bench: Bench) -> None:
    """Wagers are closed, counted and booked."""
    await bench.press_lock_out()
    await bench.settle()
    await bench.until(lambda: bench.state.registered, "not registered")


ROUNDS: Final[Mapping[str, Callable[[Bench], AsyncIterator[str]]]] = {
    **dict.fromkeys(TABLES, plain_round),
    "texas-holdem-bonus": holdem_round,
    "troubles": troubled_round,
}
"""What is played at a table of each game, and at one where much goes wrong."""


async def sheets_of(guest: Visitor, moment: str) -> AsyncIterator[str]:
    """Opens the sheets of this moment one after the other; each is closed again."""
    for name, ways in SHEETS.get(moment, {}).items():
        for way in ways:
            await guest.page.locator(way).first.click()
        await expect(guest.page.locator("dialog[open] h2")).to_be_visible()
        await guest.page.wait_for_timeout(250)
        yield name
        await guest.page.keyboard.press("Escape")
        await expect(guest.page.locator("dialog[open]")).to_have_count(0)


def _ranks(*cards: str) -> tuple[str, ...]:
    """The keys of these cards; the last one has no suit yet."""
    return tuple(f'[data-{kind}="{key}"]' for card in cards for kind, key in zip(("rank", "suit"), card, strict=False))


_SEAT = '[data-key="seat {}"]'
_CLAIM = "dialog .choices .main"
SHEETS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "chips": {
        "menu": ('[data-key="menu"]',),
        "sign-in": ('[data-key="sign in"]',),
        "seat": (_SEAT.format(3),),
        "coupon": ('[data-key="coupon"]', "dialog .choices button:not(:disabled)"),
    },
    "counted": {
        "cards": (_SEAT.format(2), _CLAIM, *_ranks("Th", "Jh", "9h", "Kh", "J")),
        "which-seat": ("#acts .main",),
        "irregularity": ('[data-key^="irregularity"]',),
    },
    "award": {"evidence": ("#acts .main",)},
    "pay": {"pay": ("#acts .main",)},
}
"""What is tapped to open each sheet of a moment."""
