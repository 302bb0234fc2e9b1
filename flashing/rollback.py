"""Rollback or confirmation of a flash; both may be cut off and begun again."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from common.files import lock_file
from flashing.errors import FlashError, flash_errors
from flashing.files import SyncedFiles
from flashing.paths import BoardPaths
from flashing.ports import Programs, Units
from flashing.state import FLASH_LIFE, FlashEnd, FlashEvent, FlashNotes, FlashState, FlashStep, LastFlash
from flashing.systemd import drop_dead_links

TABLE_UNIT: Final = "pitlink-table.service"
METER_UNIT: Final = "pitlink-meter.service"
SETTINGS: Final = {TABLE_UNIT: "table.toml", METER_UNIT: "meter.toml"}
CUT_OFF: Final = "the power failed, or somebody stopped the flash"


class FlashTools(Struct, frozen=True):
    """What every step of a flash works with."""

    places: BoardPaths
    disk: SyncedFiles
    units: Units
    programs: Programs
    say: Callable[[str], None]


@contextmanager
def alone(places: BoardPaths, notes: FlashNotes) -> Iterator[None]:
    """One flash at a time: the lock goes with the process, however it ends."""
    path = places.state / "lock"
    with flash_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            holder = lock_file(path)
        except BlockingIOError as error:
            state = notes.read()
            what = f"flash of {state.version} is at step {state.step}" if state else "flash has just begun"
            raise FlashError(f"another {what}; wait for it (systemctl status 'pitlink-flash@*')") from error
    try:
        yield
    finally:
        os.close(holder)


class Rollback:
    """Ends flashes."""

    def __init__(self, hands: FlashTools, notes: FlashNotes) -> None:
        self._hands, self._notes = hands, notes

    def resume(self, *, live: bool) -> LastFlash | None:
        """Ends what was cut off: a confirmed flash is finished, any other goes back; None if there was none."""
        state = self._notes.read()
        if state is None:
            self._tidy()
            return None
        end = FLASH_LIFE[FlashEvent.CUT_OFF][state.step]
        return self.finish(state) if end is FlashEnd.FINISHED else self.go_back(state, CUT_OFF, live=live)

    def finish(self, state: FlashState) -> LastFlash:
        """Keeps this version and the one before it, but no second journal, and lets the table open again."""
        self._prune({state.version, state.old})
        if state.journal_copy:
            self._hands.disk.remove(Path(state.journal_copy))
        drop_dead_links(self._hands.places, self._hands.disk)
        return self._end(LastFlash(state.version, state.old, FlashStep.CONFIRMED, went_back=False, why=""))

    def go_back(self, state: FlashState, why: str, *, live: bool) -> LastFlash:
        """Puts program, units, settings and journal back as they were; live also stops and starts what ran."""
        hands = self._hands
        hands.say(f"step {state.step}: {why}; going back to {state.old or 'nothing'}")
        if live and state.is_past(FlashStep.SWITCH):
            for unit in SETTINGS:
                hands.units.stop(unit)
        if state.is_past(FlashStep.SWITCH):
            self._restore_program(state)
        if state.is_past(FlashStep.MIGRATE):
            self._restore_settings()
            self._restore_journal(state)
        hands.disk.remove(hands.places.version(state.version))
        cut_offs = self._notes.cut_offs(state.version) + 1 if why == CUT_OFF else 0
        last = self._end(LastFlash(state.version, state.old, state.step, went_back=True, why=why, cut_offs=cut_offs))
        if live and state.is_past(FlashStep.COPY):
            self._start_again(state)
        return last

    def _restore_program(self, state: FlashState) -> None:
        """Renaming a link that is there already works on a full disk, too."""
        hands, places = self._hands, self._hands.places
        if places.running() == state.version:
            if state.old:
                hands.disk.rename(places.rollback, places.current)
            else:
                hands.disk.remove(places.current)
        drop_dead_links(places, hands.disk)
        if state.old:
            hands.units.reload()

    def _restore_settings(self) -> None:
        places = self._hands.places
        for name in SETTINGS.values():
            if places.settings_copy(name).is_file():
                self._hands.disk.rename(places.settings_copy(name), places.settings / name)

    def _restore_journal(self, state: FlashState) -> None:
        """The new version converts what it has written, the old one keeps it if it can read it, or takes the copy."""
        if not state.journal_copy:
            self._set_new_journal_aside(state.journal)
            return
        hands, files = self._hands, (state.journal, state.journal_copy)
        owner = Path(state.journal).parent
        hands.programs.run(hands.places.version(state.version), ["migrate", "back", *files], owner_of=owner)
        settled = hands.programs.run(hands.places.version(state.old), ["migrate", "settle", *files], owner_of=owner)
        if settled.code:
            raise FlashError(f"the journal cannot be put back: {settled.words}")
        hands.say(settled.words.strip())

    def _set_new_journal_aside(self, name: str) -> None:
        """Before the flash there was none: the old version must not stumble over what the other began."""
        journal, disk = Path(name), self._hands.disk
        if name and journal.is_file():
            disk.rename(journal, journal.with_name("journal-set-aside.db"))
        for suffix in ("-wal", "-shm") if name else ():
            disk.remove(journal.with_name(journal.name + suffix))

    def _start_again(self, state: FlashState) -> None:
        for unit in state.was_up:
            problem = self._hands.units.start(unit)
            if problem:
                self._hands.say(f"{unit} does not come up again: {problem}")

    def _prune(self, kept: set[str]) -> None:
        places, disk = self._hands.places, self._hands.disk
        for folder in sorted(places.versions.iterdir()):
            if folder.name not in kept:
                disk.remove(folder)
                disk.remove(places.bundle(folder.name))

    def _end(self, last: LastFlash) -> LastFlash:
        hands = self._hands
        try:
            self._notes.write_last(last)
        except FlashError as fault:
            hands.say(f"the result cannot be kept: {fault}")  # on a full disk it is in the log only
        self._tidy()
        hands.say(str(last))
        return last

    def _tidy(self) -> None:
        """Deletes the state file before the flasher link: without a state file there is nothing to resume."""
        places, disk = self._hands.places, self._hands.disk
        copies = (places.settings_copy(name) for name in SETTINGS.values())
        for leftover in (places.unpacked, *copies, places.rollback, places.hold, *disk.unfinished(places.folders)):
            if leftover.is_symlink() or leftover.exists():
                disk.remove(leftover)
        self._notes.forget()
        disk.remove(places.flasher)
