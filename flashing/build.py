"""A bundle made at the workshop: wheels, lock, units and the installer, signed with a key that no board has."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

from msgspec import Struct

from flashing.bundle import Manifest, parts_of, write_bundle
from flashing.errors import told
from flashing.files import sync
from flashing.keys import PrivateKey
from flashing.versions import order, platform_name
from flashing.wheels import (
    build_wheel,
    fetch_wheels,
    lock,
    program_files,
    version_of,
)

WHEELS: Final = "wheels"
TOOLS: Final = "tools"
UNITS: Final = "units"
LOCK: Final = "lock.txt"


class Order(Struct, frozen=True):
    """What is to be built, and for whom."""

    project: Path
    machine: str
    python: str
    extras: str = "board"
    cache: Path | None = None  # a folder with every wheel; without one they are fetched


def build(what: Order, target: Path, *, key: PrivateKey, downgrade: PrivateKey | None = None) -> Manifest:
    """Builds a bundle file of this project; returns what it is."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        version = _gather(what, folder)
        return seal(folder, target, version, platform_name(what.machine, what.python), key=key, downgrade=downgrade)


def seal(
    folder: Path, target: Path, version: str, platform: str, *, key: PrivateKey, downgrade: PrivateKey | None = None
) -> Manifest:
    """Locks and signs what lies in a folder of wheels, tools and units."""
    order(version)
    (folder / LOCK).write_text(lock(folder / WHEELS), encoding="utf-8")
    manifest = Manifest(version, platform, parts_of(folder), program_files(folder / WHEELS))
    fresh = target.with_name(f".{target.name}.new")
    with told(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as file:
            write_bundle(file, manifest, folder, release=key, downgrade=downgrade)
            file.flush()
            os.fsync(file.fileno())
        fresh.rename(target)
        sync(target.parent)
    return manifest


def _gather(what: Order, folder: Path) -> str:
    for name in (WHEELS, TOOLS):
        (folder / name).mkdir()
    wheel = build_wheel(what.project, folder / WHEELS)
    ours = {"machine": what.machine, "python": what.python}
    fetch_wheels([f"{wheel}[{what.extras}]"], folder / WHEELS, cache=what.cache, **ours)
    fetch_wheels(["pip"], folder / TOOLS, cache=what.cache, **ours)
    shutil.copytree(what.project / "systemd", folder / UNITS)
    return version_of(wheel)
