"""The wheels of a version: fetched at the workshop, locked by hash, and the program files they become."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from flashing.errors import BoardFault
from flashing.versions import wheel_tags

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
        raise BoardFault(f"{target}: {len(found)} wheels of pitlink; begin with an empty folder")
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
        raise BoardFault(f"pip {words[0]}: {(done.stderr or done.stdout).strip()[-800:]}")
