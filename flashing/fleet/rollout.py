"""Rollout: one version for a floor of boards, one board first, then groups; the first failure stops it. Pure."""

import enum
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from flashing.fleet.messages import BoardReport


class BoardStage(enum.StrEnum):
    """How far one board is in a rollout."""

    WAITING = "waiting"
    ORDERED = "ordered"
    FLASHING = "flashing"
    CONFIRMED = "confirmed"
    FAILED = "failed"
    LEFT_OUT = "left out"


class Seen(enum.StrEnum):
    """What a report, or its absence, says about a board in a rollout."""

    RUNS = "runs the version, and is well"
    FLASHES = "flashes the version"
    REFUSED = "acted on the order, and it failed"
    OTHERWISE = "runs something else, or is not well"
    SILENT = "has not reported for too long"


_S, _B = Seen, BoardStage
LifeTable: TypeAlias = Mapping[BoardStage, Mapping[Seen, BoardStage]]
BOARD_LIFE: Final[LifeTable] = {
    _B.WAITING: {_S.RUNS: _B.CONFIRMED, _S.FLASHES: _B.FLASHING},
    _B.ORDERED: {_S.RUNS: _B.CONFIRMED, _S.FLASHES: _B.FLASHING, _S.REFUSED: _B.FAILED, _S.SILENT: _B.FAILED},
    _B.FLASHING: {_S.RUNS: _B.CONFIRMED, _S.REFUSED: _B.FAILED, _S.OTHERWISE: _B.FAILED, _S.SILENT: _B.FAILED},
    _B.CONFIRMED: {_S.REFUSED: _B.FAILED, _S.OTHERWISE: _B.FAILED, _S.SILENT: _B.FAILED},
    _B.FAILED: {_S.RUNS: _B.CONFIRMED},
    _B.LEFT_OUT: {},
}
"""What is not in a row changes nothing. A confirmed board is judged only while its group is watched."""

DONE: Final = frozenset({BoardStage.CONFIRMED, BoardStage.LEFT_OUT})


class BoardProgress(Struct, frozen=True):
    """One board's stage, since when, the number of its order, and why it failed."""

    stage: BoardStage = BoardStage.WAITING
    since_s: float = 0
    order: int = 0
    why: str = ""


class Rollout(Struct, frozen=True):
    """Which boards take a version in which order; halted says why nothing more is ordered."""

    version: str
    groups: tuple[tuple[str, ...], ...]
    boards: Mapping[str, BoardProgress]
    silent_s: float = 1800
    watch_s: float = 300
    halted: str = ""
    orders: int = 0

    @property
    def is_done(self) -> bool:
        """Whether no board is left."""
        return all(progress.stage in DONE for progress in self.boards.values())

    def group_at(self, now_s: float) -> tuple[str, ...]:
        """The group whose turn it is: the first that is not done, or was done less than watch_s ago."""
        return next((group for group in self.groups if not self._is_past(group, now_s)), ())

    def _is_past(self, group: Sequence[str], now_s: float) -> bool:
        states = [self.boards[board] for board in group]
        return all(
            state.stage is BoardStage.LEFT_OUT
            or (state.stage is BoardStage.CONFIRMED and now_s - state.since_s >= self.watch_s)
            for state in states
        )


def planned(
    version: str, boards: Sequence[str], *, first: str, group_size: int, silent_s: float, watch_s: float, orders: int
) -> Rollout:
    """One board first, then groups of this size, in the order of the settings; orders go on at a number never used."""
    rest = [board for board in boards if board != first]
    groups = [rest[start : start + group_size] for start in range(0, len(rest), group_size)]
    return Rollout(
        version,
        ((first,), *map(tuple, groups)),
        {board: BoardProgress() for board in boards},
        silent_s=silent_s,
        watch_s=watch_s,
        orders=orders,
    )


