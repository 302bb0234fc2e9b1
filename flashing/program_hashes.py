"""Program hashes: every file of a version against the signed manifest."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from flashing.bundle import Manifest, read_proof
from flashing.errors import FlashError, flash_errors
from flashing.keys import Trust
from flashing.paths import PROOF

GENERATED: Final = "generated.json"
_SITE: Final = r"lib/python[0-9.]+/site-packages"
# No .py, .so or .pth: of what Python loads, the unsigned list speaks for bytecode only, which is compiled on the board.
_MADE: Final = re.compile(
    rf"pyvenv\.cfg|bin/[^/]+|{_SITE}/(?:.+/)?__pycache__/[^/]+\.pyc|{_SITE}/[^/]+\.dist-info/(?:INSTALLER|RECORD|REQUESTED)"
)
_LIB64: Final = ("lib64", "-> lib")


class Program(Struct, frozen=True):
    """A version whose every file is what it should be."""

    version: str
    hash: str
    signed: int
    made_here: int


def check_program(prefix: Path, trust: Trust) -> Program:
    """Compares every file of a version with its signed hash; raises FlashError naming each that differs."""
    release = read_proof(prefix / PROOF, trust)
    signed = _signed(prefix, release.manifest)
    wanted = {**_made_here(prefix), **signed}
    found = _files(prefix)
    faults = [f"{name} is altered" for name in sorted(wanted) if name in found and _hash(found[name]) != wanted[name]]
    faults += [f"{name} is missing" for name in sorted(wanted.keys() - found.keys())]
    faults += [f"{name} does not belong here" for name in sorted(found.keys() - wanted.keys())]
    if faults:
        more = f" and {len(faults) - 5} more" if len(faults) > 5 else ""
        raise FlashError(
            f"{prefix}: {'; '.join(faults[:5])}{more}. Flash another version, or swap the board; do not mend it by hand"
        )
    return Program(release.manifest.version, release.manifest.program_hash, len(signed), len(wanted) - len(signed))


def generated(prefix: Path, manifest: Manifest) -> bytes:
    """The hashes of what an installation made itself (scripts, bytecode), to lie beside the signed ones."""
    signed = _signed(prefix, manifest)
    files = {name: _hash(path) for name, path in _files(prefix).items()}
    return msgspec.json.encode({name: files[name] for name in sorted(files) if files[name] != signed.get(name)})


def _signed(prefix: Path, manifest: Manifest) -> dict[str, str]:
    """Program and units, as they lie below the version's folder."""
    library = _library(prefix)
    program = {f"{library}/{name}": digest for name, digest in manifest.program.items()}
    return program | {part.name: part.sha256 for part in manifest.parts if part.name.startswith("units/")}


def _library(prefix: Path) -> str:
    found = next(iter(sorted((prefix / "lib").glob("python*/site-packages"))), None)
    if found is None:
        raise FlashError(f"{prefix}: there is no program in it; flash this version again")
    return found.relative_to(prefix).as_posix()


def _made_here(prefix: Path) -> dict[str, str]:
    """What the unsigned list may speak for; whatever else is in it does not count."""
    path = prefix / GENERATED
    with flash_errors(path):
        try:
            listed = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
        except msgspec.DecodeError as error:
            raise FlashError(f"{path}: damaged ({error}); flash another version, or swap the board") from error
    return {name: digest for name, digest in listed.items() if _MADE.fullmatch(name) or (name, digest) == _LIB64}


def _files(prefix: Path) -> dict[str, Path]:
    ours = {prefix / PROOF, prefix / GENERATED}
    return {path.relative_to(prefix).as_posix(): path for path in _walk(prefix) if path not in ours}


def _walk(folder: Path) -> Iterator[Path]:
    """Every file and link; links are not followed, what they lead to is the system's."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            yield from _walk(path)
        else:
            yield path


def _hash(path: Path) -> str:
    if path.is_symlink():
        return f"-> {path.readlink()}"
    with flash_errors(path), path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
