"""The proofs of the rule book's rows as they are shipped: an installed program has no tests to look at."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

NAME: Final = "proofs.json"


class Proof(Struct, frozen=True):
    """Where a row lives and what proves it: files of ours, and tests by their addresses."""

    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


def shipped() -> Mapping[str, Proof]:
    """What the last scan of the sources found, by row."""
    data = (files("games.rulebook") / NAME).read_bytes()
    return msgspec.json.decode(data, type=dict[str, Proof])


def write(proofs: Mapping[str, Proof], root: Path) -> Path:
    """Writes what a scan found to where it is shipped from."""
    path = root / "games" / "rulebook" / NAME
    path.write_bytes(msgspec.json.format(msgspec.json.encode(proofs), indent=1) + b"\n")
    return path
