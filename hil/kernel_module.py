"""The simulated GPIO chip as a module of the guest's kernel: Debian's own source, changed in two places, and built."""

import re
import sys
import tarfile
from pathlib import Path
from typing import Final

from hil.machines import Machine
from hil.programs import run

_SOURCES: Final = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")


# The plain Debian of the bench is built again whenever this file changes.
def build(place: Path, machine: Machine, kernel: str) -> Path:
    """gpio-sim.ko from the distribution's own source; nothing of it is part of this project."""
    place.mkdir()
    series = ".".join(kernel.split(".")[:2])
    with tarfile.open(f"/usr/src/linux-source-{series}.tar.xz") as source:
        for name in _SOURCES:
            target = "gpio-sim-main.c" if name.endswith("gpio-sim.c") else Path(name).name
            before = _text(source, f"linux-source-{series}/{name}")
            after = edited(Path(name).name, before)
            if name.endswith(".c") and after == before:
                sys.exit(f"bench: {name} of this kernel looks different; it cannot be built for the bench")
            (place / target).write_text(after)
    (place / "Kbuild").write_text("obj-m := gpio-sim.o\ngpio-sim-y := gpio-sim-main.o irq_sim.o\n")
    run("make", "-s", "-C", str(_headers(place.parent, kernel, series)), *machine.make, f"M={place}", "modules")
    return place / "gpio-sim.ko"


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


def _headers(place: Path, kernel: str, series: str) -> Path:
    """The guest's own headers, unpacked; programs and what all machines share are the host's."""
    for package in place.glob("linux-headers-*.deb"):
        run("dpkg-deb", "-x", str(package), str(place / "headers"))
        package.unlink()
    tools = f"usr/lib/linux-kbuild-{series}"
    (place / "headers" / tools).parent.mkdir(exist_ok=True)
    (place / "headers" / tools).symlink_to(f"/{tools}")
    return place / "headers/usr/src" / f"linux-headers-{kernel}"
