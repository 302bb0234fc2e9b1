"""A ccTalk wire on a serial port: one question and its answer at a time."""

import asyncio
import errno
from collections.abc import Container
from contextlib import suppress
from typing import Final

import serial_asyncio_fast
from msgspec import Struct

from drivers.cctalk.commands import Header
from drivers.cctalk.frame import BROADCAST, HOST, LONGEST, UNTOLD, CcTalkMessage, Checksum, Parser, encode
from drivers.ports import FaultKind, ReturnFault

_BUSY_PAUSE_MS: Final = 50


class BusSettings(Struct, frozen=True):
    """How to speak on one serial port."""

    port: str
    baud: int = 9600
    checksum: Checksum = Checksum.SIMPLE
    echo: bool = True  # the adapter lets us hear our own bytes: they are then compared
    reply_timeout_ms: int = 250
    gap_ms: int = 50  # the standard's longest pause inside a frame
    retries: int = 3
    busy_ms: int = 3_000  # how long a device may say that it is busy
    roll_call_ms: int = 1_250  # the standard's 1.2 s, in which each device answers once and hears nothing


class AddressPoll(Struct, frozen=True):
    """What a poll of all addresses brought."""

    addresses: tuple[int, ...]
    has_echo: bool


class BusyFault(ReturnFault):
    """The device has heard the question and put it off: nothing was done, and it may be asked again."""


