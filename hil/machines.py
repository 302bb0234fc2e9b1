"""Guests of the bench: in what a machine like a Raspberry Pi, the quick x86 one, and two releases of Debian differ."""

import os
import sys
from typing import Final

from msgspec import Struct

ARCH: Final = "PITLINK_BENCH_ARCH"
RELEASE: Final = "PITLINK_BENCH_RELEASE"
_SAME: Final = (
    "-accel tcg,thread=multi,tb-size=256 -smp 2 -nodefaults -display none "
    "-device virtio-rng-pci -device i6300esb -device virtio-serial-pci -device qemu-xhci,id=usb "
    "-watchdog-action reset"
)


class Machine(Struct, frozen=True):
    """One kind of guest, in the words of those who make and run it."""

    name: str
    """As the kernel, QEMU and bundles have it."""
    debian: str
    """As Debian has it."""
    host_packages: tuple[str, ...]
    programs: tuple[str, ...]
    """What must be on the host to build and run it."""
    compiler: str
    """The package of the compiler that builds a module of its kernel."""
    make: tuple[str, ...]
    """For make, when it builds a module of its kernel."""
    qemu: str
    console: str
    hopper: str
    """Its two serial ports, as devices of QEMU with the channels `console` and `serial`."""
    hopper_port: str
    """The second one inside."""
    bus: str
    """Where a disk can be plugged in while it runs."""
    absent: str
    """Kernel modules that are no part of a board and cost seconds of each boot."""
    settings: str
    """What its table.toml says besides."""
    tree: tuple[str, ...]
    """How QEMU's own device tree is changed, in words for fdtput; nothing for a machine without one."""


X86: Final = Machine(
    name="x86_64",
    debian="amd64",
    host_packages=("qemu-system-x86", "seabios", "ipxe-qemu"),
    programs=("qemu-system-x86_64",),
    compiler="gcc",
    make=(),
    qemu=f"qemu-system-x86_64 -machine pc -cpu Nehalem -m 384 {_SAME}",  # some wheels die on QEMU's usual processor
    console="-device isa-serial,chardev=console",
    hopper="-device isa-serial,chardev=serial",
    hopper_port="/dev/ttyS1",
    bus="pci.0",
    absent="floppy,ata_piix,ata_generic,psmouse,pcspkr,cfg80211,drm,i2c_piix4,cxl_core,evdev,serio_raw,button",
    settings='\n[gpio]\nchip = "bench-header"\n',  # no Raspberry Pi's label
    tree=(),
)
PI: Final = Machine(
    name="aarch64",
    debian="arm64",
    host_packages=("qemu-system-arm", "qemu-user-static", "arch-test", "device-tree-compiler"),
    programs=("qemu-system-aarch64", "qemu-aarch64-static", "arch-test", "fdtput"),
    compiler="gcc-aarch64-linux-gnu",
    make=("ARCH=arm64", "CROSS_COMPILE=aarch64-linux-gnu-"),
    # A processor like a Pi 4's; its root bus takes no disk while it runs, a port of its own does.
    qemu=f"qemu-system-aarch64 -machine virt -cpu cortex-a72 -m 512 {_SAME} -device pcie-root-port,id=socket,chassis=1",
    console="-device pci-serial,chardev=console",
    hopper="-serial chardev:serial",  # a PL011, as a Pi's own
    hopper_port="/dev/ttyAMA0",
    bus="socket",
    absent="cfg80211,drm,evdev",
    settings="",
    tree=(
        "-p -t x {tree} /system linux,revision c03114",  # a Pi 4 B
        "-t s {tree} /pl061@9030000 status disabled",  # a board has but one chip with a header
        "-t s {tree} /gpio-keys status disabled",  # on lines of that chip
    ),
)
MACHINES: Final = {machine.name: machine for machine in (X86, PI)}


class DebianRelease(Struct, frozen=True):
    """One release of Debian, in the words of its packages."""

    name: str
    python: str
    """The version of its Python."""
    series: str
    """The series of its kernel."""
    kbuild: str
    """The package of the programs with which its kernel is built; {abi} is the kernel's version without the machine."""


TRIXIE: Final = DebianRelease("trixie", python="3.13", series="6.12", kbuild="linux-kbuild-{abi}")
BOOKWORM: Final = DebianRelease("bookworm", python="3.11", series="6.1", kbuild="linux-kbuild-6.1")
RELEASES: Final = {release.name: release for release in (TRIXIE, BOOKWORM)}


def chosen() -> Machine:
    """The machine that PITLINK_BENCH_ARCH names; the quick one without it."""
    name = os.environ.get(ARCH, X86.name)
    if name not in MACHINES:
        sys.exit(f"{ARCH}={name}: the bench knows {' and '.join(MACHINES)}")
    return MACHINES[name]


def chosen_release() -> DebianRelease:
    """The release of Debian that PITLINK_BENCH_RELEASE names; today's without it."""
    name = os.environ.get(RELEASE, TRIXIE.name)
    if name not in RELEASES:
        sys.exit(f"{RELEASE}={name}: the bench knows {' and '.join(RELEASES)}")
    return RELEASES[name]
