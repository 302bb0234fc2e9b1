"""The guest's image: a plain Debian, made into a table board by the project's own recipe, and kept for the next run."""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from board.versions import wheel_tags
from hil.machines import Machine

PROJECT: Final = Path(__file__).parents[1]
CACHE: Final = Path(os.environ.get("PITLINK_BENCH_CACHE", Path.home() / ".cache" / "pitlink-bench"))
HOST_PACKAGES: Final = (
    *("qemu-utils", "mmdebstrap", "e2fsprogs", "socat", "kmod", "make", "gcc", "xz-utils", "mosquitto"),
    *("linux-headers-amd64", "linux-source-6.1"),
)
GUEST_PACKAGES: Final = (
    *("systemd-sysv", "udev", "dbus", "kmod", "python3", "python3-venv", "iproute2", "initramfs-tools", "zstd"),
    *("systemd-timesyncd", "e2fsprogs"),
)
TEST_WHEELS: Final = ("pytest>=8.3", "pytest-asyncio>=0.24", "pytest-timeout>=2.3", "hypothesis>=6.112")
OWN_PACKAGES: Final = ("board", "controller", "drivers", "games", "house", "meter")
_LUGGAGE: Final = "/srv/pitlink-src"  # where the recipe finds the project inside the guest; gone once it has run
_ROOT_MB, _DATA_MB = 1400, 768
_SOURCES: Final = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")
_INITRAMFS: Final = "MODULES=list\nCOMPRESS=zstd\n"
_INITRAMFS_MODULES: Final = "virtio_pci\nvirtio_blk\next4\ncrc32c_generic\n"


class Image(Struct, frozen=True):
    """What QEMU boots; none of it is ever written to."""

    machine: Machine
    kernel: Path
    initrd: Path
    root: Path
    data: Path
    tree: Path | None


class Build(Protocol):
    """Fills an empty folder."""

    def __call__(self, place: Path, /) -> None: ...


def image(machine: Machine, settings: str) -> Image:
    """The image of a board with these settings; built if nothing like it was built before."""
    kernel = kernel_version(machine)
    base = _kept(
        f"base-{kernel}", _digest(kernel, *GUEST_PACKAGES, _module_recipe()), lambda place: _build_base(place, machine)
    )
    ours = _files("hil/recipe", "hil/guest", "systemd")
    parts = _digest(str(base), bundles(machine).name, settings, *ours, Path(__file__).read_text(encoding="utf-8"))
    place = _kept("board", parts, lambda place: _build_board(place, base, machine, settings))
    disks = place / "root.qcow2", place / "data.raw"
    return Image(machine, base / "vmlinuz", base / "initrd.img", *disks, _tree(machine))


def bundles(machine: Machine) -> Path:
    """The folder of this project's bundle and two later ones, a good and a broken, signed by the bench's own key."""
    parts = _digest(*_files("systemd", *OWN_PACKAGES), _pyproject(), *versions())
    return _kept(f"bundles-{machine.name}", parts, lambda place: _build_bundles(place, machine))


def versions() -> tuple[str, str, str]:
    """This project's version, a later one like it, and a later one whose table does not start."""
    this: str = tomllib.loads(_pyproject())["project"]["version"]
    major, minor, patch = (int(number) for number in re.findall(r"\d+", this)[:3])
    return this, f"{major}.{minor}.{patch + 1}", f"{major}.{minor}.{patch + 2}"


def keys() -> Path:
    """The folder of the bench's keys: release to sign, and the public half that its boards trust."""
    make = ("-m", "controller.command_line", "bundle", "key", "bench", "--folder")
    return _kept("keys", "bench", lambda place: _run(sys.executable, *make, str(place)))


def kernel_version(machine: Machine) -> str:
    """The newest kernel whose headers this host has, by its name on the machine."""
    found = [place.name.removeprefix("linux-headers-") for place in Path("/usr/src").glob("linux-headers-*-amd64")]
    if not found or not all(shutil.which(program) for program in ("mmdebstrap", *machine.programs)):
        wanted = " ".join((*machine.host_packages, *HOST_PACKAGES))
        sys.exit(f"the bench needs: apt-get install --no-install-recommends {wanted}")
    newest = max(found, key=lambda name: [int(part) for part in re.findall(r"\d+", name)])
    return newest.removesuffix("amd64") + machine.debian


def edited(name: str, text: str) -> str:
    """The kernel's own source with the two changes that let it run as a module of a Debian kernel, and hold a level.

    irq_sim.c: Debian exports no irq_to_desc, and generic_handle_irq() does the same with a number.
    gpio-sim.c: a program's own pull-up overwrites the simulated level; a wire that somebody drives is stronger.
    """
    if name == "irq_sim.c":
        return text.replace("handle_simple_irq(irq_to_desc(irqnum))", "generic_handle_irq(irqnum)")
    return re.sub(r"(BIAS_PULL_(?:UP|DOWN):\s+)return gpio_sim_apply_pull\(chip, offset, [01]\);", r"\1return 0;", text)


