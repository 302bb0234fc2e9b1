"""A flash, step by step, each step on disk before it is taken; what fails is rolled back."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from flashing.bundle import OpenBundle, SignedRelease, open_bundle
from flashing.errors import FlashError, flash_errors
from flashing.install import check_space, install
from flashing.keys import Trust
from flashing.ports import RunningTable, TableState
from flashing.program_hashes import check_program
from flashing.rollback import SETTINGS, TABLE_UNIT, FlashTools, Rollback, alone
from flashing.state import FLASH_LIFE, FlashEvent, FlashNotes, FlashState, FlashStep, LastFlash
from flashing.systemd import link_units
from flashing.versions import build_words, order, this_platform

SELF_TEST: Final = "pitlink-selftest.service"


class Patience(Struct, frozen=True):
    """How long a flash waits for what."""

    closing_s: float = 4 * 3600
    healthy_s: float = 120
    steady_s: float = 10
    now: Callable[[], float] = time.monotonic
    pause: Callable[[float], None] = time.sleep


class Flash:
    """Takes a board from one version to another."""

    def __init__(self, hands: FlashTools, table: RunningTable, journal: Path | None, *, patience: Patience) -> None:
        self._hands, self._places, self._table, self._journal = hands, hands.places, table, journal
        self._patience = patience
        self._notes = FlashNotes(hands.places, hands.disk)
        self._rollback = Rollback(hands, self._notes)

    def run(self, version: str) -> LastFlash:
        """Flashes the bundle of this version; refusals are BoardFaults, a failure on the way is a result."""
        with alone(self._places, self._notes):
            self._rollback.resume(live=True)
            trust = Trust.of(self._places.trust)
            path = self._bundle(version)
            with open_bundle(path, trust) as bundle:
                self._refuse(version, bundle.release)
                check_space(path.stat().st_size, self._places, self._journal)
                return self._take(bundle, trust)

    def resume(self, *, live: bool) -> LastFlash | None:
        """Ends a flash that was cut off."""
        with alone(self._places, self._notes):
            return self._rollback.resume(live=live)

    def _bundle(self, version: str) -> Path:
        order(version)
        path = self._places.bundle(version)
        if not path.is_file():
            there = ", ".join(sorted(other.stem for other in self._places.bundles.glob("*.pitlink"))) or "none"
            raise FlashError(f"{path}: there is no such bundle; copy it there (there now: {there})")
        return path

    def _refuse(self, version: str, release: SignedRelease) -> None:
        said, running = release.manifest, self._places.running()
        if said.version != version:
            raise FlashError(f"{version}.pitlink is a bundle of {said.version}; give it that name")
        if said.platform != this_platform():
            raise FlashError(
                f"the bundle is for {said.platform}, this board is {this_platform()}; "
                f"build one for it: `pitlink bundle build {build_words(this_platform())}`"
            )
        if running == version:
            raise FlashError(f"{version} is what runs already; `pitlink verify` looks at its files")
        if running and order(version) < order(running) and not release.permits_downgrade:
            raise FlashError(
                f"{running} runs, {version} is older; a downgrade needs a second signature (`pitlink bundle permit`)"
            )

    def _take(self, bundle: OpenBundle, trust: Trust) -> LastFlash:
        state = self._begin(bundle)
        try:
            while state.step is not FlashStep.CONFIRMED:
                self._hands.say(f"flash of {state.version}: {state.step}")
                state = self._step(state, bundle, trust)
                state = self._notes.write(replace(state, step=FLASH_LIFE[FlashEvent.DONE][state.step]))
        except (FlashError, OSError) as fault:
            return self._rollback.go_back(state, str(fault), live=True)
        return self._confirmed(state)

    def _begin(self, bundle: OpenBundle) -> FlashState:
        """The way back is made before the first step, and so is who would walk it."""
        places, old = self._places, self._places.running()
        up = tuple(unit for unit in SETTINGS if old and self._hands.units.is_active(unit))
        state = FlashState(bundle.manifest.version, old, FlashStep.INSTALL, was_up=up)
        try:
            for link in (places.flasher, places.rollback) if old else ():
                self._hands.disk.link(link, f"versions/{old}")
            return self._notes.write(state)
        except FlashError:
            self._rollback.resume(live=False)
            raise

    def _step(self, state: FlashState, bundle: OpenBundle, trust: Trust) -> FlashState:
        """Takes one step; on a board without a version there is nothing to close, copy, migrate or start."""
        if state.step is FlashStep.INSTALL:
            self._install(state, bundle, trust)
        elif state.step is FlashStep.SWITCH:
            self._switch(state)
        elif state.old:
            steps: Mapping[FlashStep, Callable[[FlashState], FlashState]] = {
                FlashStep.CLOSE: self._close,
                FlashStep.COPY: self._copy,
                FlashStep.MIGRATE: self._migrate,
                FlashStep.TEST: self._test,
                FlashStep.START: self._start,
            }
            return steps[state.step](state)
        return state

    def _install(self, state: FlashState, bundle: OpenBundle, trust: Trust) -> None:
        """Beside the running version, which goes on dealing meanwhile."""
        install(bundle, self._places, self._hands.disk)
        check_program(self._places.version(state.version), trust)

    def _close(self, state: FlashState) -> FlashState:
        """From here on the table does not open; a round in hand is finished first."""
        self._hands.disk.write(self._places.hold, f"version {state.version} is being installed\n".encode())
        if TABLE_UNIT in state.was_up:
            self._wait_until_closed(state)
        return state

    def _wait_until_closed(self, state: FlashState) -> None:
        reason, begun = f"version {state.version} is being installed", self._patience.now()
        answered, asked, key_was_on = begun, False, False
        while not (seen := self._look()).is_closed:
            now = self._patience.now()
            answered = now if seen.phase else answered
            if now - answered > self._patience.healthy_s:
                raise FlashError("the table does not answer; restart it (systemctl restart pitlink-table), flash again")
            if now - begun > self._patience.closing_s:
                raise FlashError(f"the table was not closed in time ({seen.next_step}); close it and flash again")
            if not asked or (seen.key_on and not key_was_on):
                problem = self._table.close(reason)
                asked = True
                self._hands.say(f"waits for the table to close: {problem or seen.next_step}")
            key_was_on = seen.key_on
            self._patience.pause(1)

    def _copy(self, state: FlashState) -> FlashState:
        """With the table stopped nothing changes any more; now settings and journal are kept for the way back."""
        hands, places = self._hands, self._places
        for unit in SETTINGS:
            hands.units.stop(unit)
        for name in self._settings_files():
            path = places.settings / name
            with flash_errors(path):
                hands.disk.write(places.settings_copy(name), path.read_bytes(), like=path)
        state = replace(state, was_well=self._is_table_board() and not hands.units.start(SELF_TEST))
        if self._journal is None:
            return self._notes.write(state)
        state = replace(state, journal=str(self._journal))
        if not self._journal.is_file():
            return self._notes.write(state)
        copy = self._journal.with_name("journal-before-flash.db")
        self._must(state.old, "migrate", "copy", state.journal, str(copy))
        return self._notes.write(replace(state, journal_copy=str(copy)))

    def _switch(self, state: FlashState) -> None:
        self._hands.disk.link(self._places.current, f"versions/{state.version}")
        link_units(self._places, self._hands.disk)
        if state.old:
            self._hands.units.reload()

    def _migrate(self, state: FlashState) -> FlashState:
        """The new version brings settings and journal to its own form."""
        for name in self._settings_files():
            path = self._places.settings / name
            text = self._must(state.version, "migrate", "settings", str(path)).encode()
            if text != path.read_bytes():
                self._hands.disk.write(path, text, like=path)
        if state.journal_copy:
            self._must(state.version, "migrate", "forward", state.journal)
        return state

    def _test(self, state: FlashState) -> FlashState:
        """What was faulty before the flash is no reason to go back; what was well must be well."""
        if state.was_well:
            problem = self._hands.units.start(SELF_TEST)
            if problem:
                raise FlashError(f"the self-test fails under {state.version}: {problem}")
        return state

    def _start(self, state: FlashState) -> FlashState:
        """What was up is up again; the table is tried in any case, shut, and must answer so for a while."""
        tried = {*state.was_up, *((TABLE_UNIT,) if self._is_table_board() else ())}
        for unit in (unit for unit in SETTINGS if unit in tried):
            problem = self._hands.units.start(unit)
            if problem:
                raise FlashError(f"{unit} does not start under {state.version}: {problem}")
        if self._is_table_board():
            self._wait_until_healthy(state)
        return state

    def _wait_until_healthy(self, state: FlashState) -> None:
        begun = self._patience.now()
        well_since: float | None = None
        while True:
            now, seen = self._patience.now(), self._look()
            is_well = seen.is_closed and not seen.trouble and self._hands.units.is_active(TABLE_UNIT)
            well_since = (now if well_since is None else well_since) if is_well else None
            if well_since is not None and now - well_since >= self._patience.steady_s:
                return
            if now - begun > self._patience.healthy_s:
                words = seen.trouble or seen.next_step or "it does not answer"
                raise FlashError(f"the table is not healthy under {state.version}: {words}")
            self._patience.pause(1)

    def _confirmed(self, state: FlashState) -> LastFlash:
        """That this step is on disk was the one write after which there is no way back."""
        for unit in (unit for unit in SETTINGS if state.old and unit not in state.was_up):
            self._hands.units.stop(unit)
        return self._rollback.finish(state)

    def _look(self) -> TableState:
        return self._table.look() or TableState()

    def _is_table_board(self) -> bool:
        return (self._places.settings / SETTINGS[TABLE_UNIT]).is_file()

    def _settings_files(self) -> list[str]:
        return [name for name in SETTINGS.values() if (self._places.settings / name).is_file()]

    def _must(self, version: str, *words: str) -> str:
        owner = self._journal.parent if self._journal is not None and "settings" not in words else None
        said = self._hands.programs.run(self._places.version(version), words, owner_of=owner)
        if said.code:
            raise FlashError(f"`pitlink {' '.join(words)}` of {version}: {said.words}")
        return said.words
