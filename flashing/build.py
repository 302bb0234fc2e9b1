"""Builds a bundle: wheels, lock, units and the installer, signed with a key that no board has."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from common.files import replacing
from flashing.bundle import Manifest, parts_of, write_bundle
from flashing.errors import FlashError, flash_errors
from flashing.keys import PrivateKey
from flashing.lock import BASE, BUILD, lock_file, locked
from flashing.versions import order, platform_name, wheel_tags

_NOT_OURS: Final = shutil.ignore_patterns(".*", "*.egg-info", "__pycache__")
_NOT_BUILT: Final = frozenset({"build", "dist", "docs", "hil", "benchmarks", "requirements"})
_EPOCH: Final = "315532800"  # the first day a zip file can name, so that the same source gives the same wheel


def build_wheel(project: Path, target: Path, *, cache: Path | None) -> Path:
    """Builds the project's own wheel with the locked builders, from a copy, so that nothing old lies about in it."""
    with tempfile.TemporaryDirectory() as scratch:
        source, builders = Path(scratch) / "source", Path(scratch) / "builders"
        shutil.copytree(project, source, ignore=_ignored_in(project))
        named = ["--require-hashes", "--requirement", str(lock_file(project, BUILD))]
        _pip("install", *_source(cache), "--target", str(builders), *named)
        kind = ["--no-deps", "--no-index", "--no-build-isolation"]
        _pip("wheel", *kind, "--wheel-dir", str(target), str(source), environ={"PYTHONPATH": str(builders)})
    found = sorted(target.glob("pitlink-*.whl"))
    if len(found) != 1:
        raise FlashError(f"{target}: {len(found)} wheels of pitlink; begin with an empty folder")
    return found[0]


def _ignored_in(project: Path) -> Callable[[str, list[str]], set[str]]:
    """What a wheel is not made of; its tests are: the build looks for proofs in them (setup.py)."""

    def ignored(folder: str, names: list[str]) -> set[str]:
        return _NOT_OURS(folder, names) | (_NOT_BUILT & set(names) if Path(folder) == project else set())

    return ignored


def fetch_wheels(wanted: dict[str, str], target: Path, *, machine: str, python: str, cache: Path | None) -> None:
    """Brings locked packages for another machine; with a cache, from there and nowhere else."""
    tags = [word for tag in wheel_tags(machine) for word in ("--platform", tag)]
    abi = f"cp{python.replace('.', '')}"
    kind = ["--only-binary=:all:", "--implementation", "cp", "--python-version", python, "--abi", abi, "--abi", "abi3"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write("".join(f"{name} {hashes}\n" for name, hashes in wanted.items()))
        file.flush()
        named = ["--require-hashes", "--no-deps", "--requirement", file.name]
        _pip("download", *_source(cache), *tags, *kind, "--dest", str(target), *named)


def _source(cache: Path | None) -> list[str]:
    return [] if cache is None else ["--no-index", "--find-links", str(cache)]


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


def _pip(*words: str, environ: dict[str, str] | None = None) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words]
    env = {**os.environ, "SOURCE_DATE_EPOCH": _EPOCH, **(environ or {})}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)  # noqa: S603  our own words
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
    with flash_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as file:
            write_bundle(file, manifest, folder, release=key, downgrade=downgrade)
    return manifest


def _gather(what: BuildOrder, folder: Path) -> str:
    for name in (WHEELS, TOOLS):
        (folder / name).mkdir()
    extras = [extra for extra in what.extras.split(",") if extra]
    platform = {"machine": what.machine, "python": what.python}
    wanted = locked(what.project, [BASE, *extras], **platform)
    builders = locked(what.project, [BUILD], **platform)
    pip = {name: hashes for name, hashes in builders.items() if name.startswith("pip==")}
    wheel = build_wheel(what.project, folder / WHEELS, cache=what.cache)
    fetch_wheels(wanted, folder / WHEELS, cache=what.cache, **platform)
    fetch_wheels(pip, folder / TOOLS, cache=what.cache, **platform)
    shutil.copytree(what.project / "systemd", folder / UNITS)
    return version_of(wheel)
