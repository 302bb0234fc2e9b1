"""A fleet bench: boards in folders whose flashes end as told, a fleet store, and a clock that stands still."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from common.board_health import BoardHealth
from flashing.files import SyncedFiles
from flashing.fleet.board import FleetBoard, FleetUnreachable
from flashing.fleet.messages import BoardReport, FleetReply
from flashing.fleet.rollout import BoardStage, Rollout, planned
from flashing.fleet.store import FleetStore
from flashing.keys import Trust
from flashing.paths import BoardPaths
from flashing.ports import TableState
from flashing.state import FlashNotes, FlashState, FlashStep, LastFlash
from tests.support.flash.flash_bench import NEW, OLD, Workshop

MINUTE_S: Final = 60.0
ROUND_PULLS: Final = 1
"""How often a board still reports a round in hand before its flash goes on."""


class DirectLink:
    """The fleet store without a network, which may be cut."""

    def __init__(self, store: FleetStore) -> None:
        self._store = store
        self.is_cut = self.breaks_downloads = self.alters_downloads = False

    def report(self, report: BoardReport) -> FleetReply:
        if self.is_cut:
            raise FleetUnreachable("no route to host")
        return self._store.take(report)

    def fetch(self, version: str, platform: str) -> Iterator[bytes]:
        content = self._store.bundle(version, platform).read_bytes()
        yield content[:1000]
        if self.breaks_downloads:
            raise FleetUnreachable("connection reset")
        yield bytes(len(content) - 1000) if self.alters_downloads else content[1000:]

    def send_logs(self, text: bytes) -> None:
        self._store.keep_logs("T1", text)


class SimulatedBoard:
    """A board whose flash waits for a round's end, then succeeds, fails at a step, is cut off, or vanishes."""

    def __init__(self, name: str, folder: Path, public: Path, store: FleetStore) -> None:
        self.places = BoardPaths(folder / "opt", folder / "flash", folder / "etc", folder / "units")
        self.link = DirectLink(store)
        self.fails_at: FlashStep | None = None
        self.vanishes = self.is_gone = self.answers_not = self.refuses_to_begin = False
        self.begun: list[str] = []
        self._rounds = 0
        self._pulls: dict[str, int] = {}
        for path in (self.places.versions / OLD, self.places.trust, self.places.state):
            path.mkdir(parents=True)
        self.places.current.symlink_to(f"versions/{OLD}")
        os.link(public, self.places.trust / public.name)
        self._notes = FlashNotes(self.places, SyncedFiles())
        self._board = FleetBoard(name, self.places, self, self, health=BoardHealth, logs=lambda: b"what happened\n")

    def pull(self) -> str:
        """One minute of this board: its flash goes on, and it asks the server."""
        self._go_on()
        if self.is_gone:
            return "gone"
        try:
            return self._board.pull(self.link)
        except FleetUnreachable as error:
            return str(error)

    def mend(self) -> None:
        """A technician has been there."""
        self.fails_at = None
        self.vanishes = self.is_gone = self.answers_not = self.refuses_to_begin = False
        self.link.is_cut = self.link.breaks_downloads = self.link.alters_downloads = False

    def look(self) -> TableState | None:
        return None if self.answers_not else TableState("closed")

    def close(self, reason: str) -> str:
        return reason

    def begin(self, version: str) -> str:
        if self.refuses_to_begin:
            return "systemd is busy"
        assert self.places.bundle(version).is_file()
        self.begun.append(version)
        self._notes.write(FlashState(version, self.places.running(), FlashStep.CLOSE))
        self._rounds = ROUND_PULLS
        return ""

    def failure(self, _version: str) -> str:
        return ""

    def _go_on(self) -> None:
        state = self._notes.read()
        if state is None:
            return
        if self.vanishes:
            self.is_gone = True
        elif self._rounds:
            self._rounds -= 1
        else:
            self._end(state)

    def _end(self, state: FlashState) -> None:
        is_back = self.fails_at is not None
        if not is_back:
            self.places.current.unlink()
            self.places.current.symlink_to(f"versions/{state.version}")
        step = self.fails_at or FlashStep.CONFIRMED
        why = "as the test says" if is_back else ""
        self._notes.write_last(LastFlash(state.version, state.old, step, went_back=is_back, why=why))
        self._notes.forget()


class FleetBench:
    """A floor of simulated boards, and the rollout of a real bundle to them."""

    def __init__(self, folder: Path, workshop: Workshop, boards: int) -> None:
        self.now_s = 1_800_000_000.0
        self.store = FleetStore(folder / "server", lambda: self.now_s)
        (folder / "server-trust").mkdir()
        os.link(workshop.public, folder / "server-trust" / workshop.public.name)
        self.trust = Trust.of(folder / "server-trust")
        self.store.add_bundle(workshop.folder / f"{NEW}.pitlink", self.trust)
        names = [f"T{number}" for number in range(1, boards + 1)]
        self.boards = {name: SimulatedBoard(name, folder / name, workshop.public, self.store) for name in names}

    @property
    def rollout(self) -> Rollout:
        """How far it is."""
        rollout = self.store.rollout()
        assert rollout is not None
        return rollout

    def begin(self, *, first: str = "T1", group_size: int = 7) -> None:
        """Begins the rollout of NEW."""
        with self.store.changing() as change:
            change.rollout = planned(
                NEW, list(self.boards), first=first, group_size=group_size, silent_s=300, watch_s=60, orders=0
            )

    def minute(self) -> None:
        """Every board pulls once, and the server looks for silent ones."""
        self.now_s += MINUTE_S
        for board in self.boards.values():
            board.pull()
        self.store.look()

    def run(self, *, most: int = 400) -> int:
        """Minutes until the rollout is done or halted."""
        for minutes in range(most):
            if self.rollout.is_done or self.rollout.halted:
                return minutes
            self.minute()
        raise AssertionError(f"neither done nor halted: {msgspec.json.encode(self.rollout).decode()}")

    def stages(self) -> dict[str, BoardStage]:
        """The stage of every board."""
        return {name: progress.stage for name, progress in self.rollout.boards.items()}

    def runs(self, version: str) -> set[str]:
        """The boards that run a version."""
        return {name for name, board in self.boards.items() if board.places.running() == version}
