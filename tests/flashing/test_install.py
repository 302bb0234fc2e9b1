"""Real environments made of real bundles: offline, whole or not there, and every file under watch afterwards."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path

import pytest

from cli.main import ALTERED, checked, main, own_program
from flashing.build import BuildOrder, build, fetch_wheels
from flashing.bundle import open_bundle
from flashing.errors import FlashError
from flashing.files import SyncedFiles
from flashing.install import install
from flashing.keys import Trust, make_key, read_private
from flashing.lock import BASE, locked
from flashing.paths import BoardPaths, held, is_whole
from flashing.program_hashes import check_program, generated
from flashing.versions import this_platform
from tests.support.flash.flash_bench import NEW, FlashBench, Workshop, make_bundle

ROOT = Path(__file__).parents[2]
LIBRARY = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
TAG = sys.implementation.cache_tag


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> BoardPaths:
    """A board with the tiny program installed by pip into an environment of its own."""
    folder = tmp_path_factory.mktemp("board")
    places = BoardPaths(folder / "opt", folder / "flash", folder / "etc", folder / "units")
    private, _ = make_key(places.trust, "house", "release", None)
    make_bundle(places.bundle(NEW), NEW, read_private(private, None), real_pip=True)
    with open_bundle(places.bundle(NEW), Trust.of(places.trust)) as bundle:
        install(bundle, places, SyncedFiles())
    return places


@pytest.fixture
def version(places: BoardPaths, tmp_path: Path) -> Path:
    """A copy of the installed version, to be spoilt."""
    copy = tmp_path / "opt" / "versions" / NEW
    shutil.copytree(places.version(NEW), copy, symlinks=True)
    return copy


def test_a_version_runs_from_its_own_environment(places: BoardPaths) -> None:
    """Its command is there, it says its version, and it needs nothing of ours."""
    said = subprocess.run(
        [places.version(NEW) / "bin" / "pitlink"], capture_output=True, text=True, check=True, env={"PATH": ""}
    )
    assert said.stdout == f"tiny {NEW}\n"
    assert is_whole(places.version(NEW))
    assert not places.unpacked.exists()


def test_every_file_of_a_version_is_as_signed(places: BoardPaths, capsys: pytest.CaptureFixture[str]) -> None:
    """Its program hash is the one of the bundle (R111)."""
    program = check_program(places.version(NEW), Trust.of(places.trust))
    with open_bundle(places.bundle(NEW), Trust.of(places.trust)) as bundle:
        assert program.hash == bundle.manifest.program_hash
    assert program.version == NEW
    words = ["verify", "--root", str(places.opt), "--trust", str(places.trust)]
    assert main([*words, "--version", NEW]) == 0
    said = capsys.readouterr().out
    assert f"version {NEW}: {program.signed} files as signed, {program.made_here} as made here by" in said
    assert program.hash in said
    assert program.signed == 6
    assert program.made_here > program.signed
    assert main(words) == 2, "no version was switched to yet"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (f"{LIBRARY}/tiny.py", "tiny.py is altered"),
        (f"{LIBRARY}/__pycache__/tiny.{TAG}.pyc", f"tiny.{TAG}.pyc is altered"),
        ("bin/pitlink", "bin/pitlink is altered"),
        ("units/pitlink-table.service", "units/pitlink-table.service is altered"),
        ("generated.json", "generated.json: damaged"),
        ("release", "damaged or altered"),
    ],
)
def test_an_altered_file_is_named(places: BoardPaths, version: Path, name: str, words: str) -> None:
    """Program, bytecode, scripts, units, and the lists themselves."""
    path = version / name
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(FlashError, match=words):
        check_program(version, Trust.of(places.trust))


def test_a_missing_and_a_strange_file_are_named(places: BoardPaths, version: Path) -> None:
    """What is not there, and what does not belong; a module that nobody signed could be imported (R59)."""
    library = version / LIBRARY
    (library / "tiny.py").rename(library / "sitecustomize.py")
    with pytest.raises(
        FlashError, match=r"tiny\.py is missing; .*sitecustomize\.py does not belong here\. Flash another"
    ):
        check_program(version, Trust.of(places.trust))


def test_r62_anybody_can_compare_the_files_with_the_list_beside_them(version: Path) -> None:
    """The signed list is JSON with SHA-256 sums: another program than ours, in the field, comes to the same."""
    proof = (version / "release").read_bytes()
    listed, _ = json.JSONDecoder().raw_decode(proof[proof.index(b'{"') :].decode(errors="replace"))
    library = version / LIBRARY
    sums = {name: hashlib.sha256((library / name).read_bytes()).hexdigest() for name in listed["program"]}
    assert sums == listed["program"]
    (library / "tiny.py").write_text("import os\n")
    assert hashlib.sha256((library / "tiny.py").read_bytes()).hexdigest() != listed["program"]["tiny.py"]


def test_the_own_list_cannot_bless_an_altered_program(places: BoardPaths, version: Path) -> None:
    """Signed hashes win over those that were made on the board (R57)."""
    path = version / f"{LIBRARY}/tiny.py"
    path.write_text("import os\n")
    with open_bundle(places.bundle(NEW), Trust.of(places.trust)) as bundle:
        (version / "generated.json").write_bytes(generated(version, bundle.manifest))
    with pytest.raises(FlashError, match=r"tiny\.py is altered"):
        check_program(version, Trust.of(places.trust))


@pytest.mark.parametrize(
    "name",
    [
        f"{LIBRARY}/evil.pth",
        f"{LIBRARY}/sitecustomize.py",
        f"{LIBRARY}/tiny.pyc",
        f"{LIBRARY}/__pycache__/tiny.so",
        f"{LIBRARY}/__pycache__/tiny.pyc/evil.py",
        "units/pitlink-evil.service",
        "bin/lib/evil.py",
    ],
)
def test_the_own_list_cannot_bless_a_strange_file(places: BoardPaths, version: Path, name: str) -> None:
    """Nobody has signed that list: it speaks for bytecode, scripts and pip's notes, and for nothing else (R59)."""
    (version / name).parent.mkdir(parents=True, exist_ok=True)
    (version / name).write_text("import os\n")
    with open_bundle(places.bundle(NEW), Trust.of(places.trust)) as bundle:
        (version / "generated.json").write_bytes(generated(version, bundle.manifest))
    with pytest.raises(FlashError, match=f"{name} does not belong here"):
        check_program(version, Trust.of(places.trust))


