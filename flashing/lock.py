"""The project's lock, requirements/*.txt, read for one platform."""

from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from flashing.errors import FlashError, flash_errors

REQUIREMENTS: Final = "requirements"
BASE: Final = "base"
BUILD: Final = "build"


def locked(project: Path, names: list[str], *, machine: str, python: str) -> dict[str, str]:
    """What these lock files ask for on one platform: each requirement without its marker, and its hashes."""
    target = _environment(machine, python)
    found: dict[str, str] = {}
    for name in names:
        for line in _lines(lock_file(project, name)):
            words, _, hashes = line.partition(" --hash=")
            requirement = Requirement(words)
            if requirement.marker is None or requirement.marker.evaluate(target):
                found[f"{requirement.name}{requirement.specifier}"] = f"--hash={hashes}"
    return found


def lock_file(project: Path, name: str) -> Path:
    """The lock file of an extra, of all machines (base) or of the builders (build)."""
    path = project / REQUIREMENTS / f"{name}.txt"
    if not path.is_file():
        raise FlashError(f"{path} is missing: {name!r} is no extra of the project, or ./dev lock has not run since")
    return path


def _lines(path: Path) -> list[str]:
    with flash_errors(path):
        text = path.read_text(encoding="utf-8")
    joined = text.replace("\\\n", " ").splitlines()
    return [" ".join(line.split()) for line in joined if line and not line.startswith("#")]


def _environment(machine: str, python: str) -> dict[str, str]:
    """Marker values of the board: pip would take those of the machine that builds."""
    return {
        "implementation_name": "cpython",
        "os_name": "posix",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
        "platform_system": "Linux",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": "linux",
    }