class Bus:
    """The wire; it opens by itself when it is used, also after the adapter was unplugged."""

    def __init__(self, settings: BusSettings) -> None:
        self._settings = settings
        self._line: _Line | None = None
        self._turn = asyncio.Lock()
        self._is_settled = False

    async def ask(self, request: CcTalkMessage, sizes: Container[int]) -> CcTalkMessage:
        """The answer to a question that may be put again; sizes are the lengths a sound answer can have."""
        for _ in range(self._settings.retries):
            try:
                return await self.ask_when_free(request, sizes)
            except BusyFault:
                raise
            except ReturnFault as fault:
                if fault.kind is FaultKind.MISSING:
                    raise
        return await self.ask_when_free(request, sizes)

    async def ask_when_free(self, request: CcTalkMessage, sizes: Container[int]) -> CcTalkMessage:
        """The answer to a question put exactly once, as soon as the device is not busy any more."""
        for _ in range(self._settings.busy_ms // _BUSY_PAUSE_MS):
            try:
                return await self.ask_once(request, sizes)
            except BusyFault:
                await asyncio.sleep(_BUSY_PAUSE_MS / 1000)
        return await self.ask_once(request, sizes)

    async def ask_once(self, request: CcTalkMessage, sizes: Container[int]) -> CcTalkMessage:
        """The answer to a question put exactly once; a fault leaves open whether the device has heard it."""
        async with self._turn:
            line = await self._ready_line()
            self._is_settled = False
            frame = encode(request, self._settings.checksum)
            line.say(frame)
            if self._settings.echo:
                await self._hear_echo(line, frame)
            answer = await self._hear_answer(line, request)
            self._require_sound(request, answer, sizes)
            self._is_settled = True
            return answer

    async def roll_call(self, address: int) -> int:
        """How many devices answer at one address; each says its address once, at a moment of its own choice."""
        heard, _ = await self._hear_roll(CcTalkMessage(address, HOST, Header.ADDRESS_CLASH))
        return heard.count(bytes((address,)))

    async def poll_addresses(self) -> "AddressPoll":
        """Who answers a poll of all addresses; not every device does."""
        heard, has_echo = await self._hear_roll(CcTalkMessage(BROADCAST, HOST, Header.ADDRESS_POLL))
        return AddressPoll(tuple(sorted({*heard} - {BROADCAST, HOST})), has_echo=has_echo)

    async def _hear_roll(self, question: CcTalkMessage) -> tuple[bytes, bool]:
        """The bare bytes that answer a question about addresses, and whether the wire said the question back."""
        request = encode(question, self._settings.checksum)
        async with self._turn:
            line = await self._ready_line()
            self._is_settled = False
            line.say(request)
            heard, over = b"", asyncio.get_running_loop().time() + self._settings.roll_call_ms / 1000
            is_over = False
            while not is_over:  # once more at the end: what came while we were held up counts, too
                is_over = asyncio.get_running_loop().time() >= over
                heard += await line.hear(self._settings.gap_ms)
            return heard.replace(request, b""), request in heard

    async def close(self) -> None:
        """Lets the port go; the next question opens it again."""
        if self._line is not None:
            await self._line.hang_up()
            self._line = None

    async def _ready_line(self) -> "_Line":
        if self._line is None or self._line.is_lost:
            self._line, self._is_settled = await self._open(), False
        if not self._is_settled:
            await self._wait_for_quiet(self._line)
        self._line.forget()
        return self._line

    async def _open(self) -> "_Line":
        port = self._settings.port
        try:
            _, line = await serial_asyncio_fast.create_serial_connection(
                asyncio.get_running_loop(), lambda: _Line(port), port, baudrate=self._settings.baud, exclusive=True
            )
        except (OSError, ValueError) as error:
            raise ReturnFault(FaultKind.MISSING, f"{port} cannot be opened: {_why_not(error)}") from error
        assert isinstance(line, _Line)
        return line

    async def _wait_for_quiet(self, line: "_Line") -> None:
        """After a failed or abandoned question its answer may still come: it must not be taken for the next one's."""
        for _ in range(LONGEST):
            if not await line.hear(self._settings.gap_ms):
                return

    async def _hear_echo(self, line: "_Line", frame: bytes) -> None:
        heard = b""
        while len(heard) < len(frame) and frame.startswith(heard):
            chunk = await line.hear(self._settings.reply_timeout_ms)
            if not chunk:
                break
            heard += chunk
        if not heard.startswith(frame):
            detail = (
                f"{self._settings.port} {'heard itself say something else' if heard else 'did not hear itself'}; "
                "look for a second talker or a broken wire, or set echo = false if the adapter has none"
            )
            raise ReturnFault(FaultKind.GARBLED if heard else FaultKind.SILENT, detail)
        line.push_back(heard[len(frame) :])

    async def _hear_answer(self, line: "_Line", request: CcTalkMessage) -> CcTalkMessage:
        parser, strangers, heard = Parser(self._settings.checksum), set[int](), b""
        while len(heard) <= 2 * LONGEST:  # an echo and an answer; more is a babbler
            chunk = await line.hear(self._settings.gap_ms if parser.is_waiting else self._settings.reply_timeout_ms)
            heard += chunk
            for message in parser.feed(chunk) if chunk else parser.silence():
                if self._is_answer(message, request):
                    return message
                if message.destination == HOST:
                    strangers.add(message.source)
            if not chunk:
                break
        raise self._no_answer(request, heard, strangers)

    def _is_answer(self, message: CcTalkMessage, request: CcTalkMessage) -> bool:
        return message.destination == HOST and message.source in (request.destination, UNTOLD)

    def _no_answer(self, request: CcTalkMessage, heard: bytes, strangers: set[int]) -> ReturnFault:
        place = f"address {request.destination} on {self._settings.port}"
        noise = heard.replace(encode(request, self._settings.checksum), b"")  # an echo that was not announced
        if strangers:
            others = ", ".join(str(address) for address in sorted(strangers))
            detail = f"{place} does not answer but address {others} does; correct one of them"
            return ReturnFault(FaultKind.SILENT, detail)
        if noise:
            # Without bytes and header: a fault that says something else each time is written down each time.
            detail = f"{place} answered nonsense; look at its cable, speed and checksum"
            return ReturnFault(FaultKind.GARBLED, detail)
        return ReturnFault(FaultKind.SILENT, f"{place} does not answer; look at its power, cable and address")

    def _require_sound(self, request: CcTalkMessage, answer: CcTalkMessage, sizes: Container[int]) -> None:
        place = f"address {request.destination} on {self._settings.port}"
        if answer.header == Header.BUSY:
            self._is_settled = True
            raise BusyFault(FaultKind.SILENT, f"{place} says that it is busy")
        if answer.header == Header.NAK:
            return
        if answer.header != Header.REPLY or len(answer.data) not in sizes:
            detail = f"{place} answered header {request.header} with header {answer.header} and {answer.data.hex(' ')}"
            raise ReturnFault(FaultKind.GARBLED, detail)


def _why_not(error: OSError | ValueError) -> str:
    """Why a port does not open, and what to do."""
    match getattr(error, "errno", None):
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return "there is no such port; plug in the adapter or correct the port's name"
        case errno.EACCES | errno.EPERM:
            return "this user may not open it; join the group of serial ports: adduser USER dialout"
        case errno.EAGAIN | errno.EBUSY:
            return "another program speaks there; stop the table, or whoever has it (fuser -v names it)"
        case _:
            return f"it is no serial port ({error}); correct the port's name"


class _Line(asyncio.Protocol):
    """The open port: what has been heard and not yet been taken."""

    def __init__(self, port: str) -> None:
        self.is_lost = False
        self._port = port
        self._heard = bytearray()
        self._news = asyncio.Event()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._heard += data
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  the reason says less than "unplugged"
        self.is_lost = True
        self._news.set()

    def say(self, frame: bytes) -> None:
        assert self._transport is not None
        self._transport.write(frame)

    async def hear(self, wait_ms: float) -> bytes:
        """What has come, or nothing after that time; a lost port is a fault."""
        if not self._heard and not self.is_lost:
            self._news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_ms / 1000):
                    await self._news.wait()
        if self.is_lost:
            raise ReturnFault(FaultKind.MISSING, f"{self._port} went away; plug the adapter in again")
        heard = bytes(self._heard)
        self.forget()
        return heard

    def push_back(self, chunk: bytes) -> None:
        self._heard[:0] = chunk

    def forget(self) -> None:
        self._heard.clear()

    async def hang_up(self) -> None:
        assert self._transport is not None
        if not self._transport.is_closing():
            self._transport.abort()
        while not self.is_lost:
            self._news.clear()
            await self._news.wait()
