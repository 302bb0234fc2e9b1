"""Bundle from a USB stick: copied to a private place first, then verified."""

import subprocess
import tempfile
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from flashing.bundle import LARGEST_BODY, LARGEST_MANIFEST, open_bundle
from flashing.errors import FlashError, flash_errors
from flashing.files import SyncedFiles
from flashing.keys import Trust
from flashing.paths import BoardPaths

_SAFELY: Final = "ro,nosuid,nodev,noexec"
_PIECE: Final = 2**20


def take_from_stick(device: Path, places: BoardPaths, disk: SyncedFiles) -> str:
    """Mounts a stick, takes the one bundle on it and lets go of the stick; returns the bundle's version."""
    with _mounted(device) as folder:
        return take_bundle(folder, places, disk)


def take_bundle(folder: Path, places: BoardPaths, disk: SyncedFiles) -> str:
    """Copies the only bundle of a folder to where flashes find it, if its signature is good; returns its version."""
    found = _only_bundle(folder)
    arrived = places.bundles / ".arrived"
    try:
        with flash_errors(arrived):
            places.bundles.mkdir(parents=True, exist_ok=True)
            with arrived.open("wb") as copy, closing(_pieces(found)) as pieces:  # an open file holds its stick
                copy.writelines(pieces)
        with open_bundle(arrived, Trust.of(places.trust), known_as=Path(found.name)) as bundle:
            version = bundle.manifest.version
        disk.rename(arrived, places.bundle(version))
    finally:
        disk.remove(arrived)
    return version


def _only_bundle(folder: Path) -> Path:
    with _readable("the stick"):
        found = sorted(path for path in folder.glob("*.pitlink") if path.is_file() and not path.is_symlink())
        if len(found) != 1:
            names = ", ".join(path.name for path in found) or "none"
            raise FlashError(f"a stick must hold exactly one bundle (VERSION.pitlink); this one has {names}")
        if found[0].stat().st_size > LARGEST_BODY + LARGEST_MANIFEST:
            raise FlashError(f"{found[0].name}: no bundle is that large; build it again")
    return found[0]


def _pieces(bundle: Path) -> Generator[bytes, None, None]:
    with _readable(bundle.name), bundle.open("rb") as source:
        while piece := source.read(_PIECE):
            yield piece


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Turns the system's errors about a stick into words of their own: the board's disk is not to blame for them."""
    try:
        yield
    except OSError as error:
        raise FlashError(f"{name} cannot be read ({error.strerror}): copy the bundle to another stick") from error


@contextmanager
def _mounted(device: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="pitlink-stick-") as folder:
        _run(["mount", "-o", _SAFELY, str(device), folder], f"{device} cannot be read")
        try:
            yield Path(folder)
        finally:
            _run(["umount", folder], f"{device} cannot be let go")


def _run(command: list[str], problem: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  our own words
    if done.returncode:
        raise FlashError(f"{problem}: {done.stderr.strip()}; format it as FAT or ext4 and copy the bundle again")
