"""systemctl, unit files as links into the running version, and the pitlink command of an installed version."""

import os
import pwd
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from flashing.errors import FlashError
from flashing.files import SyncedFiles
from flashing.paths import BoardPaths
from flashing.ports import CommandResult

_KINDS: Final = frozenset({".service", ".timer", ".path", ".socket"})


def link_units(places: BoardPaths, disk: SyncedFiles) -> None:
    """Links the running version's units; what the house put there itself stays: a file, a mask, a link elsewhere."""
    for unit in _shipped(places):
        target, place = str(places.current / "units" / unit.name), places.units / unit.name
        if place.is_symlink() and str(place.readlink()) == target:
            continue
        if _is_ours(place, places) or not (place.is_symlink() or place.exists()):
            disk.link(place, target)


def drop_dead_links(places: BoardPaths, disk: SyncedFiles) -> None:
    """Removes the links of units that the running version does not have: a flash that has ended needs them no more."""
    for place in sorted(places.units.glob("pitlink-*")):
        if _is_ours(place, places) and not place.exists():
            disk.remove(place)


def _shipped(places: BoardPaths) -> Iterator[Path]:
    return (unit for unit in sorted((places.current / "units").iterdir()) if unit.suffix in _KINDS)


def _is_ours(place: Path, places: BoardPaths) -> bool:
    """Whether this is a link to something below the folder of versions."""
    return place.is_symlink() and Path(os.path.normpath(place.parent / place.readlink())).is_relative_to(places.opt)


START_S: Final = 600
_NO_SUCH_UNIT: Final = 5


class Systemctl:
    """The service manager of this machine."""

    def start(self, unit: str) -> str:
        """Starts a unit; one that has crashed before gets a clean slate."""
        _systemctl("reset-failed", unit)
        done = _systemctl("start", unit)
        return "" if done.code == 0 else (done.words or f"{unit} does not start; read `journalctl -u {unit}`")

    def stop(self, unit: str) -> None:
        """Stops a unit; one that this machine does not have is stopped."""
        done = _systemctl("stop", unit)
        if done.code not in (0, _NO_SUCH_UNIT):
            raise FlashError(f"{unit} cannot be stopped: {done.words}")

    def is_active(self, unit: str) -> bool:
        """Whether it is up."""
        return _systemctl("is-active", unit).code == 0

    def reload(self) -> None:
        """Reads the unit files again."""
        done = _systemctl("daemon-reload")
        if done.code:
            raise FlashError(f"systemd does not take the new units: {done.words}")


class InstalledPrograms:
    """The versions of this board as programs."""

    def run(self, version: Path, words: Sequence[str], *, owner_of: Path | None = None) -> CommandResult:
        """Runs `pitlink …` of a version; files it makes belong to whom they should."""
        return _said([str(version / "bin" / "pitlink"), *words], **_as_owner(owner_of))


def start_soon(unit: str) -> str:
    """Has a unit started without waiting for it; returns what went wrong, or nothing."""
    done = _systemctl("start", "--no-block", unit)
    return "" if done.code == 0 else done.words


class FlashUnitStarter:
    """The flash units of this machine, for who must not wait for them."""

    def begin(self, version: str) -> str:
        """Starts a flash; one that has failed before gets a clean slate."""
        _systemctl("reset-failed", flash_unit(version))
        return start_soon(flash_unit(version))

    def failure(self, version: str) -> str:
        """Why the flash unit of a version has failed, or nothing."""
        unit = flash_unit(version)
        if _systemctl("is-failed", "--quiet", unit).code:
            return ""
        said = _said(["journalctl", "--no-pager", "--output=cat", "--lines=1", f"--unit={unit}", "_COMM=pitlink"])
        return said.words.strip() or f"{unit} has failed; read `journalctl -u {unit}` at the board"


def flash_unit(version: str) -> str:
    """The unit that flashes a version."""
    return f"pitlink-flash@{version}.service"


def _systemctl(*words: str) -> CommandResult:
    return _said(["systemctl", "--no-pager", *words])


def _said(command: list[str], **options: Any) -> CommandResult:
    try:
        done = subprocess.run(  # noqa: S603  our own words
            command, capture_output=True, text=True, check=False, timeout=START_S, **options
        )
    except OSError as error:
        return CommandResult(127, f"{command[0]}: {error.strerror}")
    except subprocess.TimeoutExpired:
        return CommandResult(124, f"{' '.join(command)}: no answer within {START_S} s")
    return CommandResult(done.returncode, done.stdout if done.returncode == 0 else (done.stderr or done.stdout).strip())


def _as_owner(path: Path | None) -> dict[str, Any]:
    """Root works on a table's files as the table's own user: what a cut leaves there must be his."""
    if path is None or os.geteuid() != 0:
        return {}
    owner = path.stat()
    try:
        groups = os.getgrouplist(pwd.getpwuid(owner.st_uid).pw_name, owner.st_gid)
    except KeyError:
        groups = [owner.st_gid]
    return {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": groups}