def _kept(kind: str, digest: str, build: Build) -> Path:
    """A layer of the cache, built where it is not there; of two benches that want to, one waits for the other."""
    place = CACHE / f"{kind}-{digest}"
    if place.exists():
        return place
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{kind}-{digest}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            unfinished = CACHE / f"{kind}-{digest}.unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            print(f"bench: building {kind}", file=sys.stderr)
            build(unfinished)
            unfinished.rename(place)
    return place


def _build_base(place: Path, machine: Machine) -> None:
    """A small Debian with our kernel module, nothing of ours besides."""
    kernel = kernel_version(machine)
    root = place / "root"
    hooks = [
        f"mkdir -p $1/etc/initramfs-tools/conf.d && printf '{_INITRAMFS}' > $1/etc/initramfs-tools/conf.d/bench",
        f"printf '{_INITRAMFS_MODULES}' >> $1/etc/initramfs-tools/modules",
    ]
    headers = f"cd {place} && APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get download linux-headers-{kernel}"
    packages = ",".join((*GUEST_PACKAGES, f"linux-image-{kernel}"))
    words = ["mmdebstrap", "--mode=root", "--variant=minbase", f"--architectures={machine.debian}"]
    words += [f"--include={packages}", f"--customize-hook={headers}", *(f"--extract-hook={hook}" for hook in hooks)]
    _run(*words, "bookworm", str(root), "deb http://deb.debian.org/debian bookworm main",
         "deb http://deb.debian.org/debian-security bookworm-security main")  # fmt: skip
    shutil.copy(_build_module(place / "module", machine, kernel), root / "lib/modules" / kernel)
    _run("depmod", "-b", str(root), kernel)
    shutil.copy(root / "boot" / f"vmlinuz-{kernel}", place / "vmlinuz")
    shutil.copy(root / "boot" / f"initrd.img-{kernel}", place / "initrd.img")


def _build_module(place: Path, machine: Machine, kernel: str) -> Path:
    """gpio-sim.ko from the distribution's own source; nothing of it is part of this project."""
    place.mkdir()
    series = ".".join(kernel.split(".")[:2])
    with tarfile.open(f"/usr/src/linux-source-{series}.tar.xz") as source:
        for name in _SOURCES:
            member = source.extractfile(f"linux-source-{series}/{name}")
            assert member is not None
            target = "gpio-sim-main.c" if name.endswith("gpio-sim.c") else Path(name).name
            before = member.read().decode()
            after = edited(Path(name).name, before)
            if name.endswith(".c") and after == before:
                sys.exit(f"bench: {name} of this kernel looks different; it cannot be built for the bench")
            (place / target).write_text(after)
    (place / "Kbuild").write_text("obj-m := gpio-sim.o\ngpio-sim-y := gpio-sim-main.o irq_sim.o\n")
    _run("make", "-s", "-C", str(_headers(place.parent, kernel, series)), *machine.make, f"M={place}", "modules")
    return place / "gpio-sim.ko"


def _headers(place: Path, kernel: str, series: str) -> Path:
    """The guest's own headers, unpacked; programs and what all machines share are the host's."""
    for package in place.glob("linux-headers-*.deb"):
        _run("dpkg-deb", "-x", str(package), str(place / "headers"))
        package.unlink()
    tools = f"usr/lib/linux-kbuild-{series}"
    (place / "headers" / tools).parent.mkdir(exist_ok=True)
    (place / "headers" / tools).symlink_to(f"/{tools}")
    return place / "headers/usr/src" / f"linux-headers-{kernel}"


def _build_bundles(place: Path, machine: Machine) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for version in versions():
            copy = Path(scratch) / version
            _copy_project(copy, version)
            _pack(copy, machine, place / f"{version}.pitlink")


def _copy_project(copy: Path, version: str) -> None:
    this, _, broken = versions()
    for part in ("systemd", *OWN_PACKAGES):
        shutil.copytree(PROJECT / part, copy / part)
    shutil.copy(PROJECT / "README.md", copy)
    (copy / "pyproject.toml").write_text(_pyproject().replace(f'"{this}"', f'"{version}"', 1))
    if version == broken:
        command = copy / "controller/commands/table.py"
        command.write_text('raise SystemExit("broken on purpose")\n' + command.read_text())


def _pack(project: Path, machine: Machine, out: Path) -> None:
    """Makes a signed bundle of a project, as a workshop does."""
    words = ("--platform", machine.name, "--wheels", str(_wheels(machine)), "--key", str(keys() / "bench.key"))
    pitlink = (sys.executable, "-m", "controller.command_line")
    _run(*pitlink, "bundle", "build", *words, "--out", str(out), "--project", str(project))


def _wheels(machine: Machine) -> Path:
    parts = _digest(_pyproject(), *TEST_WHEELS)
    return _kept(f"wheels-{machine.name}", parts, lambda place: _fetch_wheels(place, machine))


