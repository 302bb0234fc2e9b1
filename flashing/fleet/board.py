"""A board's side of the fleet: reports, takes an order once, fetches the bundle and has it flashed."""

import hashlib
import http.client
import ssl
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from common.board_health import BoardHealth
from flashing.bundle import open_bundle, read_proof
from flashing.errors import FlashError, flash_errors
from flashing.files import SyncedFiles
from flashing.fleet.messages import (
    BUNDLE_PATH,
    LOGS_PATH,
    MOST_LOG_BYTES,
    REPORT_PATH,
    BoardReport,
    FlashOrder,
    FleetReply,
)
from flashing.fleet.settings import FleetAddress
from flashing.keys import Trust
from flashing.paths import PROOF, BoardPaths
from flashing.ports import RunningTable
from flashing.state import FlashNotes
from flashing.versions import build_words, order, this_platform

MOST_TRIES: Final = 10
WITHIN_S: Final = 60
_PIECE: Final = 2**20
_SETTINGS: Final = ("table.toml", "meter.toml")


class FleetUnreachable(Exception):  # noqa: N818  what happened, not whose fault it is
    """The fleet server does not answer; the next report tries again."""


class FleetLink(Protocol):
    """The fleet server, as a board sees it."""

    def report(self, report: BoardReport) -> FleetReply: ...

    def fetch(self, version: str, platform: str) -> Iterator[bytes]: ...

    def send_logs(self, text: bytes) -> None: ...


class FlashUnits(Protocol):
    """Flash units of this board."""

    def begin(self, version: str) -> str:
        """Starts the flash of a version without waiting for it; returns what went wrong, or nothing."""
        ...

    def failure(self, version: str) -> str:
        """Why the flash unit of a version has failed, or nothing."""
        ...


class ActedOrder(Struct, frozen=True):
    """The last order that this board has acted on; last_flash_ns is when the flash before it had ended."""

    number: int = 0
    version: str = ""
    tries: int = 0
    problem: str = ""
    trouble: str = ""
    last_flash_ns: int = 0
    has_begun: bool = False


