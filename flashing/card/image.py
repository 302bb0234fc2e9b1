"""Image of a card: a base image that a technician supplies becomes the card of one table, or a message says why not."""

import lzma
import os
import re
import shutil
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

from msgspec import Struct

from flashing.card.layout import MB, BaseLayout, CardLayout, planned, read_base, table_sector
from flashing.card.root import DATA_LABEL, PROGRAM_LABEL, Recipe, into_partition, make_board, run, run_inside
from flashing.errors import FlashError, flash_errors
from flashing.versions import platform_name

PROGRAMS: Final = {
    "e2fsck": "e2fsprogs",
    "mke2fs": "e2fsprogs",
    "resize2fs": "e2fsprogs",
    "mcopy": "mtools",
    "unshare": "util-linux",
}
SPARE_MB: Final = 256
"""What the recipe and a year of security updates take of the root file system."""
KIOSK_MB: Final = 1024
"""What a browser and its screen take besides."""
_FIRMWARE: Final = "boot/firmware"
_FIRMWARE_FILES: Final = ("config.txt", "cmdline.txt")
_ELF: Final = struct.Struct("<4sB11xHH")
_MACHINES: Final = {183: "aarch64", 62: "x86_64", 40: "armv7l"}
_XZ: Final = b"\xfd7zXZ\x00"
_ZIP: Final = b"PK\x03\x04"
_CHUNK: Final = 4 * MB


class CardOrder(Struct, frozen=True):
    """What becomes a card, and for which table."""

    base: Path
    out: Path
    project: Path
    card_bytes: int
    platform: str
    """What the bundle was built for."""
    recipe: Recipe
    has_kiosk: bool = False


def make_card(order: CardOrder, say: Callable[[str], None]) -> CardLayout:
    """Writes the image; there is none unless all of it went well."""
    _require_tools()
    with flash_errors(order.out):
        folder = order.out.absolute().parent
        with TemporaryDirectory(dir=folder, prefix=".pitlink-image-") as scratch:
            return _make(order, Path(scratch), say)


def _make(order: CardOrder, scratch: Path, say: Callable[[str], None]) -> CardLayout:
    card_file, root_file = scratch / "card", scratch / "root"
    say(f"reading {order.base}")
    unpacked = _unpacked(order.base, scratch)
    base = read_base(unpacked)
    card = planned(base, order.card_bytes, SPARE_MB + (KIOSK_MB if order.has_kiosk else 0))
    _begin(unpacked, base, card, card_file)
    _copy(unpacked, base.root.offset, base.root.size, root_file, 0)
    _mend(root_file)
    os.truncate(root_file, card.root.size)
    run("resize2fs", root_file)
    say("making a table board of it")
    with _mounted(root_file, scratch / "mounted") as root:
        _require_platform(root, order)
        with _firmware(card_file, card, root):
            make_board(root, order.project, order.recipe)
        parts = {"program": (PROGRAM_LABEL, card.program), "data": (DATA_LABEL, card.data)}
        for name, (label, part) in parts.items():
            into_partition(root / name, label, part.size, scratch / name)
    say("putting it together")
    for name, part in (("root", card.root), ("program", card.program), ("data", card.data)):
        _copy(scratch / name, 0, part.size, card_file, part.offset)
    card_file.chmod(0o600)  # with the table's private keys
    card_file.replace(order.out)
    return card


def _mend(root_file: Path) -> None:
    """A file system from a running board may want its journal played back; what is broken is a FlashError."""
    try:
        run("e2fsck", "-f", "-p", root_file)
    except FlashError as fault:
        if re.search(r"UNEXPECTED INCONSISTENCY|Bad magic|Superblock invalid", str(fault)):
            raise FlashError("the base image's root file system is damaged; fetch the image again") from fault


def _require_tools() -> None:
    if os.geteuid():
        raise FlashError("a card's file systems are made with the rights of root: run it again with sudo")
    missing = sorted({package for program, package in PROGRAMS.items() if shutil.which(program) is None})
    if missing:
        raise FlashError(f"programs are missing; install them: apt-get install {' '.join(missing)}")


