"""A board in a folder: real bundles, keys, links and journals; units, programs and the table are played."""

import errno
import os
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from controller.journal import schema as journal_facts
from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment
from controller.journal.rollback_copy import keep_copy, settle
from controller.journal.schema import SCHEMA
from flashing import install as installing
from flashing.build import seal
from flashing.files import SyncedFiles
from flashing.flash import Flash, Patience
from flashing.keys import PrivateKey, make_key, read_private
from flashing.paths import BoardPaths, is_whole
from flashing.ports import CommandResult, TableState
from flashing.rollback import TABLE_UNIT, FlashTools
from flashing.versions import this_platform
from games.round.events import ChipPlaced, LinkLost
from games.round.state import RoundState
from link.messages import Wagers
from tests.support.flash.flash_plug import Plug
from tests.support.table.newer_journal import NEWER, to_newer, to_ours

OLD, NEW = "0.1.0", "0.2.0"
SCHEMAS = {OLD: SCHEMA, NEW: NEWER}
SETTINGS_TEXT = "# of the house\n[table]\nid = 'T1'\n"
NEW_SETTINGS = "settings_version = 2\n"


class Workshop(NamedTuple):
    """Where bundles are made."""

    folder: Path
    key: PrivateKey
    public: Path


class BenchUnits:
    """The service manager, and the table it runs: one that opens its journal with the version that current leads to."""

    def __init__(self, bench: "FlashBench") -> None:
        self._bench, self.calls, self.up = bench, list[str](), set[str]()
        self.broken: dict[str, str] = {}
        self.faulty_parts: set[str] = set()

    def start(self, unit: str) -> str:
        self._note(f"start {unit}")
        version = self._bench.places.running()
        if unit == "pitlink-selftest.service":
            return "FAULT  pins: busy" if version in self.faulty_parts else ""
        if version in self.broken and self.broken[version] != "crash":
            return self.broken[version]
        problem = self._bench.run_table(version) if unit == TABLE_UNIT else ""
        if not problem:
            self.up.add(unit)
        if self.broken.get(version) == "crash":
            self.up.discard(unit)
            self._bench.kill_table()
        return problem

    def stop(self, unit: str) -> None:
        self._note(f"stop {unit}")
        if unit in self.up and unit == TABLE_UNIT:
            self._bench.stop_table(self._bench.places.running())
        self.up.discard(unit)

    def is_active(self, unit: str) -> bool:
        return unit in self.up

    def reload(self) -> None:
        self._note("reload")

    def _note(self, words: str) -> None:
        self._bench.plug.step()
        self.calls.append(words)


class BenchPrograms:
    """The migrate command of either version; the newer one has another schema and other settings."""

    def __init__(self, bench: "FlashBench") -> None:
        self._bench, self.calls = bench, list[str]()

    def run(self, version: Path, words: Sequence[str], *, owner_of: Path | None = None) -> CommandResult:
        self._bench.plug.step()
        assert owner_of is None or owner_of.is_dir()
        self.calls.append(f"{version.name} {words[1]}")
        if self._bench.plug.is_read_only:
            return CommandResult(1, os.strerror(errno.EROFS))
        if not is_whole(version):
            return CommandResult(127, f"{version}: no such program")
        try:
            with as_version(version.name):
                said = self._migrate(version.name, words[1], [Path(word) for word in words[2:]])
        except JournalFault as fault:
            return CommandResult(1, str(fault))
        return CommandResult(0, said)

    def _migrate(self, version: str, what: str, files: list[Path]) -> str:
        match what:
            case "settings":
                text = files[0].read_text()
                return text if version != NEW or text.startswith(NEW_SETTINGS) else NEW_SETTINGS + text
            case "copy":
                return f"{keep_copy(*files)} events"
            case "forward" | "back":
                if version == NEW:
                    (to_newer if what == "forward" else to_ours)(files[0])
                return ""
            case _:
                return settle(*files)


class BenchTable:
    """The table's control interface."""

    def __init__(self, bench: "FlashBench") -> None:
        self._bench, self.phases, self.asked = bench, ["closed"], list[str]()
        self.key_on: list[bool] = [False]
        self.refusal = self.trouble = ""

    def look(self) -> TableState | None:
        if TABLE_UNIT not in self._bench.units.up:
            return None
        phase = self.phases.pop(0) if len(self.phases) > 1 else self.phases[0]
        key_on = self.key_on.pop(0) if len(self.key_on) > 1 else self.key_on[0]
        trouble = self.trouble if self._bench.places.running() == NEW else ""
        return TableState(phase, trouble, "play the round", key_on=key_on)

    def close(self, reason: str) -> str:
        self.asked.append(reason)
        return self.refusal