class FleetBoard:
    """Asks the server what to run."""

    def __init__(
        self,
        name: str,
        places: BoardPaths,
        table: RunningTable | None,
        units: FlashUnits,
        *,
        health: Callable[[], BoardHealth],
        logs: Callable[[], bytes],
    ) -> None:
        self._name, self._places, self._table, self._units = name, places, table, units
        self._health, self._logs = health, logs
        self._disk = SyncedFiles()
        self._notes = FlashNotes(places, self._disk)

    def pull(self, link: FleetLink) -> str:
        """One report and what follows from its answer; returns what was done, in words."""
        reply = link.report(self.report())
        if reply.wants_logs:
            link.send_logs(self._logs()[-MOST_LOG_BYTES:])
        acted = self._acted()
        if reply.order is None or self._notes.read() is not None:
            return "reported; nothing is ordered"
        if reply.order.number == acted.number and (acted.has_begun or acted.problem):
            return f"reported; order {acted.number} was acted on"
        return self._obey(reply.order, acted, link)

    def report(self) -> BoardReport:
        """How this board is."""
        state, acted, seen = self._notes.read(), self._acted(), self._table.look() if self._table else None
        last = self._notes.read_last()
        return BoardReport(
            board=self._name,
            version=self._places.running(),
            platform=this_platform(),
            program_hash=self._program_hash(),
            settings_hash=self._settings_hash(),
            phase=seen.phase if seen else "",
            is_well=self._table is None or bool(seen and seen.phase),
            health=self._health(),
            flashing=state.version if state else "",
            at_step=state.step if state else "",
            last_flash=str(last) if last else "",
            order=acted.number,
            problem="" if state else self._problem(acted),
            trouble=acted.trouble,
        )

    def _obey(self, said: FlashOrder, acted: ActedOrder, link: FleetLink) -> str:
        """Fetches and begins; the network may fail now and then, anything else fails the order."""
        tries = acted.tries + 1 if acted.number == said.number else 1
        acted = ActedOrder(said.number, said.version, tries, last_flash_ns=self._last_flash_ns())
        try:
            if self._places.running() == said.version:
                return self._note(replace(acted, has_begun=True), f"{said.version} runs already")
            self._fetch(said, link)
            problem = self._units.begin(said.version)
        except FleetUnreachable as error:
            key = "problem" if tries >= MOST_TRIES else "trouble"
            words = f"{said.version} cannot be fetched: {error} ({tries} times)"
            return self._note(replace(acted, **{key: words}), words)
        except FlashError as error:
            return self._note(replace(acted, problem=str(error)), str(error))
        if problem:
            return self._note(replace(acted, problem=f"the flash does not start: {problem}"), problem)
        return self._note(replace(acted, has_begun=True), f"flash of {said.version} begins")

    def _fetch(self, said: FlashOrder, link: FleetLink) -> None:
        """The bundle, whole and signed, where flashes find it; older ones make room for it."""
        order(said.version)
        if not said.size:
            words = build_words(this_platform())
            raise FlashError(f"no bundle of {said.version} for this board: `pitlink bundle build {words}`, then add it")
        arrived = self._places.bundles / ".from-fleet"
        try:
            with flash_errors(arrived):
                self._places.bundles.mkdir(parents=True, exist_ok=True)
                self._drop_older()
                digest, size = hashlib.sha256(), 0
                with arrived.open("wb") as file, closing(_pieces(link, said.version)) as pieces:
                    for piece in pieces:
                        size += len(piece)
                        if size > said.size:
                            break
                        digest.update(piece)
                        file.write(piece)
            if size != said.size or digest.hexdigest() != said.sha256:
                raise FleetUnreachable(f"{size:,} of {said.size:,} bytes came, or others than the server has")
            with open_bundle(arrived, Trust.of(self._places.trust), known_as=Path(f"{said.version}.pitlink")) as bundle:
                if bundle.manifest.version != said.version:
                    raise FlashError(f"the bundle is {bundle.manifest.version}, {said.version} was ordered")
            self._disk.rename(arrived, self._places.bundle(said.version))
        finally:
            self._disk.remove(arrived)

    def _drop_older(self) -> None:
        running = self._places.running()
        for path in self._places.bundles.glob("*.pitlink"):
            try:
                is_older = bool(running) and order(path.stem) < order(running)
            except FlashError:
                continue  # not a name of ours
            if is_older:
                path.unlink()

    def _problem(self, acted: ActedOrder) -> str:
        if acted.problem or not acted.has_begun:
            return acted.problem
        last = self._notes.read_last()
        if last is not None and self._last_flash_ns() != acted.last_flash_ns:
            return str(last) if last.went_back else ""
        return self._units.failure(acted.version)

    def _last_flash_ns(self) -> int:
        path = self._places.state / "last.json"
        return path.stat().st_mtime_ns if path.is_file() else 0

    def _note(self, acted: ActedOrder, words: str) -> str:
        self._disk.write(self._places.state / "order.json", msgspec.json.encode(acted))
        return words

    def _acted(self) -> ActedOrder:
        path = self._places.state / "order.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=ActedOrder)
        except (FileNotFoundError, msgspec.DecodeError):
            return ActedOrder()  # the order comes again, and a flash of what runs already does nothing

    def _program_hash(self) -> str:
        proof = self._places.current / PROOF
        try:
            return read_proof(proof, Trust.of(self._places.trust)).manifest.program_hash if proof.is_file() else ""
        except FlashError:
            return "unproved"

    def _settings_hash(self) -> str:
        digest = hashlib.sha256()
        for path in (self._places.settings / name for name in _SETTINGS):
            if path.is_file():
                digest.update(path.read_bytes())
        return digest.hexdigest()


class HttpsFleetLink:
    """The fleet server over mutual TLS."""

    def __init__(self, address: FleetAddress, context: ssl.SSLContext) -> None:
        self._address, self._context = address, context

    def report(self, report: BoardReport) -> FleetReply:
        body = self._ask("POST", REPORT_PATH, msgspec.json.encode(report))
        try:
            return msgspec.json.decode(body, type=FleetReply)
        except msgspec.DecodeError as error:
            raise FleetUnreachable(f"{self._address.host} answers as no fleet server does ({error})") from error

    def fetch(self, version: str, platform: str) -> Iterator[bytes]:
        with self._answer("GET", f"{BUNDLE_PATH}/{version}/{platform}") as answer:
            while piece := answer.read(_PIECE):
                yield piece

    def send_logs(self, text: bytes) -> None:
        self._ask("POST", LOGS_PATH, text)

    def _ask(self, method: str, path: str, body: bytes | None = None) -> bytes:
        with self._answer(method, path, body) as answer:
            return answer.read()

    @contextmanager
    def _answer(self, method: str, path: str, body: bytes | None = None) -> Iterator[http.client.HTTPResponse]:
        host, port = self._address.host, self._address.port
        connection = http.client.HTTPSConnection(host, port, timeout=WITHIN_S, context=self._context)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            if answer.status != http.client.OK:
                words = answer.read(2_000).decode("utf-8", "replace")
                raise FleetUnreachable(f"{host}:{port} refuses: {words}")
            yield answer
        except (OSError, http.client.HTTPException) as error:
            raise FleetUnreachable(f"{host}:{port}: {error or type(error).__name__}") from error
        finally:
            connection.close()


def _pieces(link: FleetLink, version: str) -> Generator[bytes, None, None]:
    yield from link.fetch(version, this_platform())
