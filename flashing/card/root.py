"""Root file system of a board: the recipe is run in it, and what a board writes becomes partitions of its own."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from flashing.errors import FlashError

RECIPE: Final = "flashing/recipe"
DATA_LABEL: Final = "pitlink-data"
PROGRAM_LABEL: Final = "pitlink-prog"
_LUGGAGE: Final = "/srv/pitlink-src"  # where the recipe finds the project in the root; gone once it has run
# With the kernel's file systems and this machine's name servers, in name spaces that end with the last program.
_INSIDE: Final = """
root=$1; shift
mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; mount -t tmpfs run "$root/run"
if [ -e /etc/resolv.conf ]; then
    for name in systemd/resolve/stub-resolv.conf systemd/resolve/resolv.conf NetworkManager/resolv.conf; do
        mkdir -p "$root/run/${name%/*}"; cp -L /etc/resolv.conf "$root/run/$name"
    done
    [ -L "$root/etc/resolv.conf" ] || [ ! -e "$root/etc/resolv.conf" ] ||
        mount --bind "$(readlink -f /etc/resolv.conf)" "$root/etc/resolv.conf"
fi
exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"
"""


class Recipe(Struct, frozen=True):
    """What the recipe is given: files that lie beside it, by the name of its option, and plain options."""

    files: Mapping[str, Path]
    options: Sequence[str] = ()


def run(*words: str | Path) -> str:
    """Runs a program that may not fail; what it says comes back."""
    done = subprocess.run(  # noqa: S603  our own words
        [str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        raise FlashError(f"{' '.join(map(str, words[:3]))} …: {done.stdout.strip()[-1500:]}")
    return done.stdout


def run_inside(root: Path, *words: str) -> str:
    """Runs a program of that system as its root."""
    return run("unshare", "--mount", "--pid", "--fork", "sh", "-ec", _INSIDE, "sh", root, *words)


def make_board(root: Path, project: Path, recipe: Recipe) -> None:
    """Makes a table board of a plain system, by the recipe, in the system itself."""
    luggage = root / _LUGGAGE.lstrip("/")
    shutil.rmtree(luggage, ignore_errors=True)
    for part in (RECIPE, "systemd"):
        shutil.copytree(project / part, luggage / part, ignore=shutil.ignore_patterns("__pycache__"))
    words = []
    for option, file in recipe.files.items():
        place = luggage / option / file.name
        place.parent.mkdir()
        if file.is_dir():
            shutil.copytree(file, place)
        else:
            shutil.copy(file, place)
        words += [f"--{option}", f"{_LUGGAGE}/{option}/{file.name}"]
    run_inside(root, f"{_LUGGAGE}/{RECIPE}/table-board", *words, *recipe.options)
    shutil.rmtree(luggage)


def into_partition(tree: Path, label: str, size: int, place: Path) -> None:
    """A new ext4 file system with what lies in a folder; the folder is empty afterwards."""
    run("mke2fs", "-q", "-F", "-t", "ext4", "-L", label, "-d", tree, place, f"{size // 1024}k")
    for found in tree.iterdir():
        if found.is_dir() and not found.is_symlink():
            shutil.rmtree(found)
        else:
            found.unlink()
