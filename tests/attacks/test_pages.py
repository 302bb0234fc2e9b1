"""Hostile connections to the pages: places run out for strangers only, and the table plays on."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession, TCPConnector, web

from common.pages.relay import MOST_READERS
from common.pages.server import PagesServer
from common.settings import SettingsError, open_settings
from common.unix_http import PAGES, ask
from common.web.bounded_server import Bounds, WebServers, tcp_listener
from tests.support.table.paper_floor import Bench, paper_floor
from tests.support.web.panel_page import certificate, page_at
from tests.support.web.streams import shown
from tests.support.web.web_clients import opened

SIGN = "127.0.0.9"
STRANGERS = 200
SMALL = Bounds(most=40, most_per_address=4, header_s=30.0, idle_s=30.0)
HALF_A_HEADER = b"GET /sign HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_A_BODY = (
    b"POST /panel/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"
)
STREAM = b"GET /sign/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Floor:
    """A table with network pages, and strangers who hold connections to them."""

    def __init__(self, bench: Bench, pages: PagesServer, trusted: ssl.SSLContext) -> None:
        self.bench, self.pages, self.trusted = bench, pages, trusted
        self.url = f"https://localhost:{pages.port}"
        self._held: list[asyncio.StreamWriter] = []

    async def attack(self, number: int, words: bytes | None) -> None:
        """Strangers of many addresses connect, say so much, and stay; without words not even a TLS handshake."""
        await asyncio.gather(*(self._stay(f"127.8.{each // 200}.{1 + each % 200}", words) for each in range(number)))

    async def _stay(self, address: str, words: bytes | None) -> None:
        try:
            _, writer = await asyncio.open_connection(
                "127.0.0.1",
                self.pages.port,
                local_addr=(address, 0),
                ssl=self.trusted if words is not None else None,
                server_hostname="localhost" if words is not None else None,
            )
        except OSError:
            return  # turned away
        self._held.append(writer)
        writer.write(words or b"")

    def browser(self, address: str = "127.0.0.2") -> ClientSession:
        """A browser of this address."""
        return ClientSession(connector=TCPConnector(ssl=self.trusted, local_addr=(address, 0)))

    def leave(self) -> None:
        for writer in self._held:
            writer.transport.abort()


@asynccontextmanager
async def attacked(folder: Path, bounds: Bounds = SMALL) -> AsyncIterator[Floor]:
    """A table whose pages have few places, one sign among them."""
    files = certificate(folder)
    panel = {"port": 0, "tls": {"host": "127.0.0.1", "port": 0, "signs": [SIGN], **files}}
    async with paper_floor(folder, panel=panel) as floor:
        bench = floor.tables["T1"]
        assert bench.assembly is not None
        assert bench.settings.panel.tls is not None
        upstream = bench.assembly.control.with_name(PAGES)
        async with PagesServer(bench.settings.panel.tls, upstream, shared="/sign/stream", bounds=bounds) as pages:
            hostile = Floor(bench, pages, ssl.create_default_context(cafile=files["certificate"]))
            try:
                yield hostile
            finally:
                hostile.leave()


@pytest.mark.parametrize(
    "words",
    [None, b"", HALF_A_HEADER, HALF_A_BODY, STREAM],
    ids=["no handshake", "silent", "half a header", "half a body", "stream"],
)
async def test_15_3_hostile_connections_stop_no_round_and_no_sign(tmp_path: Path, words: bytes | None) -> None:
    """Idle sockets, half headers, slow bodies, streams: the cap holds, the round goes on, the sign keeps its place."""
    async with attacked(tmp_path) as floor, floor.browser(SIGN) as sign, AsyncExitStack() as streams:
        await floor.attack(STRANGERS, words)
        assert floor.pages.connections <= SMALL.most
        stream = await opened(streams, sign, f"{floor.url}/sign/stream")
        assert (await anext(shown(stream)))["amount_cents"] > 0
        await floor.bench.deal(3)
        assert 3 in floor.bench.state.wagers
        assert floor.bench.assembly is not None
        async with page_at(f"http://127.0.0.1:{floor.bench.assembly.port}") as own:
            assert (await own.view())["state"]["lights"] == 1


async def test_15_3_idle_sockets_keep_no_visitor_from_a_page(tmp_path: Path) -> None:
    """Whoever says what he wants takes the place of the one who has been silent longest."""
    async with attacked(tmp_path) as floor, floor.browser() as visitor:
        await floor.attack(STRANGERS, b"")
        async with visitor.get(f"{floor.url}/sign") as answer:
            assert answer.status == 200


async def test_15_3_one_address_has_few_places(tmp_path: Path) -> None:
    """The others are turned away at once."""
    async with attacked(tmp_path) as floor:
        await asyncio.gather(*(floor._stay("127.8.0.1", None) for _ in range(20)))
        await asyncio.sleep(0)
        assert floor.pages.connections == SMALL.most_per_address


async def test_15_3_a_header_and_a_body_have_deadlines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever does not finish what he began is dropped, or told 408."""
    monkeypatch.setattr("common.web.bounded_server.BODY_S", 0.2)
    bounds = Bounds(most=40, most_per_address=40, header_s=0.2, idle_s=0.2)
    async with attacked(tmp_path, bounds) as floor:
        context = floor.trusted
        for words, reply in ((HALF_A_HEADER, b""), (HALF_A_BODY, b"HTTP/1.1 408")):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", floor.pages.port, ssl=context, server_hostname="localhost"
            )
            writer.write(words)
            heard = b""
            async with asyncio.timeout(20):
                while chunk := await _read(reader):
                    heard += chunk
            assert heard.startswith(reply)
            writer.transport.abort()
        assert floor.pages.connections == 0


