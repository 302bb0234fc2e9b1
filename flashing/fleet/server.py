"""Fleet server: takes boards' reports over mutual TLS, and hands out orders, bundles and nothing else."""

import asyncio
import ssl
from collections.abc import Iterable
from typing import Final, Self

from aiohttp import web
from cryptography import x509
from cryptography.x509.oid import NameOID

from common.web.bounded_server import Bounds, WebServers, tcp_listener
from common.web.server import as_json, bad, decoded
from flashing.errors import FlashError
from flashing.fleet.messages import BUNDLE_PATH, LOGS_PATH, MOST_LOG_BYTES, REPORT_PATH, BoardReport
from flashing.fleet.settings import FleetSettings
from flashing.fleet.store import FleetStore

LOOK_EVERY_S: Final = 30.0
BOUNDS: Final = Bounds(most=256, most_per_address=4, header_s=5.0, idle_s=15.0)


class FleetServer:
    """Serves a fleet store to the boards that the settings name."""

    def __init__(self, settings: FleetSettings, store: FleetStore) -> None:
        self._settings, self._store = settings, store
        self._servers = WebServers()
        self.port = 0

    async def __aenter__(self) -> Self:
        context, listener = self._settings.context(), tcp_listener(self._settings.host, self._settings.port)
        self.port = listener.getsockname()[1]
        app = web.Application(client_max_size=MOST_LOG_BYTES)
        app.add_routes(self._routes())
        await self._servers.listen(app, listener, BOUNDS, context)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._servers.close()

    async def run(self) -> None:
        """Notices silent boards, for ever."""
        while True:
            await asyncio.to_thread(self._store.look)
            await asyncio.sleep(LOOK_EVERY_S)

    def _routes(self) -> Iterable[web.RouteDef]:
        return [
            web.post(REPORT_PATH, self._report),
            web.get(f"{BUNDLE_PATH}/{{version}}/{{platform}}", self._bundle),
            web.post(LOGS_PATH, self._logs),
        ]

    async def _report(self, request: web.Request) -> web.Response:
        board = self._board(request)
        report = decoded(await request.read(), BoardReport)
        if report.board != board:
            raise bad(f"the certificate is {board}'s, the report {report.board}'s", "board", web.HTTPForbidden)
        try:
            return as_json(await asyncio.to_thread(self._store.take, report))
        except FlashError as fault:
            raise bad(str(fault), "server", web.HTTPServiceUnavailable) from fault

    async def _bundle(self, request: web.Request) -> web.StreamResponse:
        self._board(request)
        version, platform = request.match_info["version"], request.match_info["platform"]
        if platform not in self._store.platforms(version):
            raise bad(f"there is no bundle of {version} for {platform}", "bundle", web.HTTPNotFound)
        return web.FileResponse(self._store.bundle(version, platform))

    async def _logs(self, request: web.Request) -> web.Response:
        board = self._board(request)
        await asyncio.to_thread(self._store.keep_logs, board, await request.read())
        return as_json({})

    def _board(self, request: web.Request) -> str:
        """Whose certificate this connection has shown."""
        channel = request.transport.get_extra_info("ssl_object") if request.transport else None
        name = common_name(channel) if isinstance(channel, ssl.SSLObject) else ""
        if name not in self._settings.boards:
            words = f"{name or 'nobody'} is no board of this fleet; add it to boards in the fleet server's settings"
            raise bad(words, "certificate", web.HTTPForbidden)
        return name


def common_name(channel: ssl.SSLObject) -> str:
    """The name in the certificate that the other side has shown; the handshake has checked it."""
    shown = channel.getpeercert(binary_form=True)
    if shown is None:
        return ""
    names = x509.load_der_x509_certificate(shown).subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    return str(names[0].value) if len(names) == 1 else ""
