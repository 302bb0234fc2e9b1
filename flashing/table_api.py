"""API client of a flash for the running table: is it at rest, and is it healthy."""

import http.client
from typing import Final, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from flashing.ports import TableState

_PATIENCE_S: Final = 10
_T = TypeVar("_T")


class _TableReply(Struct):
    accepted: bool
    reason: str


class TableApiClient:
    """Asks a table on loopback."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        self._host, self._port = place.hostname or "127.0.0.1", place.port or 80

    def look(self) -> TableState | None:
        """How it stands, or None if it does not answer."""
        return _decoded(self._ask("GET", "state", None), TableState)

    def close(self, reason: str) -> str:
        """Asks it to close; what it answers to that is its own reason."""
        answer = _decoded(self._ask("POST", "close", {"by": "flash", "reason": reason}), _TableReply)
        return "the table does not answer" if answer is None else answer.reason

    def _ask(self, method: str, what: str, body: dict[str, str] | None) -> bytes | None:
        connection = http.client.HTTPConnection(self._host, self._port, timeout=_PATIENCE_S)
        try:
            content = None if body is None else msgspec.json.encode(body)
            connection.request(method, f"/api/{what}", content, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            words = answer.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()
        return words if answer.status in {200, 409} else None


def _decoded(body: bytes | None, kind: type[_T]) -> _T | None:
    """Whoever answers otherwise is no table."""
    try:
        return None if body is None else msgspec.json.decode(body, type=kind)
    except msgspec.DecodeError:
        return None
