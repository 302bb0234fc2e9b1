"""The card of a table, made by `pitlink image` of a base image in the layout of Raspberry Pi OS."""

import shutil
import struct
import sys
from pathlib import Path
from typing import Final

from flashing.card.layout import LINUX, MB, SECTOR, Partition, table_sector
from flashing.card.root import into_partition, run_inside
from hil.image import PROJECT, Image, add_bench, bundles, digest, files, kept, keys, plain, tree, versions
from hil.machines import DebianRelease, Machine
from hil.programs import run

SIGNATURE: Final = 0x5EEDCA4D
UPDATES: Final = "/opt/bench/updates"
"""In the guest: the folder with a later version of a package that its system has."""
PACKAGE: Final = "bench-library"
_FAT32: Final = 0x0C
_BOOT: Final = Partition(_FAT32, 4 * MB // SECTOR, 128 * MB // SECTOR)
_ROOT: Final = Partition(LINUX, 132 * MB // SECTOR, 1300 * MB // SECTOR)
_CONFIG: Final = "# as Raspberry Pi OS has it\ndtparam=audio=on\n\n[all]\n"
# The console of a Pi, and the word at which it would make its root as large as the card.
_COMMAND_LINE: Final = (
    f"console=serial0,115200 console=tty1 root=PARTUUID={SIGNATURE:08x}-02 rootfstype=ext4 rootwait resize\n"
)
_FSTAB: Final = f"""\
proc /proc proc defaults 0 0
PARTUUID={SIGNATURE:08x}-01 /boot/firmware vfat defaults 0 2
PARTUUID={SIGNATURE:08x}-02 / ext4 defaults,noatime 0 1
"""
_FILES, _FILE_BYTES = 300, 20_000


def card(machine: Machine, release: DebianRelease, settings: str) -> Image:
    """The card with these settings, and what its own boot partition says to the kernel; built if it is not there."""
    base = base_image(machine, release)
    parts = digest(str(base), bundles(machine, release).name, settings, *files("flashing", "systemd", "cli"))
    place = kept("card", parts, lambda place: _build_card(place, base, machine, release, settings))
    words = (place / "cmdline.txt").read_text().replace("console=tty1 ", "").strip()
    boot = place / "vmlinuz", place / "initrd.img"
    return Image(machine, release, *boot, place / "card.img", None, tree(machine), words)


def base_image(machine: Machine, release: DebianRelease) -> Path:
    """A plain Debian on a card as Raspberry Pi OS Lite has it: a boot partition with FAT, and a root behind it."""
    parts = digest(str(plain(machine, release)), *files("hil/guest_files"), Path(__file__).read_text(encoding="utf-8"))
    place = kept("card-base", parts, lambda place: _build_base(place, machine, release))
    return place / "base.img"


def _build_base(place: Path, machine: Machine, release: DebianRelease) -> None:
    root, image = place / "root", place / "base.img"
    run("cp", "-a", str(plain(machine, release) / "root"), str(root))
    (root / "etc/fstab").write_text(_FSTAB)
    (root / "etc/hostname").write_text("raspberrypi\n")
    (root / "boot/firmware").mkdir()
    add_bench(root, machine, release)
    _install_package(root, place)
    for name, text in (("config.txt", _CONFIG), ("cmdline.txt", _COMMAND_LINE)):
        (place / name).write_text(text)
    with image.open("wb") as out:
        out.truncate(_ROOT.offset + _ROOT.size)
    _format_boot(image, place, plain(machine, release))
    into_partition(root, "rootfs", _ROOT.size, place / "root.raw")
    words = ("conv=notrunc,sparse", "bs=1M", f"seek={_ROOT.offset // MB}", "status=none")
    run("dd", f"if={place / 'root.raw'}", f"of={image}", *words)
    (place / "root.raw").unlink()
    signed = bytes(440) + struct.pack("<IH", SIGNATURE, 0)
    with image.open("r+b") as out:
        out.write(table_sector(signed, (_BOOT, _ROOT)))


def _format_boot(image: Path, place: Path, base: Path) -> None:
    """The firmware's partition; kernel and initramfs lie there as on a Pi."""
    boot = place / "boot.fat"
    run("mkfs.vfat", "-n", "bootfs", "-C", str(boot), str(_BOOT.size // 1024))
    found = (base / "vmlinuz", base / "initrd.img", place / "config.txt", place / "cmdline.txt")
    run("mcopy", "-i", str(boot), *map(str, found), "::")
    run("dd", f"if={boot}", f"of={image}", "bs=1M", f"seek={_BOOT.offset // MB}", "conv=notrunc", "status=none")
    boot.unlink()


def _install_package(root: Path, place: Path) -> None:
    """A package of the system, and its security update in a folder of the guest."""
    for version in ("1.0", "1.1"):
        tree = place / f"package-{version}"
        (tree / "DEBIAN").mkdir(parents=True)
        control = f"Package: {PACKAGE}\nVersion: {version}\nArchitecture: all\nMaintainer: bench\nDescription: x\n"
        (tree / "DEBIAN/control").write_text(control)
        library = tree / f"usr/share/{PACKAGE}"
        library.mkdir(parents=True)
        for number in range(_FILES):
            (library / str(number)).write_text(version * (_FILE_BYTES // 3))
        run("dpkg-deb", "--root-owner-group", "-Zgzip", "--build", str(tree), str(place / f"{version}.deb"))
        shutil.rmtree(tree)
    shutil.move(place / "1.0.deb", root / "tmp/1.0.deb")
    run_inside(root, "dpkg", "-i", "/tmp/1.0.deb")
    (root / "tmp/1.0.deb").unlink()
    (root / UPDATES.lstrip("/")).mkdir()
    shutil.move(place / "1.1.deb", root / UPDATES.lstrip("/") / f"{PACKAGE}_1.1_all.deb")


def _build_card(place: Path, base: Path, machine: Machine, release: DebianRelease, settings: str) -> None:
    """As a technician makes it, with the command; then what the firmware would load."""
    (place / "table.toml").write_text(settings)
    words: list[str | Path] = ["--base", base, "--bundle", bundles(machine, release) / f"{versions()[0]}.pitlink"]
    words += ["--trust", keys() / "bench.pub", "--settings", place / "table.toml", "--out", place / "card.img"]
    run(sys.executable, "-m", "cli.main", "image", *map(str, words), "--project", str(PROJECT))
    boot = f"{place / 'card.img'}@@{_BOOT.offset}"
    for name in ("vmlinuz", "initrd.img", "cmdline.txt", "config.txt"):
        run("mcopy", "-i", boot, f"::{name}", str(place / name))
