"""The recipe's first flash: what a bundle brings is unpacked, and run as root, only if its signature is good."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from flashing.bundle import _PART_NAME, BundleFile, Manifest, open_bundle, parts_of, write_bundle
from flashing.keys import Trust, make_key
from flashing.recipe import unpack_bundle
from flashing.versions import this_platform
from hil.image import PROJECT
from tests.support.flash.flash_bench import NEW, Workshop, make_bundles

SCRIPT = PROJECT / "flashing/recipe/unpack_bundle.py"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return make_bundles(tmp_path_factory.mktemp("house"), (NEW,))


def unpack(bundle: Path, trust: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """As the recipe calls it."""
    words = [sys.executable, "-I", str(SCRIPT), str(bundle), str(trust), str(folder)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def is_refused(bundle: Path, trust: Path, folder: Path) -> str:
    """Why, in words; not a single file was written."""
    done = unpack(bundle, trust, folder)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert not folder.exists()
    return done.stderr


def test_a_signed_bundle_is_unpacked_as_a_board_would(house: Workshop, tmp_path: Path) -> None:
    """The same parts as the program itself unpacks, and the version in words."""
    done = unpack(house.folder / f"{NEW}.pitlink", house.public, tmp_path / "ours")
    assert (done.stdout, done.stderr) == (f"{NEW}\n", "")
    with open_bundle(house.folder / f"{NEW}.pitlink", Trust.of(house.folder)) as bundle:
        assert parts_of(tmp_path / "ours") == bundle.manifest.parts


@pytest.mark.parametrize("at", [60, 200, -1])
def test_an_altered_bundle_is_not_unpacked(house: Workshop, tmp_path: Path, at: int) -> None:
    """One bit of signature, manifest or parts."""
    data = bytearray((house.folder / f"{NEW}.pitlink").read_bytes())
    data[at] ^= 1
    bundle = tmp_path / "x.pitlink"
    bundle.write_bytes(data)
    assert "not what the owner of this key has signed" in is_refused(bundle, house.public, tmp_path / "out")


def test_a_bundle_of_a_stranger_is_not_unpacked(house: Workshop, tmp_path: Path) -> None:
    """A good signature of another key, or a key that was made for something else."""
    bundle = house.folder / f"{NEW}.pitlink"
    _, stranger = make_key(tmp_path, "stranger", "release", None)
    assert "not what the owner of this key has signed" in is_refused(bundle, stranger, tmp_path / "out")
    _, boss = make_key(tmp_path, "boss", "downgrade", None)
    assert "not the public half of a release key" in is_refused(bundle, boss, tmp_path / "out")


@pytest.mark.parametrize("keep", [0, 20, 184, 500])
def test_a_cut_off_bundle_is_not_unpacked(house: Workshop, tmp_path: Path, keep: int) -> None:
    """Wherever it ends."""
    bundle = tmp_path / "x.pitlink"
    bundle.write_bytes((house.folder / f"{NEW}.pitlink").read_bytes()[:keep])
    assert "x.pitlink: " in is_refused(bundle, house.public, tmp_path / "out")


def test_a_bundle_for_another_python_is_not_unpacked(house: Workshop, tmp_path: Path) -> None:
    """A board with a newer system needs its own; the message says how the workshop makes it."""
    bundle = tmp_path / "x.pitlink"
    (tmp_path / "content").mkdir()
    with bundle.open("wb") as target:
        write_bundle(target, Manifest(NEW, "linux-sparc-py3.9", (), {}), tmp_path / "content", release=house.key)
    words = is_refused(bundle, house.public, tmp_path / "out")
    _, machine, python = this_platform().split("-")
    assert f"for linux-sparc-py3.9, and this board is {this_platform()}" in words
    assert f"`pitlink bundle build --platform {machine} --python {python[2:]}`" in words


def test_a_part_never_leaves_its_folder(house: Workshop, tmp_path: Path) -> None:
    """Not even with a good signature; the rule for names is the board's own."""
    (tmp_path / "content").mkdir()
    (tmp_path / "evil").write_text("x")
    part = BundleFile("../evil", 1, hashlib.sha256(b"x").hexdigest())
    bundle = tmp_path / "x.pitlink"
    with bundle.open("wb") as target:
        manifest = Manifest(NEW, this_platform(), (part,), {})
        write_bundle(target, manifest, tmp_path / "content", release=house.key)
    assert "'../evil' is no name for a part" in is_refused(bundle, house.public, tmp_path / "out")
    assert unpack_bundle.PART_NAME.pattern == _PART_NAME.pattern
