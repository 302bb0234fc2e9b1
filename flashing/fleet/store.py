"""Fleet store: reports, bundles, logs and the rollout, as files that commands and the server share under one lock."""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from common.files import locked_folder, replacing
from flashing.bundle import open_bundle
from flashing.errors import FlashError, flash_errors
from flashing.fleet.messages import BoardReport, FlashOrder, FleetReply
from flashing.fleet.rollout import BoardStage, Rollout, heard, time_passed
from flashing.keys import Trust

KEPT_LOGS: Final = 5
_PIECE: Final = 2**20
_T = TypeVar("_T")


class KnownBoard(Struct, frozen=True):
    """A board's newest report, and when it came."""

    report: BoardReport
    heard_s: float


class FleetStore:
    """The fleet server's folder."""

    def __init__(self, folder: Path, now_s: Callable[[], float] = time.time) -> None:
        self._folder, self._now_s = folder, now_s
        with flash_errors(folder):
            for part in ("boards", "bundles", "logs"):
                (folder / part).mkdir(parents=True, exist_ok=True)

    def take(self, report: BoardReport) -> FleetReply:
        """Keeps a report, moves the rollout on, and answers."""
        with self.changing() as change:
            now_s = self._now_s()
            self._keep_report(KnownBoard(report, now_s))
            if change.rollout is not None:
                change.rollout = heard(change.rollout, report, now_s)
            return FleetReply(self._order(change.rollout, report), self._wanted(report.board).exists())

    def look(self) -> None:
        """Moves the rollout on where boards are silent."""
        with self.changing() as change:
            if change.rollout is not None:
                heard_s = {board: known.heard_s for board, known in self.boards().items()}
                change.rollout = time_passed(change.rollout, heard_s, self._now_s())

    @contextmanager
    def changing(self) -> Iterator["RolloutChange"]:
        """The rollout, alone; what it becomes is written at the end, with a line of history for each change."""
        with flash_errors(self._folder), locked_folder(self._folder):
            before = self.rollout()
            change = RolloutChange(before)
            yield change
            if change.rollout is not None and change.rollout != before:
                self._write(self._folder / "rollout.json", change.rollout)
                self._remember(_lines(before, change.rollout))

    def note(self, words: str) -> None:
        """Adds what a person did to the history."""
        with flash_errors(self._folder), locked_folder(self._folder):
            self._remember([words])

    def rollout(self) -> Rollout | None:
        """The newest rollout, or None."""
        return self._read(self._folder / "rollout.json", Rollout)

    def boards(self) -> Mapping[str, KnownBoard]:
        """Every board that has ever reported."""
        found = (self._read(path, KnownBoard) for path in sorted((self._folder / "boards").glob("*.json")))
        return {known.report.board: known for known in found if known is not None}

    def history(self) -> str:
        """What happened, a line each."""
        path = self._folder / "history.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def add_bundle(self, path: Path, trust: Trust) -> str:
        """Keeps a signed bundle for its platform; returns its version and platform."""
        with open_bundle(path, trust) as bundle:
            manifest = bundle.manifest
            target = self.bundle(manifest.version, manifest.platform)
            with flash_errors(target):
                target.parent.mkdir(exist_ok=True)
                with replacing(target) as copy, path.open("rb") as source:
                    while piece := source.read(_PIECE):
                        copy.write(piece)
                target.with_suffix(".sha256").write_text(_digest(target), encoding="ascii")
        return f"{manifest.version} for {manifest.platform}"

    def bundle(self, version: str, platform: str) -> Path:
        """Where the bundle of a version for a platform lies."""
        return self._folder / "bundles" / version / f"{platform}.pitlink"

    def platforms(self, version: str) -> set[str]:
        """For which platforms there is a bundle of this version."""
        return {path.stem for path in (self._folder / "bundles" / version).glob("*.pitlink")}

    def ask_for_logs(self, board: str) -> None:
        """The board sends its logs with its next report."""
        with flash_errors(self._folder):
            self._wanted(board).touch()

    def keep_logs(self, board: str, text: bytes) -> Path:
        """Keeps what a board has sent, and a few older ones."""
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(self._now_s()))
        path = self._folder / "logs" / f"{board}-{stamp}.log"
        with flash_errors(path), replacing(path) as file:
            file.write(text)
        for old in self.logs(board)[:-KEPT_LOGS]:
            old.unlink()
        self._wanted(board).unlink(missing_ok=True)
        return path

    def logs(self, board: str) -> list[Path]:
        """The logs of a board, oldest first."""
        return sorted((self._folder / "logs").glob(f"{board}-????????T??????Z.log"))

    def _order(self, rollout: Rollout | None, report: BoardReport) -> FlashOrder | None:
        if rollout is None or rollout.halted or report.board not in rollout.boards:
            return None
        progress = rollout.boards[report.board]
        if progress.stage is not BoardStage.ORDERED:
            return None
        path = self.bundle(rollout.version, report.platform)
        digest = path.with_suffix(".sha256")
        if not path.is_file() or not digest.is_file():
            return FlashOrder(progress.order, rollout.version, 0, "")  # the board says what it lacks, and fails
        return FlashOrder(progress.order, rollout.version, path.stat().st_size, digest.read_text(encoding="ascii"))

    def _keep_report(self, known: KnownBoard) -> None:
        """Whole or not at all, but not synced: the next one comes in some minutes."""
        path = self._folder / "boards" / f"{known.report.board}.json"
        fresh = path.with_suffix(".new")
        fresh.write_bytes(msgspec.json.encode(known))
        fresh.replace(path)

    def _wanted(self, board: str) -> Path:
        return self._folder / "logs" / f"{board}.wanted"

    def _remember(self, lines: list[str]) -> None:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._now_s()))
        with (self._folder / "history.log").open("a", encoding="utf-8") as file:
            file.writelines(f"{stamp} {line}\n" for line in lines)

    def _write(self, path: Path, value: object) -> None:
        with flash_errors(path), replacing(path) as file:
            file.write(msgspec.json.encode(value))

    def _read(self, path: Path, kind: type[_T]) -> _T | None:
        with flash_errors(path):
            try:
                return msgspec.json.decode(path.read_bytes(), type=kind)
            except FileNotFoundError:
                return None
            except msgspec.DecodeError as error:
                raise FlashError(f"{path}: damaged ({error}); remove it, and begin the rollout again") from error


class RolloutChange:
    """The rollout while somebody has its lock."""

    def __init__(self, rollout: Rollout | None) -> None:
        self.rollout = rollout


def _lines(before: Rollout | None, after: Rollout) -> list[str]:
    known = before.boards if before is not None and before.version == after.version else {}
    moved = [
        f"{after.version}: {board} is {progress.stage}{f': {progress.why}' if progress.why else ''}"
        for board, progress in after.boards.items()
        if board in known and known[board].stage is not progress.stage
    ]
    if after.halted and (before is None or not before.halted):
        moved.append(f"{after.version}: halted; {after.halted}")
    return moved


def _digest(path: Path) -> str:
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