def _fetch_wheels(place: Path, machine: Machine) -> None:
    """Everything the board and the tests on it install, without a network there."""
    project = tomllib.loads(_pyproject())["project"]
    extras = project["optional-dependencies"]
    named = (*project["dependencies"], *extras["board"], *extras["bundle"], *TEST_WHEELS, "pip")
    wanted = [name for name in named if not name.startswith("pitlink[")]
    platforms = [f"--platform={tag}" for tag in wheel_tags(machine.name)]
    _run(sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "download", "--only-binary=:all:",
         "--python-version=3.11", *platforms, "-d", str(place), *wanted)  # fmt: skip


def _build_board(place: Path, base: Path, machine: Machine, settings: str) -> None:
    """The recipe on the plain Debian, then the bench's own few parts, then two disks."""
    root = place / "root"
    _run("cp", "-a", str(base / "root"), str(root))
    (root / "etc/fstab").write_text("LABEL=bench-root / ext4 defaults 0 1\n")
    (root / "etc/hostname").write_text("table\n")
    luggage = root / _LUGGAGE.lstrip("/")
    for part in ("hil/recipe", "systemd"):
        shutil.copytree(PROJECT / part, luggage / part)
    shutil.copytree(_wheels(machine), luggage / "wheels")
    this, *later = versions()
    shutil.copy(bundles(machine) / f"{this}.pitlink", luggage)
    shutil.copy(keys() / "bench.pub", luggage)
    (luggage / "table.toml").write_text(settings)
    _add_bench(root)
    words = f"--bundle {this}.pitlink --trust bench.pub --settings table.toml --data bench-data"
    script = f"cd {_LUGGAGE} && systemd-machine-id-setup && hil/recipe/table-board {words}"
    _run("chroot", str(root), "sh", "-c", script)
    shutil.rmtree(luggage)
    for version in later:
        shutil.copy(bundles(machine) / f"{version}.pitlink", root / "opt/bench")
    _to_disks(place, root)


def _add_bench(root: Path) -> None:
    bench = root / "opt/bench"
    shutil.copytree(PROJECT / "hil/guest", bench)
    for unit in bench.glob("*.service"):
        shutil.copy(unit, root / "etc/systemd/system")
    shutil.copy(bench / "bench.network", root / "etc/systemd/network/")
    (root / "etc/systemd/system.conf.d").mkdir()
    shutil.copy(bench / "slow-machine.conf", root / "etc/systemd/system.conf.d/slow-machine.conf")
    for slow in ("pitlink-table", "pitlink-selftest"):
        patience = root / f"etc/systemd/system/{slow}.service.d/slow-machine.conf"
        patience.parent.mkdir()
        shutil.copy(bench / "slow-unit.conf", patience)
    enable = (
        "systemctl enable -q systemd-networkd bench-chip bench-agent && systemctl mask -q getty@tty1 apt-daily.timer"
    )
    tests = " ".join(f"'{wheel}'" for wheel in TEST_WHEELS)
    install = f"pip install -q --no-index --find-links {_LUGGAGE}/wheels --target /opt/bench/site {tests}"
    _run("chroot", str(root), "sh", "-c", f"{enable} && python3 -m venv /tmp/v && /tmp/v/bin/{install} && rm -r /tmp/v")


def _to_disks(place: Path, root: Path) -> None:
    data = place / "data"
    (root / "data").rename(data)
    (root / "data").mkdir()
    for name, tree, label, size_mb in (("root", root, "bench-root", _ROOT_MB), ("data", data, "bench-data", _DATA_MB)):
        _run("mke2fs", "-q", "-t", "ext4", "-L", label, "-d", str(tree), str(place / f"{name}.raw"), f"{size_mb}M")
        shutil.rmtree(tree)
    _run("qemu-img", "convert", "-O", "qcow2", str(place / "root.raw"), str(place / "root.qcow2"))
    (place / "root.raw").unlink()


def _tree(machine: Machine) -> Path | None:
    if not machine.tree:
        return None
    return _kept("tree", _digest(machine.qemu, *machine.tree), lambda place: _build_tree(place, machine)) / "board.dtb"


def _build_tree(place: Path, machine: Machine) -> None:
    """The device tree that QEMU makes for this machine, with the machine's own changes."""
    tree = place / "board.dtb"
    _run(*machine.qemu.split(), "-machine", f"dumpdtb={tree}")
    for change in machine.tree:
        _run("fdtput", *change.format(tree=tree).split())


def _run(*words: str) -> None:
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"bench: {' '.join(words)}\n{done.stdout}")


def _pyproject() -> str:
    return (PROJECT / "pyproject.toml").read_text(encoding="utf-8")


def _module_recipe() -> str:
    return (PROJECT / "hil/image.py").read_text().partition("def edited")[2].partition("def _kept")[0]


def _files(*folders: str) -> list[str]:
    found = (path for folder in folders for path in sorted((PROJECT / folder).rglob("*")))
    wanted = (path for path in found if path.is_file() and "__pycache__" not in path.parts)
    return [f"{path.relative_to(PROJECT)} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in wanted]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
