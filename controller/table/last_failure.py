"""Last failure: why the program ended by itself, kept on disk until acknowledged."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from common.files import write_privately

MOST_WORDS: Final = 500
FILE: Final = "last-failure.json"


class Failure(Struct, frozen=True, forbid_unknown_fields=True):
    """The last reason, when that was, and how often it has happened since somebody acknowledged."""

    reason: str
    at_ms: int
    times: int = 1

    def __str__(self) -> str:
        at = datetime.fromtimestamp(self.at_ms / 1000, UTC).isoformat(sep=" ", timespec="seconds")
        often = f"{self.times} times, last " if self.times > 1 else ""
        return f"stopped {often}{at.removesuffix('+00:00')} UTC: {self.reason}"


class LastFailure:
    """The file of the last failure; whoever cannot write it has a larger trouble and says that instead."""

    def __init__(self, state_dir: Path) -> None:
        self._path = state_dir / FILE
        self.known = _read(self._path)

    def note(self, reason: str, at_ms: int) -> None:
        """The program is about to end because of this."""
        before = self.known.times if self.known else 0
        self.known = Failure(" ".join(reason.split())[:MOST_WORDS], at_ms, before + 1)
        write_privately(self._path, msgspec.json.encode(self.known))

    def acknowledge(self) -> None:
        """Somebody has read it."""
        self.known = None
        self._path.unlink(missing_ok=True)


def _read(path: Path) -> Failure | None:
    """What the file says; a damaged one is shown as such rather than forgotten."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Failure)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        return Failure(f"the reason cannot be read ({error})", path.stat().st_mtime_ns // 1_000_000)
