"""Installs a version beside the running one: an environment of its own, offline from a bundle."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from flashing.build import LOCK, TOOLS, UNITS, WHEELS
from flashing.bundle import OpenBundle
from flashing.errors import FlashError, flash_errors
from flashing.files import SyncedFiles
from flashing.paths import PROOF, BoardPaths
from flashing.program_hashes import GENERATED, generated

MINUTES: Final = 20
_SPARE_BYTES: Final = 64 * 2**20
_GROWTH: Final = 6  # unpacked and compiled, a bundle takes about so many times its size


def install(bundle: OpenBundle, places: BoardPaths, disk: SyncedFiles) -> None:
    """Installs a bundle into its own folder; its proof is written last, and without one a folder is no version."""
    version, scratch = places.version(bundle.manifest.version), places.unpacked
    disk.remove(version)
    disk.remove(scratch)
    bundle.unpack(scratch)
    with flash_errors(version):
        version.parent.mkdir(parents=True, exist_ok=True)
        _make_environment(version)
        _install_wheels(version, scratch)
        shutil.copytree(scratch / UNITS, version / UNITS)
    disk.write(version / GENERATED, generated(version, bundle.manifest))
    os.sync()  # thousands of files: one call for all of them
    disk.write(version / PROOF, bundle.release.proof)
    disk.remove(scratch)


def check_space(size: int, places: BoardPaths, journal: Path | None) -> None:
    """Refuses to begin what would fill a disk; what lies on the same one needs its room together."""
    needs: dict[int, int] = {}
    for folder, need in _needs(size, places, journal):
        with flash_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            device, free = folder.stat().st_dev, shutil.disk_usage(folder).free
        needs[device] = needs.get(device, _SPARE_BYTES) + need
        if free < needs[device]:
            raise FlashError(
                f"{folder}: {free // 2**20} MB free, a flash needs {needs[device] // 2**20} MB; "
                f"remove old bundles from {places.bundles} or logs (journalctl --vacuum-size=50M)"
            )


def _needs(size: int, places: BoardPaths, journal: Path | None) -> list[tuple[Path, int]]:
    """How many bytes a bundle of this size takes where; the journal is copied with its write-ahead log."""
    needs = [(places.opt, _GROWTH * size), (places.state, 2 * size)]
    if journal is None or not journal.is_file():
        return needs
    files = (journal, journal.with_name(f"{journal.name}-wal"))
    return [*needs, (journal.parent, sum(file.stat().st_size for file in files if file.is_file()))]


def _make_environment(version: Path) -> None:
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    _run([str(base), "-m", "venv", "--without-pip", str(version)], "no Python environment can be made")
    (version / ".gitignore").unlink(missing_ok=True)  # venv writes one from Python 3.13 on; nobody signed it


def _install_wheels(version: Path, scratch: Path) -> None:
    """With the bundle's own pip: a board needs none, and no network."""
    python = str(version / "bin" / "python")
    pip = next((scratch / TOOLS).glob("pip-*.whl"), None)
    if pip is None:
        raise FlashError("the bundle has no pip; build it again")
    words = ["install", "--quiet", "--no-index", "--no-deps", "--no-compile", "--require-hashes"]
    find = ["--find-links", str(scratch / WHEELS), "--requirement", str(scratch / LOCK)]
    _run([python, f"{pip}/pip", *words, *find], "the bundle's wheels cannot be installed")
    library = next((version / "lib").glob("python*"))
    # The bytecode must not depend on a calendar that may stand in 1970; every file of it is hashed afterwards.
    compiled = ["-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", str(library)]
    _run([python, *compiled], "the program cannot be compiled")


def _run(command: list[str], problem: str) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    quiet = {
        "PIP_NO_INPUT": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_CACHE_DIR": "1",
    }
    try:
        done = subprocess.run(  # noqa: S603  our own words
            command, capture_output=True, text=True, check=False, timeout=60 * MINUTES, env={**environ, **quiet}
        )
    except subprocess.TimeoutExpired as error:
        raise FlashError(f"{problem}: not done after {MINUTES} minutes; look for a worn card (dmesg)") from error
    if done.returncode:
        said = (done.stderr or done.stdout).strip()
        raise FlashError(f"{problem}: {said[-600:]}")
