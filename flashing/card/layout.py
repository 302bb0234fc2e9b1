"""Layout of a card: the partition table that a base image has, and the one that a table's card gets."""

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from flashing.errors import FlashError, flash_errors

SECTOR: Final = 512
MB: Final = 2**20
FAT: Final = (0x0B, 0x0C, 0x0E)
LINUX: Final = 0x83
PROGRAM_MB: Final = 1024
"""Room for two versions and a third while it is installed."""
LEAST_DATA_MB: Final = 2048
"""Journal, its archive, backups, bundles and logs."""
_GPT: Final = 0xEE
_TABLE_AT: Final = 446
_ENTRY: Final = struct.Struct("<B3sB3sII")
_LBA_ONLY: Final = b"\xfe\xff\xff"  # what old programs read where there is no cylinder
_ALIGNMENT: Final = 4 * MB // SECTOR
_WANTED: Final = "take Raspberry Pi OS Lite (64-bit), as it comes from its makers"


class Partition(Struct, frozen=True):
    """One partition, in sectors."""

    kind: int
    start: int
    sectors: int

    @property
    def offset(self) -> int:
        """Where it begins, in bytes."""
        return self.start * SECTOR

    @property
    def size(self) -> int:
        """How long it is, in bytes."""
        return self.sectors * SECTOR


class BaseLayout(Struct, frozen=True):
    """A base image: a boot partition that the firmware reads, and a root file system."""

    first_sector: bytes
    """With the disk's signature, by which the kernel's command line names the root file system."""
    boot: Partition
    root: Partition


class CardLayout(Struct, frozen=True):
    """A table's card: boot, a root that is only read, two slots for the program, and what is written."""

    boot: Partition
    root: Partition
    program: Partition
    data: Partition

    @property
    def parts(self) -> tuple[Partition, ...]:
        """All four, in order."""
        return self.boot, self.root, self.program, self.data

    @property
    def end(self) -> int:
        """The size of the whole, in bytes."""
        return self.data.offset + self.data.size


def read_base(image: Path) -> BaseLayout:
    """The partitions of a base image; any other layout is a FlashError that says what was found."""
    with flash_errors(image):
        size = image.stat().st_size
        with image.open("rb") as source:
            first = source.read(SECTOR)
    if len(first) < SECTOR or first[510:] != b"\x55\xaa":
        raise FlashError(f"{image}: no image of a card (it has no partition table); {_WANTED}")
    entries = [_ENTRY.unpack_from(first, _TABLE_AT + 16 * number) for number in range(4)]
    found = [Partition(kind, start, sectors) for _, _, kind, _, start, sectors in entries if kind]
    if [partition.kind in FAT for partition in found] != [True, False] or found[1].kind != LINUX:
        kinds = ", ".join(_named(partition.kind) for partition in found) or "none"
        raise FlashError(f"{image}: unknown layout: its partitions are {kinds}, not one FAT and one Linux; {_WANTED}")
    boot, root = found
    if root.start < boot.start + boot.sectors or root.offset + root.size > size:
        raise FlashError(f"{image}: its partitions do not fit into the file: it was cut off; fetch it again")
    return BaseLayout(first, boot, root)


def planned(base: BaseLayout, card_bytes: int, spare_mb: int) -> CardLayout:
    """How a card of this size is divided, with so much more room in the root; too small a one is a FlashError."""
    root_sectors = _aligned(base.root.sectors + spare_mb * MB // SECTOR)
    program = Partition(LINUX, _aligned(base.root.start + root_sectors), PROGRAM_MB * MB // SECTOR)
    start = _aligned(program.start + program.sectors)
    left = card_bytes // SECTOR - start
    if left < LEAST_DATA_MB * MB // SECTOR:
        need = start * SECTOR + LEAST_DATA_MB * MB
        raise FlashError(
            f"a card of {_gb(card_bytes)} is too small: boot and system take {_gb(program.offset)}, two programs "
            f"{_gb(program.size)}, the table's data at least {_gb(LEAST_DATA_MB * MB)}; take one of {_gb(need)} or more"
        )
    root = Partition(LINUX, base.root.start, root_sectors)
    return CardLayout(base.boot, root, program, Partition(LINUX, start, left // _ALIGNMENT * _ALIGNMENT))


def table_sector(first: bytes, parts: Sequence[Partition]) -> bytes:
    """The first sector of a card with these partitions, and whatever else the given one has."""
    entries = b"".join(_ENTRY.pack(0, _LBA_ONLY, part.kind, _LBA_ONLY, part.start, part.sectors) for part in parts)
    return first[:_TABLE_AT] + entries.ljust(4 * _ENTRY.size, b"\0") + b"\x55\xaa"


def _aligned(sector: int) -> int:
    return -(-sector // _ALIGNMENT) * _ALIGNMENT


def _gb(size: int) -> str:
    return f"{size / 10**9:.1f} GB"


def _named(kind: int) -> str:
    names = {_GPT: "GPT", LINUX: "Linux", 0x82: "swap", 0x05: "extended", 0x0F: "extended"}
    return "FAT" if kind in FAT else names.get(kind, f"type {kind:#04x}")
