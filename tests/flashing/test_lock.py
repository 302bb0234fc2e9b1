"""The lock: covers pyproject.toml, names no index, and is read for the board's platform, not for the builder's."""

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from flashing.build import BuildOrder, build
from flashing.errors import FlashError
from flashing.keys import make_key, read_private
from flashing.lock import BASE, BUILD, locked
from flashing.versions import MACHINES

ROOT: Final = Path(__file__).parents[2]
PYPROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: Final[dict[str, list[str]]] = PYPROJECT["project"]["optional-dependencies"]
PYTHONS: Final = ("3.11", "3.12", "3.13")
FILES: Final = (BASE, BUILD, *EXTRAS)


def wanted(name: str) -> list[Requirement]:
    """What pyproject.toml asks for in one lock file; an extra that names another one asks for its requirements, too."""
    listed = {BASE: PYPROJECT["project"]["dependencies"], BUILD: [*PYPROJECT["build-system"]["requires"], "pip"]}
    found = [Requirement(words) for words in {**EXTRAS, **listed}[name]]
    ours = [extra for requirement in found if requirement.name == "pitlink" for extra in requirement.extras]
    others = [requirement for requirement in found if requirement.name != "pitlink"]
    return others + [requirement for extra in ours for requirement in wanted(extra)]


def pins(name: str, machine: str, python: str) -> dict[str, str]:
    """Package and version of one lock file, together with base.txt, as bundles take it."""
    found = locked(ROOT, [name] if name in {BASE, BUILD} else [BASE, name], machine=machine, python=python)
    parts = (requirement.split("==") for requirement in found)
    return {canonicalize_name(package): version for package, version in parts}


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", FILES)
def test_the_lock_covers_pyproject(name: str, machine: str, python: str) -> None:
    """A dependency that was added or narrowed without a new lock fails here."""
    found = pins(name, machine, python)
    for requirement in wanted(name):
        if requirement.marker is not None and not requirement.marker.evaluate({"python_version": python}):
            continue
        version = found.get(canonicalize_name(requirement.name))
        assert version is not None, f"requirements/{name}.txt does not lock {requirement}; run ./dev lock"
        assert version in requirement.specifier, (
            f"requirements/{name}.txt has {version} for {requirement}; run ./dev lock"
        )


def test_the_lock_has_a_file_for_each_extra_and_no_other() -> None:
    """An extra that was removed leaves no lock behind."""
    assert sorted(path.stem for path in (ROOT / "requirements").glob("*.txt")) == sorted(FILES), "run ./dev lock"


@pytest.mark.parametrize("name", FILES)
def test_every_locked_package_has_hashes_and_no_index_is_named(name: str) -> None:
    """Whoever installs says where from; the lock says what."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    code = [line for line in text.splitlines() if not line.startswith("#")]
    line = re.compile(r"[a-z0-9.-]+(\[[a-z,]+\])?==[\w.]+( ; [\w. '<>=!()]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")
    assert [found for found in code if not line.fullmatch(found)] == []
    assert all(
        hashes.count("sha256:") >= 1 for hashes in locked(ROOT, [name], machine="aarch64", python="3.11").values()
    )


def test_markers_are_those_of_the_board(tmp_path: Path) -> None:
    """A bundle for Python 3.13 has no package of 3.11, whichever Python builds it."""
    (tmp_path / "requirements").mkdir()
    lines = (
        "old==1 ; python_full_version < '3.13' \\",
        "    --hash=sha256:aa",
        "pi==2 ; platform_machine == 'aarch64' \\",
    )
    text = "\n".join(("# Made for this test.", *lines, "    --hash=sha256:bb \\", "    --hash=sha256:cc", ""))
    (tmp_path / "requirements" / "base.txt").write_text(text)
    assert locked(tmp_path, [BASE], machine="x86_64", python="3.11") == {"old==1": "--hash=sha256:aa"}
    assert locked(tmp_path, [BASE], machine="aarch64", python="3.13") == {"pi==2": "--hash=sha256:bb --hash=sha256:cc"}


def test_a_bundle_of_an_unknown_extra_is_refused(tmp_path: Path) -> None:
    """Before anything is fetched; the words name the file that is missing."""
    private, _ = make_key(tmp_path, "house", "release", None)
    order = BuildOrder(ROOT, "x86_64", "3.11", extras="board,nothing")
    with pytest.raises(FlashError, match=r"nothing\.txt is missing: 'nothing' is no extra of the project"):
        build(order, tmp_path / "b.pitlink", key=read_private(private, None))
