"""pitlink image: what is refused before and while a card is made, and that a refusal leaves no half image."""

import lzma
import os
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from cli.main import main
from flashing.card.layout import LINUX, MB, SECTOR, Partition, table_sector
from flashing.keys import make_key
from flashing.versions import this_platform
from hil.image import PROJECT
from tests.support.flash.flash_bench import NEW, Workshop, make_bundles

BOOT = Partition(0x0C, 8192, 8 * MB // SECTOR)
ROOT = Partition(LINUX, 8192 + 8 * MB // SECTOR, 24 * MB // SECTOR)
TOOLS = ("mke2fs", "mkfs.vfat", "mcopy", "resize2fs")
needs_root = pytest.mark.skipif(
    os.geteuid() != 0 or any(shutil.which(tool) is None for tool in TOOLS), reason="root and mtools, dosfstools"
)
ELF = {"aarch64": 183, "x86_64": 62, "armv7l": 40}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return make_bundles(tmp_path_factory.mktemp("house"), (NEW,))


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    return Path(shutil.copy(PROJECT / "config/table.toml", tmp_path))


def image(house: Workshop, settings: Path, base: Path, *more: str) -> int:
    """The command with everything that it needs; its exit code."""
    words = ("--base", base, "--bundle", house.folder / f"{NEW}.pitlink", "--trust", house.public)
    out = settings.parent / "out" / "card.img"
    out.parent.mkdir(exist_ok=True)
    code = main(["image", *map(str, words), "--settings", str(settings), "--out", str(out), *more])
    assert list(out.parent.iterdir()) == ([] if code else [out])
    return code


def base_of(folder: Path, *, machine: str, python: str, has_firmware: bool = True) -> Path:
    """An image in the layout of Raspberry Pi OS whose whole system is one program with this machine's header."""
    tree = folder / "tree/usr/bin"
    tree.mkdir(parents=True)
    header = struct.pack("<4sB11xHH", b"\x7fELF", 2, 2, ELF[machine])
    (tree / f"python{python}").write_bytes(header)
    boot, root, base = folder / "boot", folder / "root", folder / "base.img"
    subprocess.run(["mkfs.vfat", "-C", boot, str(BOOT.size // 1024)], check=True, capture_output=True)
    if has_firmware:
        for name in ("config.txt", "cmdline.txt"):
            (folder / name).write_text("console=tty1 root=PARTUUID=4e639091-02 rootwait resize\n")
            subprocess.run(["mcopy", "-i", boot, folder / name, "::"], check=True)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", folder / "tree", root, "24M"], check=True)
    with base.open("wb") as out:
        out.write(table_sector(bytes(446), (BOOT, ROOT)))
        for part, file in ((BOOT, boot), (ROOT, root)):
            out.seek(part.offset)
            out.write(file.read_bytes())
    return base


def test_settings_with_a_fault_make_no_card(
    house: Workshop, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same words as `pitlink check` says."""
    settings.write_text(settings.read_text().replace('pay_table = "A"', 'pay_table = "Z"'))
    assert image(house, settings, settings) == 1
    assert "table.pay_table" in capsys.readouterr().err


@pytest.mark.parametrize("there", [(), ("ca.crt", "T1.crt")])
def test_a_missing_key_is_named(
    house: Workshop, settings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], there: tuple[str, ...]
) -> None:
    """Whatever the settings name below /etc/pitlink must be in the folder; nothing else is asked for."""
    names = {"ca": "ca.crt", "certificate": "T1.crt", "key": "T1.key"}
    tls = "\n[broker.tls]\n" + "".join(f'{key} = "/etc/pitlink/{name}"\n' for key, name in names.items())
    settings.write_text(settings.read_text().replace("\n[panel]", f"{tls}\n[panel]"))
    (tmp_path / "keys").mkdir()
    for name in there:
        (tmp_path / "keys" / name).touch()
    assert image(house, settings, settings, "--files", str(tmp_path / "keys")) == 1
    said = capsys.readouterr().err
    assert "T1.key (named as /etc/pitlink/T1.key)" in said
    assert ("ca.crt (" in said) == (not there)


def test_a_bundle_that_the_house_has_not_signed_makes_no_card(
    house: Workshop, settings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The board would not believe it either."""
    _, stranger = make_key(tmp_path, "stranger", "release", None)
    assert image(house, settings, settings, "--trust", str(stranger)) == 1
    assert "not trust for a release; it trusts stranger" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--address", "10.0.4.11"), "how large is the network? Write it as 10.0.4.11/24"),
        (("--address", "10.0.4.300/24"), "--address 10.0.4.300/24"),
        (("--gateway", "10.0.4.1"), "--gateway needs --address"),
        (("--address", "10.0.4.11/24", "--dns", "x"), "--dns x"),
        (("--hostname", "T 1"), "--hostname T 1: a name has small letters"),
        (("--time-server", "a b"), "--time-server a b"),
        (("--timezone", "New York"), "--timezone New York: there is no such zone"),
    ],
)
def test_odd_words_for_the_network_are_refused(
    house: Workshop, settings: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], words: str
) -> None:
    """Before anything is written."""
    assert image(house, settings, settings, *more) == 1
    assert words in capsys.readouterr().err


def test_a_private_key_is_not_put_onto_a_card(
    house: Workshop, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the public half of the technician's key is asked for."""
    private = settings.with_name("id")
    private.write_text("-----BEGIN OPENSSH PRIVATE KEY-----\n")
    assert image(house, settings, settings, "--technician", str(private)) == 1
    assert "take the .pub file" in capsys.readouterr().err


@needs_root
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04 and so on", "a zip file; unpack it"),
        (b"\xfd7zXZ\x00 and so on", "cannot be unpacked"),
        (b"nothing of the kind", "no image of a card"),
    ],
)
def test_a_file_that_is_no_base_is_named(
    house: Workshop, settings: Path, capsys: pytest.CaptureFixture[str], content: bytes, words: str
) -> None:
    """With what to take instead."""
    base = settings.with_name("base.img")
    base.write_bytes(content)
    assert image(house, settings, base) == 1
    assert words in capsys.readouterr().err


@needs_root
def test_too_small_a_card_is_refused(house: Workshop, settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the size to take."""
    base = settings.with_name("base.img")
    base.write_bytes(table_sector(bytes(446), (BOOT, ROOT)))
    with base.open("r+b") as file:
        file.truncate(ROOT.offset + ROOT.size)
    assert image(house, settings, base, "--card", "2") == 1
    assert "is too small" in capsys.readouterr().err


@needs_root
def test_an_image_for_another_board_is_refused(
    house: Workshop, settings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its programs say which machine and which Python it is for; packed with xz, as it is handed out."""
    _, machine, python = this_platform().split("-")
    base = base_of(tmp_path, machine="armv7l", python=python.removeprefix("py"))
    packed = tmp_path / "base.img.xz"
    packed.write_bytes(lzma.compress(base.read_bytes(), preset=0))
    assert image(house, settings, packed) == 1
    said = capsys.readouterr().err
    assert f"it is linux-armv7l-{python}, the bundle is for linux-{machine}-{python}" in said
    assert not Path("/proc/mounts").read_text().count(".pitlink-image-")


@needs_root
def test_a_base_that_the_firmware_could_not_boot_is_refused(
    house: Workshop, settings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A boot partition without the firmware's files is no Raspberry Pi's."""
    _, machine, python = this_platform().split("-")
    base = base_of(tmp_path, machine=machine, python=python.removeprefix("py"), has_firmware=False)
    assert image(house, settings, base) == 1
    said = capsys.readouterr().err
    assert "programs of" in said or "the boot partition has no config.txt" in said
