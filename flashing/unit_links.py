"""Unit files as links into the version that runs: switching the version switches them."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from flashing.files import Disk
from flashing.paths import Places

_KINDS: Final = frozenset({".service", ".timer", ".path", ".socket"})


def link_units(places: Places, disk: Disk) -> None:
    """Links the running version's units; what the house put there itself stays: a file, a mask, a link elsewhere."""
    for unit in _shipped(places):
        target, place = str(places.current / "units" / unit.name), places.units / unit.name
        if place.is_symlink() and str(place.readlink()) == target:
            continue
        if _is_ours(place, places) or not (place.is_symlink() or place.exists()):
            disk.link(place, target)


def drop_dead_links(places: Places, disk: Disk) -> None:
    """Removes the links of units that the running version does not have: a flash that has ended needs them no more."""
    for place in sorted(places.units.glob("pitlink-*")):
        if _is_ours(place, places) and not place.exists():
            disk.remove(place)


def _shipped(places: Places) -> Iterator[Path]:
    return (unit for unit in sorted((places.current / "units").iterdir()) if unit.suffix in _KINDS)


def _is_ours(place: Path, places: Places) -> bool:
    """Whether this is a link to something below the folder of versions."""
    return place.is_symlink() and Path(os.path.normpath(place.parent / place.readlink())).is_relative_to(places.opt)
