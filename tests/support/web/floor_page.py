"""A browser at the floor as the meter sees it: cookies, token, origin."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import CookieJar
from aiohttp.test_utils import TestClient, TestServer

from common.auth.roles import Role
from tests.support.meter.floor_bench import FloorBench
from tests.support.meter.staff_pins import ANN, PINS, SUE, Login
from tests.support.web.streams import shown


class FloorPage:
    """A browser at the floor of a meter."""

    def __init__(self, client: "TestClient[Any, Any]") -> None:
        self.client, self.token, self.keys = client, "", 0
        self.origin = str(client.make_url("/")).rstrip("/")

    async def load(self) -> "FloorPage":
        _, body = await self.get("/floor/session")
        self.token = body["token"]
        return self

    async def get(self, path: str) -> tuple[int, Any]:
        async with self.client.get(path) as answer:
            return answer.status, await answer.json()

    async def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        usual = {"Origin": self.origin, "Sec-Fetch-Site": "same-origin", "X-Pitlink-Token": self.token}
        async with self.client.post(path, json=body, headers=usual | headers) as answer:
            return answer.status, await answer.json()

    async def sign_in(self, role: Role) -> None:
        login = PINS[role]
        status, body = await self.post("/floor/sign-in", login.shown)
        assert status == 200
        self.token = body["token"]

    async def view(self) -> Any:
        """The newest state of the stream."""
        async with self.client.get("/floor/stream") as stream:
            return await anext(shown(stream))

    async def link(self, name: str = "main") -> Any:
        return next(link for link in (await self.view())["links"] if link["link"] == name)

    async def decide(self, decision: Any, second: Login = ANN, *, first: Login = SUE, **other: Any) -> tuple[int, Any]:
        self.keys += 1
        order: dict[str, Any] = {
            "key": str(self.keys),
            "seen": (await self.link())["seen"],
            "decision": decision,
            "reason": "seen on the recording",
            "first": first.shown,
            "second": second.shown,
        }
        return await self.post("/floor/decide/main", order | other)


@asynccontextmanager
async def page_at(bench: FloorBench) -> AsyncIterator[FloorPage]:
    async with TestClient(TestServer(bench.application()), cookie_jar=CookieJar(unsafe=True)) as client:
        yield await FloorPage(client).load()


def keys(claims: Any) -> list[dict[str, Any]]:
    """What names each of these claims in an order."""
    return [{name: claim[name] for name in ("table", "journal", "seq")} for claim in claims]
