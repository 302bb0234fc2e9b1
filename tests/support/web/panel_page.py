"""A page of a table as the daemon sees it: cookies, token, origin; and a staff with PINs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, CookieJar

from common.auth.roles import Role
from games.round.state import ClaimState
from tests.support.meter.certificates import self_signed
from tests.support.meter.staff_pins import PINS, SUE, Login, give_copy
from tests.support.table.paper_floor import Bench
from tests.support.web.pages import Visitor
from tests.support.web.streams import shown

FLOP = ["Th", "Jh", "Qh"]


def give_pins(bench: Bench, *logins: Login) -> None:
    """These people, or everybody, have a PIN at this table."""
    give_copy(Path(bench.settings.state_dir), *logins)


async def enter_cards(panel: Visitor, words: str) -> None:
    """Each card by two taps: its rank, then its suit."""
    for word in words.split():
        for kind, key in zip(("rank", "suit"), word, strict=True):
            await panel.page.locator(f'dialog[open] [data-{kind}="{key}"]').click()


class Page:
    """A page as the daemon sees it: cookies, token, origin."""

    def __init__(self, session: ClientSession, url: str) -> None:
        self.session, self.url, self.token, self.keys = session, url, "", 0

    async def load(self) -> "Page":
        """What every page does first."""
        _, body = await self.get("/panel/session")
        self.token = body["token"]
        return self

    async def get(self, path: str) -> tuple[int, Any]:
        async with self.session.get(self.url + path) as answer:
            return answer.status, await answer.json()

    async def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        usual = {"Origin": self.url, "Sec-Fetch-Site": "same-origin", "X-Pitlink-Token": self.token}
        async with self.session.post(self.url + path, json=body, headers=usual | headers) as answer:
            return answer.status, await answer.json()

    async def sign_in(self, role: Role) -> tuple[int, Any]:
        return await self.sign_in_as(PINS[role])

    async def sign_in_as(self, login: Login) -> tuple[int, Any]:
        status, body = await self.post("/panel/sign-in", login.shown)
        self.token = body.get("token", self.token)
        return status, body

    async def act(
        self, action: str, seen: str, *, key: str = "", signed: Login | None = None, **says: Any
    ) -> tuple[int, Any]:
        """An order of who is signed in, or of whoever signs it."""
        self.keys += 1
        order = {"seen": seen, "key": key or str(self.keys), "says": says}
        return await self.post(f"/panel/act/{action}", order | ({"signed": signed.shown} if signed else {}))

    async def offer(self, action: str, seat: int = 0) -> str:
        """What an order of this kind must have seen now."""
        if seat and action in {"claim", "fold", "coupon", "return-coupon", "correct-fold"}:
            _, body = await self.get(f"/panel/seat/{seat}")
            offers = body["offers"]
        else:
            offers = (await self.view())["offers"]
        found = next(offer for offer in offers if offer["action"] == action and offer["seat"] == seat)
        return str(found["seen"])

    async def view(self) -> Any:
        """The newest state of the panel's stream."""
        async with self.session.get(self.url + "/panel/stream") as stream:
            return await anext(shown(stream))


@asynccontextmanager
async def page_at(url: str) -> AsyncIterator[Page]:
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        yield await Page(session, url).load()


def events(bench: Bench, kind: type) -> list[Any]:
    """What the journal has of this kind."""
    assert bench.assembly is not None
    return [line.event for line in bench.assembly.table.journal.lines() if isinstance(line.event, kind)]


async def claimed(bench: Bench, page: Page, seat: int = 3) -> None:
    """A flush at this seat, fixed by the meter."""
    await bench.deal(seat)
    assert (await page.act("claim", await page.offer("claim", seat), seat=seat, cards=["2h", "3h"], community=FLOP))[
        0
    ] == 200
    await bench.until(lambda: bench.state.claims[0].amount_cents == 50_00)


async def validated(bench: Bench, page: Page, seat: int = 3, *, by: Login = SUE) -> None:
    """The claim of this seat, signed by a supervisor and agreed to by the meter."""
    assert (await page.act("validate", await page.offer("validate", seat), signed=by, seat=seat))[0] == 200
    await bench.until(lambda: bench.state.claims[0].state is ClaimState.VALIDATED, "the meter does not agree")


def certificate(folder: Path) -> dict[str, str]:
    """A key and a certificate for localhost."""
    pem, key = self_signed(folder)
    return {"certificate": pem, "key": key}
