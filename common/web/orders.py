"""Orders of pages: the stale token that each carries, and one reply for each key however often it comes."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec
from aiohttp import web

from common.auth.sessions import BrowserSession
from common.web.server import as_json

_REMEMBERED: Final = 256


class OrderOutcome(Protocol):
    """What came of an order."""

    @property
    def accepted(self) -> bool:
        """Whether it was carried out."""


_ReplyT = TypeVar("_ReplyT", bound=OrderOutcome)


def token_of(rests_on: object) -> str:
    """Stale token: a hash of everything that an order rests on; an order with another token has seen something else."""
    return hashlib.sha256(msgspec.json.encode(rests_on)).hexdigest()[:16]


class OrdersOnce(Generic[_ReplyT]):
    """Idempotency of orders: the same key of the same browser gets the same reply, and nothing happens twice."""

    def __init__(self) -> None:
        self._replies: OrderedDict[tuple[str, str], asyncio.Future[_ReplyT]] = OrderedDict()

    async def reply(
        self, browser: BrowserSession, key: str, carry_out: Callable[[], Coroutine[Any, Any, _ReplyT]]
    ) -> web.Response:
        """Carries out what this key has not ordered yet; a browser that goes away does not stop it half way."""
        reply = self._replies.get((browser.token, key))
        if reply is None:
            reply = self._replies[browser.token, key] = asyncio.ensure_future(carry_out())
            while len(self._replies) > _REMEMBERED:
                self._replies.popitem(last=False)
        return replied(await asyncio.shield(reply))


def replied(reply: OrderOutcome) -> web.Response:
    """The reply as a page reads it: 409 for what was refused."""
    return as_json(reply, 200 if reply.accepted else 409)
