"""The guest's image: a plain Debian, made into a table board by the project's own recipe, and kept for the next run."""

import fcntl
import hashlib
import os
import re
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from flashing.build import fetch_wheels
from flashing.card.root import Recipe, into_partition, make_board, run_inside
from flashing.lock import locked
from flashing.versions import wheel_tags
from hil import kernel_module
from hil.machines import DebianRelease, Machine
from hil.programs import run

PROJECT: Final = Path(__file__).parents[1]
CACHE: Final = Path(os.environ.get("PITLINK_BENCH_CACHE", Path.home() / ".cache" / "pitlink-bench"))
HOST_PACKAGES: Final = (
    *("qemu-utils", "mmdebstrap", "e2fsprogs", "socat", "kmod", "xz-utils", "mosquitto", "debian-archive-keyring"),
)
GUEST_PACKAGES: Final = (
    *("systemd-sysv", "udev", "dbus", "kmod", "python3", "python3-venv", "iproute2", "initramfs-tools", "zstd"),
    *("systemd-timesyncd", "e2fsprogs"),
)
TEST_WHEELS: Final = ("pytest>=8.3", "pytest-asyncio>=0.24", "pytest-timeout>=2.3", "hypothesis>=6.112")
OWN_PACKAGES: Final = (
    *("cli", "common", "controller", "demo", "drivers", "flashing", "games", "link", "meter", "poker_room"),
)
_ROOT_MB, _DATA_MB = 1400, 768
_INITRAMFS: Final = "MODULES=list\nCOMPRESS=zstd\n"
_INITRAMFS_MODULES: Final = "virtio_pci\nvirtio_blk\next4\ncrc32c_generic\n"


class Image(Struct, frozen=True):
    """What QEMU boots; none of it is ever written to."""

    machine: Machine
    release: DebianRelease
    kernel: Path
    initrd: Path
    root: Path
    data: Path | None
    """The disk that is written; nothing where it is a part of the other one."""
    tree: Path | None
    command_line: str = "root=LABEL=bench-root ro"
    """Where the kernel finds its root."""


class Build(Protocol):
    """Fills an empty folder."""

    def __call__(self, place: Path, /) -> None: ...


def image(machine: Machine, release: DebianRelease, settings: str) -> Image:
    """The image of a board with these settings; built if nothing like it was built before."""
    base = plain(machine, release)
    ours = files("flashing/recipe", "hil/guest_files", "systemd")
    parts = digest(str(base), bundles(machine, release).name, settings, *ours, _own_text(__file__))
    place = kept("board", parts, lambda place: _build_board(place, base, machine, release, settings))
    disks = place / "root.qcow2", place / "data.raw"
    return Image(machine, release, base / "vmlinuz", base / "initrd.img", *disks, tree(machine))


def plain(machine: Machine, release: DebianRelease) -> Path:
    """The folder of a plain Debian with the module of its simulated chip."""
    _require_programs(machine)
    module = _own_text(kernel_module.__file__)
    parts = digest(*GUEST_PACKAGES, module, repr(release), repr(machine.compiler))
    return kept(f"base-{release.name}-{machine.debian}", parts, lambda place: _build_base(place, machine, release))


def bundles(machine: Machine, release: DebianRelease) -> Path:
    """The folder of this project's bundle and two later ones, a good and a broken, signed by the bench's own key."""
    parts = digest(*files("systemd", "requirements", *OWN_PACKAGES), _pyproject(), *versions())
    kind = f"bundles-{machine.name}-{release.name}"
    return kept(kind, parts, lambda place: _build_bundles(place, machine, release))


def versions() -> tuple[str, str, str]:
    """This project's version, a later one like it, and a later one whose table does not start."""
    this: str = tomllib.loads(_pyproject())["project"]["version"]
    major, minor, patch = (int(number) for number in re.findall(r"\d+", this)[:3])
    return this, f"{major}.{minor}.{patch + 1}", f"{major}.{minor}.{patch + 2}"


def keys() -> Path:
    """The folder of the bench's keys: release to sign, and the public half that its boards trust."""
    make = ("-m", "cli.main", "bundle", "key", "bench", "--folder")
    return kept("keys", "bench", lambda place: run(sys.executable, *make, str(place)))


