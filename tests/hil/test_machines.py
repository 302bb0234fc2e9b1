"""The bench's machines, as far as they can be looked over without building one."""

import tomllib
from pathlib import Path

import pytest

from flashing.versions import MACHINES as BOARDS
from flashing.versions import PYTHONS
from hil import image, vm
from hil.machines import ARCH, MACHINES, PI, RELEASE, RELEASES, TRIXIE, X86, Machine, chosen, chosen_release
from hil.settings import table_settings

EVERY = pytest.mark.parametrize("machine", MACHINES.values(), ids=list(MACHINES))


def test_the_quick_machine_is_taken_unless_another_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the name that is written on the command line."""
    monkeypatch.delenv(ARCH, raising=False)
    assert chosen() is X86
    monkeypatch.setenv(ARCH, "aarch64")
    assert chosen() is PI


def test_todays_debian_is_taken_unless_another_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board of the year before may be tried, too; a release that nobody knows is refused with those that are."""
    monkeypatch.delenv(RELEASE, raising=False)
    assert chosen_release() is TRIXIE
    monkeypatch.setenv(RELEASE, "bookworm")
    assert chosen_release().python == "3.11"
    monkeypatch.setenv(RELEASE, "sid")
    with pytest.raises(SystemExit, match="the bench knows trixie and bookworm"):
        chosen_release()
    assert {release.python for release in RELEASES.values()} <= set(PYTHONS)


def test_there_is_a_machine_for_every_kind_of_board() -> None:
    """Whatever a bundle can be built for can be tried on the bench."""
    assert set(MACHINES) == set(BOARDS)


@EVERY
def test_a_machine_has_both_serial_ports_and_a_plug(machine: Machine) -> None:
    """Console and hopper are named channels; without its own chips nothing of QEMU's stands beside the header."""
    assert "chardev=console" in machine.console
    assert machine.hopper.endswith("serial")
    assert "-nodefaults" in machine.qemu.split()
    assert "i6300esb" in machine.qemu


def test_only_the_pi_finds_its_pins_by_itself() -> None:
    """On a Pi nothing is said of pins, and gpiozero asks the device tree; elsewhere the chip is named."""
    pi, x86 = (tomllib.loads(table_settings(machine)) for machine in (PI, X86))
    assert "gpio" not in pi
    assert x86["gpio"] == {"chip": "bench-header"}
    assert pi["return_device"]["port"] == PI.hopper_port != x86["return_device"]["port"]
    assert any("linux,revision" in change for change in PI.tree)


def test_the_device_tree_is_that_of_the_machine_that_boots_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """QEMU writes it down in the same words, processors and memory included; then every change is made to that file."""
    ran: list[tuple[str, ...]] = []
    monkeypatch.setattr(image, "run", lambda *words: ran.append(words))
    image._build_tree(tmp_path, PI)
    dump, *changes = ran
    tree = str(tmp_path / "board.dtb")
    assert dump == (*PI.qemu.split(), "-machine", f"dumpdtb={tree}")
    assert [words[0] for words in changes] == ["fdtput"] * len(PI.tree)
    assert all(tree in words for words in changes)


@EVERY
def test_qemu_gets_a_device_tree_only_where_there_is_one(machine: Machine, tmp_path: Path) -> None:
    """An x86 machine describes itself; the other would not be a Pi without it."""
    tree = tmp_path / "board.dtb" if machine.tree else None
    made = image.Image(
        machine, TRIXIE, tmp_path / "kernel", tmp_path / "initrd", tmp_path / "root", tmp_path / "data", tree
    )
    words = vm._words(made, tmp_path, root=str(made.root), data="", broker_port=1)
    assert ("-dtb" in words) == bool(tree)
    assert {*machine.console.split(), *machine.hopper.split()} <= set(words)
    assert "" not in words
