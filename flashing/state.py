"""Flash state: how far a flash has come, on disk before each step, and how the last one ended."""

import enum
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from flashing.errors import FlashError, flash_errors
from flashing.files import SyncedFiles
from flashing.paths import BoardPaths


class FlashStep(enum.StrEnum):
    """The steps of a flash in their order; up to the last it goes back if it fails, from there on it is done."""

    INSTALL = "install"
    CLOSE = "close"
    COPY = "copy"
    SWITCH = "switch"
    MIGRATE = "migrate"
    TEST = "test"
    START = "start"
    CONFIRMED = "confirmed"


class FlashEvent(enum.StrEnum):
    """What can become of a step."""

    DONE = "done"
    FAILED = "failed"
    CUT_OFF = "cut off"  # by the power, or by somebody who stopped the flash


class FlashEnd(enum.StrEnum):
    """How a flash can end."""

    WENT_BACK = "went_back"  # the version before runs, with its settings and its journal
    FINISHED = "finished"


ORDER: Final = tuple(FlashStep)
_UNCONFIRMED: Final = ORDER[:-1]
FLASH_LIFE: Final[Mapping[FlashEvent, Mapping[FlashStep, FlashStep | FlashEnd]]] = {
    FlashEvent.DONE: {
        FlashStep.INSTALL: FlashStep.CLOSE,
        FlashStep.CLOSE: FlashStep.COPY,
        FlashStep.COPY: FlashStep.SWITCH,
        FlashStep.SWITCH: FlashStep.MIGRATE,
        FlashStep.MIGRATE: FlashStep.TEST,
        FlashStep.TEST: FlashStep.START,
        FlashStep.START: FlashStep.CONFIRMED,
        FlashStep.CONFIRMED: FlashEnd.FINISHED,
    },
    # A confirmed flash that cannot be tidied up stays confirmed, and is finished when the board starts.
    FlashEvent.FAILED: {**dict.fromkeys(_UNCONFIRMED, FlashEnd.WENT_BACK), FlashStep.CONFIRMED: FlashStep.CONFIRMED},
    FlashEvent.CUT_OFF: {**dict.fromkeys(_UNCONFIRMED, FlashEnd.WENT_BACK), FlashStep.CONFIRMED: FlashEnd.FINISHED},
}
"""What follows what: step × event, the only place that says where a flash goes next."""
_T = TypeVar("_T")


class FlashState(Struct, frozen=True):
    """A flash under way; what going back needs is in it, because settings may be half-migrated by then."""

    version: str
    old: str
    step: FlashStep
    was_up: tuple[str, ...] = ()
    was_well: bool = False
    journal: str = ""
    journal_copy: str = ""

    def is_past(self, step: FlashStep) -> bool:
        """Whether this step may have begun."""
        return ORDER.index(self.step) >= ORDER.index(step)


class LastFlash(Struct, frozen=True):
    """How a flash ended."""

    version: str
    old: str
    step: FlashStep
    went_back: bool
    why: str
    cut_offs: int = 0  # in a row, with this version

    def __str__(self) -> str:
        if self.went_back:
            return f"flash of {self.version} failed at step {self.step}: {self.why}; {self.old or 'nothing'} runs"
        return f"flash of {self.version} succeeded; before it ran {self.old or 'nothing'}"


class FlashNotes:
    """The state's file and the last result's."""

    def __init__(self, places: BoardPaths, disk: SyncedFiles) -> None:
        self._disk = disk
        self._state, self._last = places.state / "state.json", places.state / "last.json"

    def write(self, state: FlashState) -> FlashState:
        """Puts a state on disk."""
        self._disk.write(self._state, msgspec.json.encode(state))
        return state

    def read(self) -> FlashState | None:
        """The flash under way, or None."""
        return _read(self._state, FlashState)

    def forget(self) -> None:
        """No flash is under way any more."""
        self._disk.remove(self._state)

    def write_last(self, last: LastFlash) -> None:
        """Keeps how a flash ended."""
        self._disk.write(self._last, msgspec.json.encode(last))

    def read_last(self) -> LastFlash | None:
        """How the last flash ended, or None."""
        return _read(self._last, LastFlash)

    def cut_offs(self, version: str) -> int:
        """How often in a row the flash of this version was cut off; a damaged note must not bar the way back."""
        try:
            last = self.read_last()
        except FlashError:
            return 0
        return last.cut_offs if last is not None and last.version == version else 0


def _read(path: Path, kind: type[_T]) -> _T | None:
    if not path.is_file():
        return None
    with flash_errors(path):
        try:
            return msgspec.json.decode(path.read_bytes(), type=kind)
        except msgspec.DecodeError as error:
            raise FlashError(f"{path}: damaged ({error}); swap the board (docs/flashing.md)") from error