def _require_programs(machine: Machine) -> None:
    if not all(shutil.which(program) for program in ("mmdebstrap", *machine.programs)):
        wanted = " ".join((*machine.host_packages, *HOST_PACKAGES))
        sys.exit(f"the bench needs: apt-get install --no-install-recommends {wanted}")


def kept(kind: str, digest: str, build: Build) -> Path:
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


def _build_base(place: Path, machine: Machine, release: DebianRelease) -> None:
    """A small Debian with the release's newest kernel and our module of it, nothing of ours besides."""
    root = place / "root"
    hooks = [
        f"mkdir -p $1/etc/initramfs-tools/conf.d && printf '{_INITRAMFS}' > $1/etc/initramfs-tools/conf.d/bench",
        f"printf '{_INITRAMFS_MODULES}' >> $1/etc/initramfs-tools/modules",
    ]
    headers = 'linux-headers-$(basename "$1"/boot/vmlinuz-* | cut -d- -f2-)'
    headers = f"cd {place} && APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get download {headers}"
    packages = ",".join((*GUEST_PACKAGES, f"linux-image-{machine.debian}"))
    words = ["mmdebstrap", "--mode=root", "--variant=minbase", f"--architectures={machine.debian}"]
    words += [f"--include={packages}", f"--customize-hook={headers}", *(f"--extract-hook={hook}" for hook in hooks)]
    run(*words, release.name, str(root), *kernel_module.mirrors(release))
    (found,) = (root / "boot").glob("vmlinuz-*")
    kernel = found.name.removeprefix("vmlinuz-")
    (debs,) = place.glob("linux-headers-*.deb")
    module = kernel_module.build(place / "module", machine, release, kernel, debs)
    debs.unlink()
    shutil.copy(module, root / "lib/modules" / kernel)
    run("depmod", "-b", str(root), kernel)
    shutil.copy(found, place / "vmlinuz")
    shutil.copy(root / "boot" / f"initrd.img-{kernel}", place / "initrd.img")


def _build_bundles(place: Path, machine: Machine, release: DebianRelease) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for version in versions():
            copy = Path(scratch) / version
            _copy_project(copy, version)
            _pack(copy, machine, release, place / f"{version}.pitlink")


def _copy_project(copy: Path, version: str) -> None:
    this, _, broken = versions()
    for part in ("systemd", "requirements", *OWN_PACKAGES):
        shutil.copytree(PROJECT / part, copy / part)
    shutil.copy(PROJECT / "README.md", copy)
    (copy / "pyproject.toml").write_text(_pyproject().replace(f'"{this}"', f'"{version}"', 1))
    if version == broken:
        command = copy / "cli/table.py"
        command.write_text('raise SystemExit("broken on purpose")\n' + command.read_text())


def _pack(project: Path, machine: Machine, release: DebianRelease, out: Path) -> None:
    """Makes a signed bundle of a project, as a workshop does."""
    words = ["--platform", machine.name, "--python", release.python]
    words += ["--wheels", str(guest_wheels(machine, release)), "--key", str(keys() / "bench.key")]
    pitlink = (sys.executable, "-m", "cli.main")
    run(*pitlink, "bundle", "build", *words, "--out", str(out), "--project", str(project))


def guest_wheels(machine: Machine, release: DebianRelease) -> Path:
    parts = digest(*files("requirements"), *TEST_WHEELS)
    kind = f"wheels-{machine.name}-{release.python}"
    return kept(kind, parts, lambda place: _fetch_wheels(place, machine, release.python))


def _fetch_wheels(place: Path, machine: Machine, python: str) -> None:
    """Everything the board and the tests on it install, without a network there; the lock says which."""
    wanted = locked(PROJECT, ["base", "board", "build"], machine=machine.name, python=python)
    fetch_wheels(wanted, place, machine=machine.name, python=python, cache=None)
    _pip("download", machine, python, "--dest", str(place))