class FlashBench:
    """One board with an old version on it, its table up and closed, and a bundle of a new one beside it."""

    def __init__(self, folder: Path, workshop: Workshop) -> None:
        self.places = BoardPaths(folder / "opt", folder / "flash", folder / "etc", folder / "units")
        self.plug = Plug()
        self.said: list[str] = []
        self.key = workshop.key
        self.journal = folder / "T1" / "journal.db"
        self._folder, self._workshop = folder, workshop
        self.units, self.programs, self.table = BenchUnits(self), BenchPrograms(self), BenchTable(self)
        self.clock = 0.0
        self._open: Journal | None = None

    def flash(self) -> Flash:
        """A flash as the command puts it together."""
        hands = FlashTools(self.places, SyncedFiles(), self.units, self.programs, self.said.append)
        patience = Patience(60, 30, 5, now=lambda: self.clock, pause=self._pass)
        return Flash(hands, self.table, self.journal, patience=patience)

    def run(self, version: str) -> str:
        """Flashes with a quick installation; how it ended, in words."""
        with self.plug.in_the_way(), quick():
            return str(self.flash().run(version))

    def boot(self) -> None:
        """What systemd does after a power cut: the resume unit if its link is there, then the table."""
        self.units.up.clear()
        self.kill_table()
        if self.places.flasher.exists():
            assert is_whole(self.places.flasher), "who resumes must be whole"
            with self.plug.in_the_way():
                self.flash().resume(live=False)

    def begin(self) -> None:
        """The old version in place, a few events and an entry for the meter in its journal, the table up."""
        template = self._folder.with_name(f"{self._folder.name}-as-it-began")
        if not template.exists():
            self._furnish()
            shutil.copytree(self._folder, template, symlinks=True)
        self.kill_table()
        shutil.rmtree(self._folder)
        shutil.copytree(template, self._folder, symlinks=True)
        self.before = events(self.journal)
        assert self.units.start(TABLE_UNIT) == ""
        self.units.calls.clear()
        self.said.clear()

    def _furnish(self) -> None:
        places = self.places
        for path in (places.trust, places.bundles, places.units, self.journal.parent):
            path.mkdir(parents=True)
        shutil.copy(self._workshop.public, places.trust)
        for bundle in self._workshop.folder.glob("*.pitlink"):
            shutil.copy(bundle, places.bundles)
        (places.settings / "table.toml").write_text(SETTINGS_TEXT)
        assert self.run(OLD) == f"flash of {OLD} succeeded; before it ran nothing"
        records = [EventRecord(ChipPlaced(seat), None, 1, Moment(0, 0)) for seat in (1, 2)]
        entry = EventRecord(LinkLost("after the wagers"), None, 1, Moment(0, 0), ((1, Wagers(1, 100, (1, 2))),))
        with closing_journal(self.journal) as journal:
            journal.write([*records, entry], RoundState(), snapshot=True)

    def run_table(self, version: str) -> str:
        """What a version's table does at its start: refuse what it cannot read, and write that it has no link yet."""
        if self.plug.is_read_only:
            return os.strerror(errno.EROFS)
        text = (self.places.settings / "table.toml").read_text()
        if ("settings_version = 2" in text) != (version == NEW):
            return "settings_version: of another version"
        try:
            with as_version(version):
                self._open = Journal.open(self.journal)
                if self._open.rules not in ("", version) and self._open.recall()[1]:
                    self.kill_table()
                    return "settings or program have changed while a round was open"
                self._open.keep_rules(version)
                self._open.write([EventRecord(LinkLost(f"of {version}"), None, 1, Moment(0, 0))], RoundState())
        except JournalFault as fault:
            return str(fault)
        return ""

    def stop_table(self, version: str) -> None:
        """A clean stop leaves a snapshot and nothing to replay; a disk that takes none ends it all the same."""
        if self.plug.is_read_only:
            self.kill_table()
            return
        assert self._open is not None
        with as_version(version):
            self._open.write([], RoundState(), snapshot=True)
            self._open.close()
            self._open = None

    def kill_table(self) -> None:
        """The process is gone, and with it its lock."""
        if self._open is not None:
            self._open.abandon()
            self._open = None

    def _pass(self, seconds: float) -> None:
        self.clock += seconds


