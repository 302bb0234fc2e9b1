"""The guard of an interface for programs: those of this machine's same user or of root, and no browser."""

from aiohttp import web

from common.web.peer import Peers
from common.web.server import Handler, bad


class ProgramsOnly:
    """Lets programs through and sends people to the pages where they show who they are."""

    def __init__(self, *, people_use: str) -> None:
        self._people_use, self._peers = people_use, Peers()

    def __call__(self, handler: Handler) -> Handler:
        """This handler behind the guard."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            if "Origin" in request.headers or "Sec-Fetch-Site" in request.headers:
                words = f"this interface is for programs; people use {self._people_use}"
                raise bad(words, "Origin", web.HTTPForbidden)
            if not await self._peers.is_one_of_us(request.transport):
                raise bad("another user's program may not do this", "user", web.HTTPForbidden)
            return await handler(request)

        return guarded
