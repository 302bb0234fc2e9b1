"""PIN lock-out: how long a person must wait after wrong PINs; kept on disk across restarts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from common.auth.pins import write_privately

EVERYBODY: Final = "*"
"""Stands for the whole staff: whoever tries one PIN on many names is stopped, too."""
LOCKED_S: Final = 15 * 60
LOCKED_AFTER: Final = 5
MOST_OF_ALL: Final = 25
_WAITS_S: Final = (0, 1, 2, 5, 15, LOCKED_S)
_WAITS_OF_ALL_S: Final = (*[0] * MOST_OF_ALL, LOCKED_S)
_MOST_NAMES: Final = 200


class FailedAttempts(Struct, frozen=True, forbid_unknown_fields=True):
    """Wrong PINs in a row, and when the last one was."""

    count: int = 0
    last_ms: int = 0

    def wait_ms(self, now_ms: int, waits_s: Sequence[int] = _WAITS_S) -> int:
        """How long until the next attempt counts."""
        wait_s = waits_s[min(self.count, len(waits_s) - 1)]
        return max(0, wait_s * 1000 - max(0, now_ms - self.last_ms))

    def one_more(self, now_ms: int) -> "FailedAttempts":
        """These and another one; after a quiet quarter of an hour they are forgotten first."""
        quiet = now_ms - self.last_ms > LOCKED_S * 1000
        return FailedAttempts((0 if quiet else self.count) + 1, now_ms)


class LockOut:
    """The file of failures; an attempt is a failure on disk before its PIN is even looked at.

    Read again at every question: a command may have counted one, or let somebody try again, meanwhile.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def wait_ms(self, name: str, now_ms: int) -> int:
        """How long this person, or everybody, must wait; a calendar that was set back starts the wait anew."""
        own, all_names = (self._by_now(key, now_ms) for key in (name, EVERYBODY))
        return max(own.wait_ms(now_ms), all_names.wait_ms(now_ms, _WAITS_OF_ALL_S))

    def is_locked(self, name: str) -> bool:
        """Whether this person has been wrong too often."""
        return self._of(name).count >= LOCKED_AFTER

    def begin(self, name: str, now_ms: int) -> None:
        """Counts an attempt as failed, until succeed() says otherwise."""
        self._put({key: self._of(key).one_more(now_ms) for key in (name.casefold(), EVERYBODY)})

    def succeed(self, name: str) -> None:
        """The PIN was right: his failures are forgotten, and this attempt was none of everybody's."""
        all_names = self._of(EVERYBODY)
        self._put(
            {
                name.casefold(): FailedAttempts(),
                EVERYBODY: FailedAttempts(max(0, all_names.count - 1), all_names.last_ms),
            }
        )

    def unlock(self, name: str) -> None:
        """Somebody with a key to the machine lets him try again."""
        self._put({name.casefold(): FailedAttempts(), EVERYBODY: FailedAttempts()})

    def _of(self, name: str) -> FailedAttempts:
        return _read(self._path).get(name.casefold(), FailedAttempts())

    def _by_now(self, name: str, now_ms: int) -> FailedAttempts:
        failures = self._of(name)
        if failures.last_ms > now_ms:
            self._put({name.casefold(): FailedAttempts(failures.count, now_ms)})
        return self._of(name)

    def _put(self, changed: dict[str, FailedAttempts]) -> None:
        kept = {name: failures for name, failures in {**_read(self._path), **changed}.items() if failures.count}
        newest = sorted(kept, key=lambda name: (name == EVERYBODY, kept[name].last_ms))[-_MOST_NAMES:]
        write_privately(self._path, msgspec.json.encode({name: kept[name] for name in newest}))


def _read(path: Path) -> dict[str, FailedAttempts]:
    """What the file says; one that cannot be read counts as a lock for everybody, for it may have been made so."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, FailedAttempts])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError):
        return {EVERYBODY: FailedAttempts(MOST_OF_ALL, path.stat().st_mtime_ns // 1_000_000)}