def test_an_altered_program_does_not_start(
    places: BoardPaths, version: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Table and meter look at their own files at every start (R56, R58): exit 4, not retried, and the file's name."""
    args = Namespace(config=places.settings / "table.toml")
    assert own_program(args, version).startswith(f"{NEW} ")
    (version / "bin" / "pitlink").write_text("#!/bin/sh\n")
    monkeypatch.setattr("cli.main.own_program", lambda given: own_program(given, version))
    assert checked(args) == ALTERED
    assert "this program must not run: " in capsys.readouterr().err
    for command in ("table", "meter"):
        assert main([command, "--config", str(args.config)]) == ALTERED
        assert "bin/pitlink is altered" in capsys.readouterr().err


def test_a_program_asked_for_settings_elsewhere_believes_the_boards_keys(
    places: BoardPaths, version: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A technician looks at other settings, such as those of a spare; the keys are still the board's."""
    monkeypatch.setattr("cli.main.BoardPaths", lambda: places)
    assert own_program(Namespace(config=tmp_path / "table.toml"), version).startswith(f"{NEW} ")


def test_a_developers_checkout_has_nothing_to_compare_with() -> None:
    """It says so where the program is written down."""
    assert own_program(Namespace(config=Path("x"))).endswith("(not from a bundle)")
    assert held() == ""


@pytest.mark.parametrize("words", [["flash", "--status"], ["verify"], ["swap", "export", "x"], ["bundle", "show", "x"]])
def test_what_needs_cryptography_says_how_to_get_it(words: list[str]) -> None:
    """One line and exit 3, no traceback, where only the demo was installed."""
    program = "import sys; sys.modules['cryptography'] = None; from cli.main import main"
    command = [sys.executable, "-c", f"{program}; sys.exit(main({words!r}))"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (ran.returncode, ran.stderr) == (3, "needs pitlink[bundle]: pip install 'pitlink[bundle]'\n")


def test_a_version_is_held_while_a_flash_says_so(places: BoardPaths, version: Path) -> None:
    """Its words are the ones that people get to read."""
    assert held(version) == ""
    BoardPaths(opt=version.parent.parent).hold.write_text("version 0.3.0 is being installed\n")
    assert held(version) == "version 0.3.0 is being installed"


def test_a_wheel_that_is_not_the_locked_one_is_not_installed(tmp_path: Path, workshop: Workshop) -> None:
    """pip compares every wheel with the lock; the folder that remains is no version."""
    bench = FlashBench(tmp_path / "board", workshop)
    bench.begin()
    make_bundle(bench.places.bundle("0.3.0"), "0.3.0", bench.key, real_pip=True)
    places = bench.places
    with open_bundle(places.bundle("0.3.0"), Trust.of(places.trust)) as bundle:
        unpack = bundle.unpack

        def unpack_badly(folder: Path) -> None:
            unpack(folder)
            (wheel,) = (folder / "wheels").iterdir()
            with wheel.open("ab") as file:
                file.write(b"x")

        bundle.unpack = unpack_badly  # type: ignore[method-assign]  # somebody has changed the file in between
        with pytest.raises(FlashError, match="tampered with them"):
            install(bundle, places, SyncedFiles())
    assert not is_whole(places.version("0.3.0"))
    bench.kill_table()


def test_a_bundle_is_flashed_in_1970(tmp_path: Path, workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Signatures have no date, and bytecode does not look at clocks: a board without a calendar is flashed."""
    bench = FlashBench(tmp_path / "board", workshop)
    bench.begin()
    places = bench.places
    make_bundle(places.bundle("0.3.0"), "0.3.0", bench.key, real_pip=True)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    os.utime(places.bundle("0.3.0"), (0, 0))
    with open_bundle(places.bundle("0.3.0"), Trust.of(places.trust)) as bundle:
        install(bundle, places, SyncedFiles())
    for path in places.version("0.3.0").rglob("*.py"):
        os.utime(path, (0, 0))
    check_program(places.version("0.3.0"), Trust.of(places.trust))
    said = subprocess.run([places.version("0.3.0") / "bin" / "pitlink"], capture_output=True, text=True, check=True)
    assert said.stdout == "tiny 0.3.0\n"
    check_program(places.version("0.3.0"), Trust.of(places.trust))
    bench.kill_table()


@pytest.mark.timeout(600)
def test_this_project_as_a_bundle_becomes_a_version_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Built from this tree with its locked wheels, installed on an empty board by the command, verified, and asked."""
    monkeypatch.setenv("PIP_RETRIES", "10")  # the wheels come from an index that may be busy
    monkeypatch.setenv("PIP_DEFAULT_TIMEOUT", "60")
    private, _ = make_key(tmp_path / "etc" / "trust", "house", "release", None)
    private = private.rename(tmp_path / "house.key")
    what = BuildOrder(ROOT, this_platform().split("-")[1], f"{sys.version_info.major}.{sys.version_info.minor}")
    bundle = tmp_path / "flash" / "bundles" / "built.pitlink"
    manifest = build(what, bundle, key=read_private(private, None))
    bundle.rename(bundle.with_name(f"{manifest.version}.pitlink"))
    places = [f"--{name}={tmp_path / name}" for name in ("opt", "state", "settings", "units")]
    places = [word.replace("/state", "/flash").replace("/settings", "/etc") for word in places]
    assert main(["flash", manifest.version, *places]) == 0
    program = str(tmp_path / "opt" / "current" / "bin" / "pitlink")
    clean = {"PATH": os.environ["PATH"]}
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True, env=clean)
    assert said.stdout == f"pitlink {manifest.version}\n"
    verify = [program, "verify", "--root", str(tmp_path / "opt"), "--trust", str(tmp_path / "etc" / "trust")]
    said = subprocess.run(verify, capture_output=True, text=True, check=True, env=clean)
    assert manifest.program_hash in said.stdout
    shutil.copy(ROOT / "config" / "table.toml", tmp_path / "etc")
    start = [program, "table", "--config", str(tmp_path / "etc" / "table.toml"), "--print-config"]
    said = subprocess.run(start, capture_output=True, text=True, check=True, env=clean)
    assert f'"program": "{manifest.program_hash}"' in said.stderr, "its start says which program it is"
    open_pins = "from drivers.gpio.gpiod_factory import GpiodPins; print(GpiodPins.__name__)"
    python = str(tmp_path / "opt" / "current" / "bin" / "python")
    said = subprocess.run([python, "-c", open_pins], capture_output=True, text=True, check=True, env=clean)
    assert said.stdout == "GpiodPins\n", "a board has the library of its pins"


@pytest.mark.timeout(600)
@pytest.mark.parametrize("python", ["3.11", "3.13"])
def test_a_board_with_either_python_has_every_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, python: str
) -> None:
    """Debian 12 and 13 on a Raspberry Pi: what the lock names can be had, that of the pins in the board's own kind."""
    monkeypatch.setenv("PIP_RETRIES", "10")
    monkeypatch.setenv("PIP_DEFAULT_TIMEOUT", "60")
    wanted = locked(ROOT, [BASE, "board"], machine="aarch64", python=python)
    fetch_wheels(wanted, tmp_path, machine="aarch64", python=python, cache=None)
    wheels = [wheel.name for wheel in tmp_path.iterdir()]
    assert len(wheels) == len(wanted)
    abi = f"cp{python.replace('.', '')}"
    gpio = [name for name in wheels if "gpiod-" in name or "lgpio-" in name]
    assert len(gpio) == 1
    assert f"-{abi}-{abi}-" in gpio[0]
    assert "aarch64" in gpio[0]
