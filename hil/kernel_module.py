"""The simulated GPIO chip as a module of the guest's kernel: Debian's own source, changed in two places, and built."""

import re
import shutil
import sys
import tarfile
from pathlib import Path
from typing import Final

from hil.machines import DebianRelease, Machine
from hil.programs import run

_SOURCES: Final = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")


# The plain Debian of the bench is built again whenever this file changes.
def build(place: Path, machine: Machine, release: DebianRelease, kernel: str, headers: Path) -> Path:
    """gpio-sim.ko from the distribution's own source; nothing of it is part of this project.

    It is compiled in a Debian of that release, which is thrown away: the host may be another one.
    """
    shop = place.with_name("workshop")
    _open_shop(shop, machine, release, kernel)
    run("dpkg-deb", "-x", str(headers), str(shop))
    place.mkdir()
    with tarfile.open(shop / f"usr/src/linux-source-{release.series}.tar.xz") as source:
        write_sources(source, f"linux-source-{release.series}", place)
    shutil.copytree(place, shop / "module")
    words = ("make", "-s", "-C", f"/usr/src/linux-headers-{kernel}", *machine.make, "M=/module", "modules")
    run("chroot", str(shop), *words)
    shutil.copy(shop / "module/gpio-sim.ko", place)
    shutil.rmtree(shop)
    return place / "gpio-sim.ko"


def write_sources(source: tarfile.TarFile, top: str, place: Path) -> None:
    """The module's files, changed as the bench needs them, with what make is told."""
    for name in _SOURCES:
        before = _text(source, f"{top}/{name}")
        after = edited(Path(name).name, before)
        if name.endswith(".c") and after == before:
            sys.exit(f"bench: {name} of this kernel looks different; it cannot be built for the bench")
        (place / ("gpio-sim-main.c" if name.endswith("gpio-sim.c") else Path(name).name)).write_text(after)
    (place / "Kbuild").write_text("obj-m := gpio-sim.o\ngpio-sim-y := gpio-sim-main.o irq_sim.o\n")


def _open_shop(shop: Path, machine: Machine, release: DebianRelease, kernel: str) -> None:
    """A Debian of this host's machine with the release's compiler, and what all machines share of a kernel's build."""
    abi = kernel.removesuffix(f"-{machine.debian}")
    packages = ["make", "libc6-dev", "xz-utils", "gcc", machine.compiler, f"linux-source-{release.series}"]
    packages += [f"linux-headers-{abi}-common", release.kbuild.format(abi=abi)]
    words = ["mmdebstrap", "--mode=root", "--variant=minbase", f"--include={','.join(packages)}"]
    run(*words, release.name, str(shop), *mirrors(release))


def mirrors(release: DebianRelease) -> tuple[str, str]:
    """Where a release and its security updates come from."""
    where = "deb http://deb.debian.org/"
    return f"{where}debian {release.name} main", f"{where}debian-security {release.name}-security main"


def edited(name: str, text: str) -> str:
    """The kernel's own source with the two changes that let it run as a module of a Debian kernel, and hold a level.

    irq_sim.c: Debian exports no irq_to_desc, and generic_handle_irq() does the same with a number.
    gpio-sim.c: a program's own pull-up overwrites the simulated level; a wire that somebody drives is stronger.
    """
    if name == "irq_sim.c":
        return text.replace("handle_simple_irq(irq_to_desc(irqnum))", "generic_handle_irq(irqnum)")
    return re.sub(r"(BIAS_PULL_(?:UP|DOWN):\s+)return gpio_sim_apply_pull\(chip, offset, [01]\);", r"\1return 0;", text)


def _text(source: tarfile.TarFile, name: str) -> str:
    try:
        file = source.extractfile(name)
    except KeyError:
        file = None
    if file is None:
        sys.exit(f"bench: the kernel's source has no file {name}; its module cannot be built for the bench")
    return file.read().decode()