def _unpacked(base: Path, scratch: Path) -> Path:
    """The image itself; one that is packed with xz, as its makers hand it out, is unpacked beside."""
    with flash_errors(base), base.open("rb") as source:
        first = source.read(len(_XZ))
        if first.startswith(_ZIP):
            raise FlashError(f"{base}: a zip file; unpack it and name the .img that is in it")
        if first != _XZ:
            return base
    target = scratch / "base"
    try:
        with flash_errors(base), lzma.open(base) as packed, target.open("wb") as out:
            _pour(packed, out)
    except (lzma.LZMAError, EOFError) as error:
        raise FlashError(f"{base}: cannot be unpacked ({error}); fetch it again") from error
    return target


def _begin(source: Path, base: BaseLayout, card: CardLayout, target: Path) -> None:
    """A card with its partition table, whatever the firmware has before the first partition, and the boot partition."""
    with target.open("wb") as out:
        out.truncate(card.end)
    _copy(source, 0, base.boot.offset + base.boot.size, target, 0)
    with target.open("r+b") as out:
        out.write(table_sector(base.first_sector, card.parts))


def _copy(source: Path, at: int, size: int, target: Path, to: int) -> None:
    """Copies a range; blocks of noughts stay holes."""
    with source.open("rb") as inside, target.open("r+b" if target.exists() else "wb") as out:
        inside.seek(at)
        out.seek(to)
        _pour(inside, out, size)
        if target.stat().st_size < to + size:
            out.truncate(to + size)


def _pour(source: IO[bytes], out: IO[bytes], size: int | None = None) -> None:
    while size is None or size > 0:
        chunk = source.read(_CHUNK if size is None else min(_CHUNK, size))
        if not chunk:
            break
        if chunk.count(0) == len(chunk):
            out.seek(len(chunk), os.SEEK_CUR)
        else:
            out.write(chunk)
        size = None if size is None else size - len(chunk)
    out.truncate(max(out.tell(), os.fstat(out.fileno()).st_size))


@contextmanager
def _mounted(file: Path, place: Path) -> Iterator[Path]:
    place.mkdir()
    try:
        run("mount", "-o", "loop", file, place)
    except FlashError as fault:
        raise FlashError(f"{fault}\nthis machine has no free loop device: modprobe loop, or use another one") from fault
    try:
        yield place
    finally:
        run("umount", place)


@contextmanager
def _firmware(card_file: Path, card: CardLayout, root: Path) -> Iterator[None]:
    """The two files that the firmware reads, where the recipe looks for them; written back afterwards."""
    boot, place = f"{card_file}@@{card.boot.offset}", root / _FIRMWARE
    place.mkdir(parents=True, exist_ok=True)
    for name in _FIRMWARE_FILES:
        try:
            run("mcopy", "-n", "-i", boot, f"::{name}", place / name)
        except FlashError as fault:
            raise FlashError(
                f"the boot partition has no {name}: no Raspberry Pi OS; take Raspberry Pi OS Lite (64-bit)"
            ) from fault
    yield
    for name in _FIRMWARE_FILES:
        run("mcopy", "-o", "-i", boot, place / name, f"::{name}")
        (place / name).unlink()


def _require_platform(root: Path, order: CardOrder) -> None:
    """The bundle must fit the machine and the Python of the image, whose programs must run here."""
    found = _platform(root, order.base)
    if found != order.platform:
        raise FlashError(
            f"{order.base} is for another board than the bundle: it is {found}, the bundle is for {order.platform}; "
            "take the 64-bit image, or build the bundle for it (pitlink bundle build)"
        )
    try:
        run_inside(root, "true")
    except FlashError as fault:
        raise FlashError(
            f"programs of {found} do not run here: apt-get install qemu-user-static binfmt-support ({fault})"
        ) from fault


def _platform(root: Path, base: Path) -> str:
    """Machine and Python of a system, as bundles name them."""
    pythons = sorted(root.glob("usr/bin/python3.[0-9][0-9]"))
    if not pythons:
        raise FlashError(f"{base}: its system has no Python 3; take Raspberry Pi OS Lite (64-bit)")
    with pythons[-1].open("rb") as program:
        magic, _, _, machine = _ELF.unpack(program.read(_ELF.size).ljust(_ELF.size, b"\0"))
    name = _MACHINES.get(machine, "unknown") if magic == b"\x7fELF" else "unknown"
    return platform_name(name, pythons[-1].name.removeprefix("python"))