def heard(rollout: Rollout, report: BoardReport, now_s: float) -> Rollout:
    """A board has reported: its stage follows, and it is told to flash if its turn has come."""
    if report.board not in rollout.boards:
        return rollout
    rollout = _moved(rollout, report.board, _seen(rollout, report), _why(report), now_s)
    return _ordered(rollout, report.board, now_s)


def time_passed(rollout: Rollout, heard_s: Mapping[str, float], now_s: float) -> Rollout:
    """A board in the group at work that has been silent for too long has failed; heard_s is its last report's time."""
    for board in rollout.group_at(now_s):
        progress = rollout.boards[board]
        last_s = max(heard_s.get(board, 0), progress.since_s)
        if progress.stage is not BoardStage.WAITING and now_s - last_s > rollout.silent_s:
            minutes = round((now_s - last_s) / 60)
            why = f"has not reported for {minutes} min; look at the board and its network"
            rollout = _moved(rollout, board, Seen.SILENT, why, now_s)
    return rollout


def halted(rollout: Rollout, why: str) -> Rollout:
    """Nothing more is ordered; a flash that has begun goes on to its end."""
    return rollout if rollout.halted else replace(rollout, halted=why)


def resumed(rollout: Rollout) -> Rollout:
    """Goes on; boards that have failed are tried again in their turn."""
    boards = {
        board: BoardProgress() if _begins_anew(rollout, progress) else progress
        for board, progress in rollout.boards.items()
    }
    return replace(rollout, boards=boards, halted="")


def left_out(rollout: Rollout, board: str, now_s: float) -> Rollout:
    """A board that is switched off or away keeps nobody waiting."""
    return _with(rollout, board, replace(rollout.boards[board], stage=BoardStage.LEFT_OUT, since_s=now_s))


def _begins_anew(rollout: Rollout, progress: BoardProgress) -> bool:
    """An order that was not acted on before the halt is given again under another number."""
    return progress.stage is BoardStage.FAILED or (progress.stage is BoardStage.ORDERED and bool(rollout.halted))


def _seen(rollout: Rollout, report: BoardReport) -> Seen:
    if report.flashing == rollout.version:
        return Seen.FLASHES
    order = rollout.boards[report.board].order
    if order and report.order == order and report.problem:
        return Seen.REFUSED
    return Seen.RUNS if report.version == rollout.version and report.is_well else Seen.OTHERWISE


def _why(report: BoardReport) -> str:
    if report.problem:
        return report.problem
    words = report.last_flash or "its flash ended without a word; read `journalctl -u 'pitlink-flash@*'` there"
    return f"runs {report.version or 'nothing'}, {'well' if report.is_well else 'but its table is not well'}: {words}"


def _moved(rollout: Rollout, board: str, seen: Seen, why: str, now_s: float) -> Rollout:
    progress = rollout.boards[board]
    stage = BOARD_LIFE[progress.stage].get(seen, progress.stage)
    is_watched = board in rollout.group_at(now_s)
    if stage is progress.stage or (progress.stage is BoardStage.CONFIRMED and not is_watched):
        return rollout
    is_failure = stage is BoardStage.FAILED
    moved = replace(progress, stage=stage, since_s=now_s, why=why if is_failure else "")
    rollout = _with(rollout, board, moved)
    return halted(rollout, f"{board}: {why}") if is_failure else rollout


def _ordered(rollout: Rollout, board: str, now_s: float) -> Rollout:
    progress = rollout.boards[board]
    if rollout.halted or progress.stage is not BoardStage.WAITING or board not in rollout.group_at(now_s):
        return rollout
    number = rollout.orders + 1
    progress = replace(progress, stage=BoardStage.ORDERED, since_s=now_s, order=number)
    return replace(_with(rollout, board, progress), orders=number)


def _with(rollout: Rollout, board: str, progress: BoardProgress) -> Rollout:
    return replace(rollout, boards={**rollout.boards, board: progress})