def _pip(action: str, machine: Machine, python: str, *words: str) -> None:
    """What the tests in the guest need, for its machine and its Python."""
    tags = [f"--platform={tag}" for tag in wheel_tags(machine.name)]
    quiet = ("-q", "--disable-pip-version-check", action, "--only-binary=:all:", f"--python-version={python}")
    run(sys.executable, "-m", "pip", *quiet, *tags, *words, *TEST_WHEELS)


def _build_board(place: Path, base: Path, machine: Machine, release: DebianRelease, settings: str) -> None:
    """The recipe on the plain Debian, then the bench's own few parts, then two disks."""
    root = place / "root"
    run("cp", "-a", str(base / "root"), str(root))
    (root / "etc/fstab").write_text("LABEL=bench-root / ext4 defaults 0 1\n")
    (root / "etc/hostname").write_text("table\n")
    add_bench(root, machine, release)
    this, *later = versions()
    with tempfile.TemporaryDirectory() as scratch:
        table = Path(scratch) / "table.toml"
        table.write_text(settings)
        bundle = bundles(machine, release) / f"{this}.pitlink"
        files = {"bundle": bundle, "trust": keys() / "bench.pub", "settings": table}
        make_board(root, PROJECT, Recipe(files, ("--data", "bench-data")))
    for version in later:
        shutil.copy(bundles(machine, release) / f"{version}.pitlink", root / "opt/bench")
    _to_disks(place, root)


def add_bench(root: Path, machine: Machine, release: DebianRelease) -> None:
    """Agent, simulated chip, patience and the wheels of the tests."""
    bench = root / "opt/bench"
    shutil.copytree(PROJECT / "hil/guest_files", bench)
    for unit in bench.glob("*.service"):
        shutil.copy(unit, root / "etc/systemd/system")
    shutil.copy(bench / "bench.network", root / "etc/systemd/network/")
    (root / "etc/systemd/system.conf.d").mkdir()
    shutil.copy(bench / "slow-machine.conf", root / "etc/systemd/system.conf.d/slow-machine.conf")
    for slow in ("pitlink-table", "pitlink-selftest"):
        patience = root / f"etc/systemd/system/{slow}.service.d/slow-machine.conf"
        patience.parent.mkdir()
        shutil.copy(bench / "slow-unit.conf", patience)
    enable = "systemctl enable -q systemd-networkd bench-chip bench-agent && systemctl mask -q getty@tty1"
    run_inside(root, "sh", "-c", enable)
    # By the host's own pip: one that is emulated takes ten minutes for it.
    place = ("--no-index", "--find-links", str(guest_wheels(machine, release)), "--target", str(bench / "site"))
    _pip("install", machine, release.python, *place)


def _to_disks(place: Path, root: Path) -> None:
    into_partition(root / "data", "bench-data", _DATA_MB * 2**20, place / "data.raw")
    into_partition(root, "bench-root", _ROOT_MB * 2**20, place / "root.raw")
    root.rmdir()
    run("qemu-img", "convert", "-O", "qcow2", str(place / "root.raw"), str(place / "root.qcow2"))
    (place / "root.raw").unlink()


def tree(machine: Machine) -> Path | None:
    if not machine.tree:
        return None
    return kept("tree", digest(machine.qemu, *machine.tree), lambda place: _build_tree(place, machine)) / "board.dtb"


def _build_tree(place: Path, machine: Machine) -> None:
    """The device tree that QEMU makes for this machine, with the machine's own changes."""
    tree = place / "board.dtb"
    run(*machine.qemu.split(), "-machine", f"dumpdtb={tree}")
    for change in machine.tree:
        run("fdtput", *change.format(tree=tree).split())


def _pyproject() -> str:
    return (PROJECT / "pyproject.toml").read_text(encoding="utf-8")


def _own_text(file: str) -> str:
    return Path(file).read_text(encoding="utf-8")


def files(*folders: str) -> list[str]:
    found = (path for folder in folders for path in sorted((PROJECT / folder).rglob("*")))
    wanted = (path for path in found if path.is_file() and "__pycache__" not in path.parts)
    return [f"{path.relative_to(PROJECT)} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in wanted]


def digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
