"""Builds a bundle: wheels, lock, units and the installer, signed with a key that no board has."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from msgspec import Struct

from flashing.bundle import Manifest, parts_of, write_bundle
from flashing.errors import FlashError, flash_errors
from flashing.files import sync
from flashing.keys import PrivateKey
from flashing.versions import order, platform_name, wheel_tags

_NOT_OURS: Final = shutil.ignore_patterns(
    ".*", "build", "dist", "*.egg-info", "__pycache__", "tests", "docs", "hil", "benchmarks"
)
_EPOCH: Final = "315532800"  # the first day a zip file can name, so that the same source gives the same wheel


def build_wheel(project: Path, target: Path) -> Path:
    """Builds the project's own wheel, from a copy, so that nothing old lies about in it."""
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "source"
        shutil.copytree(project, source, ignore=_NOT_OURS)
        _pip("wheel", "--no-deps", "--wheel-dir", str(target), str(source))
    found = sorted(target.glob("pitlink-*.whl"))
    if len(found) != 1:
        raise FlashError(f"{target}: {len(found)} wheels of pitlink; begin with an empty folder")
    return found[0]


def fetch_wheels(wanted: list[str], target: Path, *, machine: str, python: str, cache: Path | None) -> None:
    """Brings these packages and all they need, for another machine; with a cache, from there and nowhere else."""
    source = [] if cache is None else ["--no-index", "--find-links", str(cache)]
    tags = [word for tag in wheel_tags(machine) for word in ("--platform", tag)]
    abi = f"cp{python.replace('.', '')}"
    kind = ["--only-binary=:all:", "--implementation", "cp", "--python-version", python, "--abi", abi, "--abi", "abi3"]
    _pip("download", *source, *tags, *kind, "--dest", str(target), *wanted)


def lock(folder: Path) -> str:
    """A requirements file that fits exactly these wheels."""
    lines = []
    for wheel in sorted(folder.glob("*.whl")):
        name, version = wheel.name.split("-")[:2]
        lines.append(f"{name}=={version} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n")
    return "".join(lines)


def program_files(folder: Path) -> dict[str, str]:
    """Every file that these wheels put below site-packages as it is, with its SHA-256."""
    program: dict[str, str] = {}
    for wheel in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            for name in (name for name in archive.namelist() if not name.endswith("/")):
                place = _installed(name)
                if place:
                    program[place] = hashlib.sha256(archive.read(name)).hexdigest()
    return program


def version_of(wheel: Path) -> str:
    """The version that a wheel's name says."""
    return wheel.name.split("-")[1]


def _installed(name: str) -> str:
    """Where a file of a wheel lies below site-packages, or nothing if it lies elsewhere or is written anew."""
    top, _, rest = name.partition("/")
    if top.endswith(".data"):
        kind, _, inner = rest.partition("/")
        return inner if kind in {"purelib", "platlib"} else ""
    return "" if top.endswith(".dist-info") and rest == "RECORD" else name


def _pip(*words: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words]
    environ = {**os.environ, "SOURCE_DATE_EPOCH": _EPOCH}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environ)  # noqa: S603  our own words
    if done.returncode:
        raise FlashError(f"pip {words[0]}: {(done.stderr or done.stdout).strip()[-800:]}")


WHEELS: Final = "wheels"
TOOLS: Final = "tools"
UNITS: Final = "units"
LOCK: Final = "lock.txt"


class BuildOrder(Struct, frozen=True):
    """What is to be built, and for whom."""

    project: Path
    machine: str
    python: str
    extras: str = "board"
    cache: Path | None = None  # a folder with every wheel; without one they are fetched


def build(what: BuildOrder, target: Path, *, key: PrivateKey, downgrade: PrivateKey | None = None) -> Manifest:
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
    with flash_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as file:
            write_bundle(file, manifest, folder, release=key, downgrade=downgrade)
            file.flush()
            os.fsync(file.fileno())
        fresh.rename(target)
        sync(target.parent)
    return manifest


def _gather(what: BuildOrder, folder: Path) -> str:
    for name in (WHEELS, TOOLS):
        (folder / name).mkdir()
    wheel = build_wheel(what.project, folder / WHEELS)
    ours = {"machine": what.machine, "python": what.python}
    fetch_wheels([f"{wheel}[{what.extras}]"], folder / WHEELS, cache=what.cache, **ours)
    fetch_wheels(["pip"], folder / TOOLS, cache=what.cache, **ours)
    shutil.copytree(what.project / "systemd", folder / UNITS)
    return version_of(wheel)
