"""Writes the lock: one requirements file with hashes per extra of pyproject.toml (./dev lock)."""

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
PROJECT: Final = FOLDER.parent / "pyproject.toml"
BASE, BUILD = "base", "build"
_OLDEST_PYTHON: Final = "3.11"


def main(words: list[str]) -> None:
    """Locks every extra at versions that fit together; what is locked stays, unless --upgrade is given."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    extras = sorted(project["project"]["optional-dependencies"])
    before = [path for path in sorted(FOLDER.glob("*.txt")) if path.stem != BUILD]
    with tempfile.TemporaryDirectory() as scratch:
        everything, builders = Path(scratch) / "everything.txt", Path(scratch) / "build.in"
        everything.write_text("\n".join(path.read_text(encoding="utf-8") for path in before), encoding="utf-8")
        builders.write_text("\n".join([*project["build-system"]["requires"], "pip"]), encoding="utf-8")
        _compile(everything, "--all-extras", str(PROJECT), *words)
        base = _compile(Path(scratch) / "base.txt", str(PROJECT), "--constraint", str(everything))
        found = {BASE: base, BUILD: _compile(FOLDER / f"{BUILD}.txt", str(builders), *words)}
        for extra in extras:
            fresh = Path(scratch) / f"{extra}.txt"
            whole = _compile(fresh, "--extra", extra, str(PROJECT), "--constraint", str(everything))
            found[extra] = [requirement for requirement in whole if requirement not in base]
    for path in before:
        path.unlink()
    for name, requirements in found.items():
        _write(name, requirements)


def _compile(target: Path, *words: str) -> list[str]:
    """The requirements that uv finds for every supported Python and platform, each with the hashes of all its files."""
    kind = ["--quiet", "--universal", "--generate-hashes", "--no-header", "--no-annotate"]
    command = ["uv", "pip", "compile", *kind, "--python-version", _OLDEST_PYTHON, "--output-file", str(target), *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return re.split(r"\n(?=\S)", target.read_text(encoding="utf-8").strip())


def _write(name: str, requirements: list[str]) -> None:
    what = {BASE: "What every machine needs", BUILD: "What builds and installs the project"}
    head = what.get(name, f"What the extra {name} adds to {BASE}.txt")
    text = "\n".join([f"# {head}; written by ./dev lock from pyproject.toml.", *requirements])
    (FOLDER / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
