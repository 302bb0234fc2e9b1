"""What a rig is, to the tests: a board's wires in somebody's hands, its plug, and a shell on it."""

import importlib
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias, cast

from msgspec import Struct

from hil.vm import Done

Step: TypeAlias = tuple[int, bool, float]
"""A line, the level put on it, and for how many milliseconds before the next step."""
VIRTUAL: Final = "hil.virtual:VirtualRig"


class Lost(Struct, frozen=True):
    """Writes that a disk had taken and not flushed when its power went, and how many of them are gone or torn."""

    cached: int = 0
    writes: int = 0


class Wires(Protocol):
    """The header's lines from the outside."""

    def drive(self, levels: Mapping[int, bool]) -> None:
        """Puts levels on inputs of the board."""

    def play(self, steps: Sequence[Step]) -> None:
        """Puts levels on inputs one after the other."""

    def read(self, lines: Iterable[int]) -> dict[int, bool]:
        """The levels of the board's outputs."""


class Shell(Protocol):
    """A technician on the board."""

    def run(self, *argv: str, within_s: float = ..., stdin: str = ...) -> Done:
        """Runs a command as root."""

    def must(self, *argv: str, within_s: float = ..., stdin: str = ...) -> str:
        """Runs a command that may not fail."""

    def database(self, path: str) -> bytes:
        """A copy of an SQLite file as it stands."""

    def ask(self, action: str, body: Mapping[str, Any] | None = None) -> tuple[int, Any]:
        """Asks the table's control interface; status 0 without a table."""


class Plug(Protocol):
    """The board's power."""

    def pull(self) -> Lost:
        """Cuts it at once; what the disk lost with it, if that is known."""

    def put_in(self) -> None:
        """Gives power, and returns when the board answers."""


class Rig(Wires, Shell, Plug, Protocol):
    """A board on a bench."""


def rig_class() -> "type[Any]":
    """The rig that HIL_RIG=module:Class names; the virtual one without it."""
    module, _, name = os.environ.get("HIL_RIG", VIRTUAL).partition(":")
    return cast("type[Any]", getattr(importlib.import_module(module), name))
