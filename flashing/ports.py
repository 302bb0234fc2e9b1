"""Ports of a flash: the units, the installed versions and the running table that it needs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct


class Units(Protocol):
    """The service manager."""

    def start(self, unit: str) -> str:
        """Starts a unit and waits until it is up, or done; returns what went wrong, or nothing."""
        ...

    def stop(self, unit: str) -> None:
        """Stops a unit and waits until it is down."""
        ...

    def is_active(self, unit: str) -> bool:
        """Whether it is up."""
        ...

    def reload(self) -> None:
        """Reads the unit files again."""
        ...


class CommandResult(Struct, frozen=True):
    """How a program ended."""

    code: int
    words: str


class Programs(Protocol):
    """The pitlink command of any installed version."""

    def run(self, version: Path, words: Sequence[str], *, owner_of: Path | None = None) -> CommandResult:
        """Runs one command of a version to its end, as the owner of a folder if one is named."""
        ...


class TableState(Struct, frozen=True):
    """What a flash must know of a running table."""

    phase: str = ""
    trouble: str = ""
    next_step: str = ""
    key_on: bool = False

    @property
    def is_closed(self) -> bool:
        """Whether nobody can wager."""
        return self.phase == "closed"


class RunningTable(Protocol):
    """The running table."""

    def look(self) -> TableState | None:
        """How it stands, or None if it does not answer."""
        ...

    def close(self, reason: str) -> str:
        """Asks it to close after the round in hand; returns why not, or nothing."""
        ...
