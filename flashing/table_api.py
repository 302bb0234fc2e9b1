"""API client of a flash for the running table: is it at rest, and is it healthy."""

import http.client
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from common.unix_http import ask
from flashing.ports import TableState

_PATIENCE_S: Final = 10
_T = TypeVar("_T")


class _TableReply(Struct):
    accepted: bool
    reason: str


class TableApiClient:
    """Asks a table at its control.sock; None is no table."""

    def __init__(self, control: Path | None) -> None:
        self._control = control

    def look(self) -> TableState | None:
        """How it stands, or None if it does not answer."""
        return _decoded(self._ask("GET", "state", None), TableState)

    def close(self, reason: str) -> str:
        """Asks it to close; what it answers to that is its own reason."""
        answer = _decoded(self._ask("POST", "close", {"reason": reason}), _TableReply)
        return "the table does not answer" if answer is None else answer.reason

    def _ask(self, method: str, what: str, body: dict[str, str] | None) -> bytes | None:
        if self._control is None:
            return None
        content = None if body is None else msgspec.json.encode(body)
        try:
            status, words = ask(self._control, method, f"/api/{what}", content, within_s=_PATIENCE_S)
        except (OSError, http.client.HTTPException):
            return None
        return words if status in {200, 409} else None


def _decoded(body: bytes | None, kind: type[_T]) -> _T | None:
    """Whoever answers otherwise is no table."""
    try:
        return None if body is None else msgspec.json.decode(body, type=kind)
    except msgspec.DecodeError:
        return None