def stands(bench: FlashBench, version: str) -> None:
    """Program, units, settings and journal are this version's, whole, and nothing of the flash is left."""
    places = bench.places
    assert places.running() == version
    assert is_whole(places.current)
    assert (places.units / "pitlink-table.service").read_text() == f"# of {version}\n"
    assert [path for path in places.units.iterdir() if not path.exists()] == []
    assert (places.settings / "table.toml").read_text().endswith(SETTINGS_TEXT)
    leftovers = [places.flasher, places.rollback, places.hold, places.unpacked, places.state / "state.json"]
    assert [path.name for path in leftovers if path.is_symlink() or path.exists()] == []
    assert list(places.settings.glob(".*")) == []
    assert version == OLD or not bench.journal.with_name("journal-before-flash.db").exists(), "no way back, no copy"
    whole = sorted(path.name for path in places.versions.iterdir() if is_whole(path))
    assert whole == sorted(path.name for path in places.versions.iterdir())
    assert len(whole) <= 2
    assert set(bench.before) <= set(events(bench.journal)), "nothing that was written is lost"


def make_bundles(folder: Path, versions: Sequence[str] = (OLD, NEW)) -> Workshop:
    """Signed bundles of a tiny program, and the key that signed them."""
    private, public = make_key(folder, "house", "release", None)
    key = read_private(private, None)
    for version in versions:
        make_bundle(folder / f"{version}.pitlink", version, key)
    return Workshop(folder, key, public)


def make_bundle(target: Path, version: str, key: PrivateKey, **options: Any) -> None:
    """One bundle of a tiny program: a real wheel with one module and one command."""
    content = target.with_suffix(".content")
    for name in ("wheels", "tools", "units"):
        (content / name).mkdir(parents=True)
    write_wheel(content / "wheels", version)
    pack = write_pip if options.pop("real_pip", False) else Path.touch
    pack(content / "tools" / f"pip-{metadata.version('pip')}-py3-none-any.whl")
    (content / "units" / "pitlink-table.service").write_text(f"# of {version}\n")
    (content / "units" / f"pitlink-only-{version}.service").write_text("# comes and goes\n")
    seal(content, target, version, options.pop("platform", this_platform()), key=key, **options)
    shutil.rmtree(content)


def write_pip(target: Path) -> None:
    """A wheel of the pip that this environment has: where the system keeps its own differs from one to the next."""
    with zipfile.ZipFile(target, "w") as wheel:
        for file in metadata.files("pip") or ():
            if file.parts[0].startswith("pip") and file.suffix != ".pyc":
                wheel.write(file.locate(), str(file))


def write_wheel(folder: Path, version: str) -> None:
    """A wheel of a program called pitlink that says its version."""
    info = f"pitlink-{version}.dist-info"
    files = {
        "tiny.py": f"def main():\n    print('tiny {version}')\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: pitlink\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[console_scripts]\npitlink = tiny:main\n",
    }
    record = "".join(f"{name},,\n" for name in files) + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(folder / f"pitlink-{version}-py3-none-any.whl", "w") as wheel:
        for name, text in {**files, f"{info}/RECORD": record}.items():
            wheel.writestr(name, text)


@contextmanager
def quick() -> Iterator[None]:
    """Installs by unzipping wheels: where hundreds of flashes are made, a Python environment is not the point."""

    def make(version: Path) -> None:
        (version / "lib" / "python3.11" / "site-packages").mkdir(parents=True)

    def unzip(version: Path, scratch: Path) -> None:
        for wheel in (scratch / "wheels").glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(version / "lib" / "python3.11" / "site-packages")

    with (
        mock.patch.object(installing, "_make_environment", make),
        mock.patch.object(installing, "_install_wheels", unzip),
    ):
        yield


@contextmanager
def as_version(version: str) -> Iterator[None]:
    """The journal code of either version."""
    schema = SCHEMAS.get(version, SCHEMA)
    with (
        mock.patch.object(journal_facts, "SCHEMA", schema),
        mock.patch("controller.journal.rollback_copy.SCHEMA", schema),
    ):
        yield


@contextmanager
def closing_journal(path: Path) -> Iterator[Journal]:
    journal = Journal.open(path)
    yield journal
    journal.close()


def events(path: Path) -> list[tuple[Any, ...]]:
    """Every event and every entry, as they lie in the file."""
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT number, body, hash FROM events ORDER BY number").fetchall()
        return [*rows, *database.execute("SELECT seq, entry FROM outbox ORDER BY seq").fetchall()]
