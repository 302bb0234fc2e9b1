"""The layout of a card: what a base image must look like, and how a card is divided."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashing.card.layout import (
    LEAST_DATA_MB,
    LINUX,
    MB,
    SECTOR,
    BaseLayout,
    Partition,
    planned,
    read_base,
    table_sector,
)
from flashing.errors import FlashError

FAT32 = 0x0C
SIGNED = bytes(440) + struct.pack("<IH", 0x4E639091, 0)
BOOT = Partition(FAT32, 8192, 512 * MB // SECTOR)
ROOT = Partition(LINUX, 8192 + 512 * MB // SECTOR, 2300 * MB // SECTOR)
BASE = BaseLayout(table_sector(SIGNED, (BOOT, ROOT)), BOOT, ROOT)


def image(folder: Path, *parts: Partition, size: int = ROOT.offset + ROOT.size) -> Path:
    """A file with these partitions, and holes for the rest."""
    path = folder / "base.img"
    with path.open("wb") as out:
        out.write(table_sector(SIGNED, parts))
        out.truncate(size)
    return path


def test_a_base_in_the_layout_of_raspberry_pi_os_is_read(tmp_path: Path) -> None:
    """Both partitions, and the signature by which the kernel's command line names the root."""
    assert read_base(image(tmp_path, BOOT, ROOT)) == BASE


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ((ROOT,), "its partitions are Linux, not one FAT and one Linux"),
        ((BOOT, ROOT, ROOT), "FAT, Linux, Linux"),
        ((Partition(0xEE, 1, 100),), "its partitions are GPT"),
        ((BOOT, Partition(0x07, ROOT.start, ROOT.sectors)), "FAT, type 0x07"),
        ((), "its partitions are none"),
    ],
)
def test_another_layout_is_named(tmp_path: Path, parts: tuple[Partition, ...], words: str) -> None:
    """With what to take instead."""
    with pytest.raises(FlashError, match=f"{words}.*take Raspberry Pi OS Lite"):
        read_base(image(tmp_path, *parts))


def test_what_is_no_image_or_was_cut_off_is_refused(tmp_path: Path) -> None:
    """A download that ended early, or any other file."""
    with pytest.raises(FlashError, match="it was cut off; fetch it again"):
        read_base(image(tmp_path, BOOT, ROOT, size=ROOT.offset + ROOT.size - 1))
    (tmp_path / "notes").write_text("no image")
    with pytest.raises(FlashError, match="no image of a card"):
        read_base(tmp_path / "notes")
    with pytest.raises(FlashError, match="No such file"):
        read_base(tmp_path / "nothing")


@given(card_mb=st.integers(1, 200_000), spare_mb=st.integers(0, 4096), root_mb=st.integers(100, 20_000))
def test_a_card_holds_everything_in_order_or_is_refused(card_mb: int, spare_mb: int, root_mb: int) -> None:
    """No partition overlaps another or leaves the card, the root keeps its beginning, and each begins at 4 MB."""
    root = Partition(LINUX, ROOT.start, root_mb * MB // SECTOR)
    base = BaseLayout(BASE.first_sector, BOOT, root)
    if card_mb < root_mb + spare_mb + 516 + 1024 + LEAST_DATA_MB:
        with pytest.raises(FlashError, match="is too small"):
            planned(base, card_mb * MB, spare_mb)
        return
    card = planned(base, (card_mb + 16) * MB, spare_mb)
    assert card.end <= (card_mb + 16) * MB
    assert (card.boot, card.root.start) == (BOOT, root.start)
    assert card.root.size >= (root_mb + spare_mb) * MB
    assert card.data.size >= LEAST_DATA_MB * MB
    for before, after in zip(card.parts, card.parts[1:], strict=False):
        assert before.start + before.sectors <= after.start
        assert after.offset % (4 * MB) == 0


def test_too_small_a_card_is_told_how_large_it_must_be() -> None:
    """The size that the message names is enough."""
    with pytest.raises(
        FlashError, match=r"a card of 4.0 GB is too small: .* take one of (\d+\.\d) GB or more"
    ) as refused:
        planned(BASE, 4 * 10**9, 256)
    gigabytes = float(str(refused.value).split("take one of ")[1].split()[0])
    assert planned(BASE, round((gigabytes + 0.1) * 10**9), 256)


def test_the_kernel_finds_its_root_by_the_same_name_on_the_card(tmp_path: Path) -> None:
    """The disk's signature stays; four partitions are read back from the card's own table."""
    card = planned(BASE, 8 * 10**9, 256)
    sector = table_sector(BASE.first_sector, card.parts)
    assert len(sector) == SECTOR
    assert sector[:446] == BASE.first_sector[:446]
    path = tmp_path / "card.img"
    path.write_bytes(sector)
    with pytest.raises(FlashError, match="FAT, Linux, Linux, Linux"):  # nobody makes a card of a card
        read_base(path)
