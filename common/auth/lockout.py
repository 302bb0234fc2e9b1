"""PIN lock-out: how long the next try waits after wrong ones, apart for each person, place and address.

Waits run by the monotonic clock. The file holds counts only: after a restart every wait begins anew, so that neither a
restart nor a change of the calendar shortens one.
"""

import math
from collections.abc import Callable, Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from common.files import write_privately

OWN_SCREEN: Final = ""
"""The source of a try at the machine's own screen or console; every other source is an address."""
WAITS_S: Final[Mapping[str, tuple[int, ...]]] = {
    "own": (0, 1, 2, 5, 15, 30, 60),
    "remote": (0, 1, 2, 5, 15, 60, 900, 3600),
    "address": (0, 0, 0, 0, 0, 1, 5, 15, 60, 900),
    "stop own": (0, 1, 2, 5, 10),
    "stop remote": (0, 1, 2, 5, 10, 30),
}
"""Seconds after so many wrong tries in a row: of a person at the own screen, of a person over the network, from an
address, and of a person who orders a stop. A wait for a stop only delays it."""
QUIET_S: Final = 24 * 3600
"""After so long without another wrong try the count begins anew."""
MOST_ADDRESSES: Final = 500
_LONGEST_S: Final = max(map(max, WAITS_S.values()))
_Key: TypeAlias = str


class WrongTries(Struct, frozen=True):
    """Wrong tries in a row, and when the wait for the last one began."""

    count: int
    since: float


class LockOut:
    """The file of wrong tries; a try is wrong on disk before its PIN is even looked at.

    Read again at every question: a command may have counted one, or let somebody try again, meanwhile.
    """

    def __init__(self, path: Path, now: Callable[[], float]) -> None:
        self._path, self._now = path, now
        self._known: dict[_Key, WrongTries] = {}

    def wait_s(self, person: str, source: str, *, stops: bool = False) -> int:
        """How long this person's next try from this source waits; a person who is not known is empty."""
        self._look()
        return max((self._left_s(key) for key in _keys(person, source, stops=stops)), default=0)

    def count(self, person: str, source: str, *, stops: bool = False) -> int:
        """Wrong tries in a row of this person from this source."""
        known = (self._known.get(key) for key in _keys(person, source, stops=stops))
        return max((tries.count for tries in known if tries), default=0)

    def begin(self, person: str, source: str, *, stops: bool = False) -> None:
        """Counts a try as wrong, until succeed() says otherwise."""
        self._look()
        for key in _keys(person, source, stops=stops):
            before = self._known.get(key, WrongTries(0, -math.inf))
            is_quiet = self._now() - before.since > QUIET_S
            self._known[key] = WrongTries((0 if is_quiet else before.count) + 1, self._now())
        self._write()

    def succeed(self, person: str, source: str, *, stops: bool = False) -> None:
        """The PIN was right: the person's count here begins anew; of the address only this try was none."""
        for key in _keys(person, source, stops=stops):
            tries = self._known.pop(key, None)
            if tries is not None and key.startswith("address ") and tries.count > 1:
                self._known[key] = WrongTries(tries.count - 1, self._now() - _LONGEST_S)
        self._write()

    def unlock(self, person: str) -> None:
        """Somebody with a key to the machine lets this person try again, everywhere."""
        self._look()
        for kind in WAITS_S:
            self._known.pop(f"{kind} {person}", None)
        self._write()

    def _left_s(self, key: _Key) -> int:
        tries = self._known.get(key)
        if tries is None:
            return 0
        waits = WAITS_S[key.rpartition(" ")[0]]
        wait_s = waits[min(tries.count, len(waits) - 1)]
        return max(0, math.ceil(tries.since + wait_s - self._now()))

    def _look(self) -> None:
        """Takes the counts of the file; a count that is new here waits from now on."""
        counts = _read(self._path)
        self._known = {
            key: known if (known := self._known.get(key)) and known.count == count else WrongTries(count, self._now())
            for key, count in counts.items()
        }

    def _write(self) -> None:
        addresses = sorted(
            (key for key in self._known if key.startswith("address ")), key=lambda key: self._known[key].since
        )
        for old in addresses[:-MOST_ADDRESSES]:
            del self._known[old]
        write_privately(self._path, msgspec.json.encode({key: tries.count for key, tries in self._known.items()}))


def source_of(address: str) -> str:
    """The source that an address counts as: an IPv6 network of 64 bits belongs to one house or one stranger."""
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped) if found.ipv4_mapped else str(ip_network((found.packed, 64), strict=False))
    return str(found)


def _keys(person: str, source: str, *, stops: bool) -> list[_Key]:
    place = "own" if source == OWN_SCREEN else "remote"
    of_person = [f"{'stop ' if stops else ''}{place} {person}"] if person else []
    return of_person if stops or source == OWN_SCREEN else [*of_person, f"address {source}"]


def _read(path: Path) -> dict[_Key, int]:
    """What the file says; one that was spoiled forgives no more than one that was deleted."""
    try:
        counts = msgspec.json.decode(path.read_bytes(), type=dict[_Key, int])
    except (FileNotFoundError, msgspec.DecodeError):
        return {}
    return {key: count for key, count in counts.items() if key.rpartition(" ")[0] in WAITS_S and count > 0}