async def test_15_3_a_local_programs_idle_sockets_stop_nothing(tmp_path: Path) -> None:
    """More of them than the table's own port has places: the panel loads and follows, and programs are answered."""
    async with paper_floor(tmp_path) as floor:
        bench = floor.tables["T1"]
        assert bench.assembly is not None
        port = bench.assembly.port
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(STRANGERS * 2)]
        async with page_at(f"http://127.0.0.1:{bench.assembly.port}") as page:
            assert (await page.view())["people"] == []
        status, _ = await asyncio.to_thread(ask, bench.assembly.control, "GET", "/api/state", within_s=9)
        assert status == 200
        for _, writer in held:
            writer.transport.abort()


async def test_15_3_readers_of_the_sign_are_counted_and_signs_are_not(tmp_path: Path) -> None:
    """Strangers who fill every place of the players' stream leave the sign its own."""
    bounds = Bounds(most=MOST_READERS + 40, most_per_address=MOST_READERS + 40)
    async with attacked(tmp_path, bounds) as floor, AsyncExitStack() as streams:
        stranger = await streams.enter_async_context(floor.browser())
        for _ in range(MOST_READERS):
            await opened(streams, stranger, f"{floor.url}/sign/stream")
        async with stranger.get(f"{floor.url}/sign/stream") as late:
            assert late.status == 503
        sign = await streams.enter_async_context(floor.browser(SIGN))
        async with sign.get(f"{floor.url}/sign/stream") as reserved:
            assert reserved.status == 200


async def test_15_3_without_its_daemon_the_pages_say_so(tmp_path: Path) -> None:
    """One line of JSON, and 502."""
    async with attacked(tmp_path) as floor, floor.browser() as visitor:
        assert floor.bench.assembly is not None
        await floor.bench.power_cut()
        async with visitor.get(f"{floor.url}/sign") as answer:
            assert answer.status == 502
            assert "the daemon does not answer at pages.sock" in (await answer.json())["error"]


async def test_15_3_strangers_fill_no_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Garbage, half a body and a handshake that fails leave no line."""
    async with attacked(tmp_path) as floor:
        caplog.clear()
        await floor.attack(10, b"\x00\x01 garbage\r\n\r\n")
        await floor.attack(10, HALF_A_BODY)
        await floor.attack(10, None)
        floor.leave()
        await floor.bench.until(lambda: not floor.pages.connections)
    assert [record.getMessage() for record in caplog.records if "table" not in record.name] == []


async def test_15_9_an_error_of_ours_is_one_line_of_json(caplog: pytest.LogCaptureFixture) -> None:
    """The client gets no traceback; the log has it."""

    async def fails(_request: web.Request) -> web.Response:
        raise RuntimeError("secret detail")

    app, servers = web.Application(), WebServers()
    app.router.add_get("/", fails)
    listener = tcp_listener("127.0.0.1", 0)
    port = listener.getsockname()[1]
    await servers.listen(app, listener, Bounds())
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{port}/") as answer:
        body = await answer.text()
        assert (answer.status, json.loads(body)["where"]) == (500, "server")
    await servers.close()
    assert "secret" not in body
    assert "secret detail" in caplog.text


@pytest.mark.parametrize("text", [".".join("a" * 3_000) + " = 1", "[" + ".".join("a" * 3_000) + "]\nb = 1"])
def test_15_9_a_key_of_3000_parts_is_refused_with_words(tmp_path: Path, text: str) -> None:
    """And not with a RecursionError."""
    path = tmp_path / "table.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match="is nested too deeply"):
        open_settings(path)


async def _read(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read(4096)
    except ConnectionError:
        return b""
