"""pitlink swap import: a parcel fills its own folders and no other, and brings no release keys unasked."""

from pathlib import Path

import msgspec
import pytest

from flashing.files import SyncedFiles
from flashing.swap_file import SwapFile, SwappedFile, decode, encode, seal, unpack, unseal
from tests.support.table.swap_bench import PASSPHRASE, SwapBench


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SwapBench:
    """A spare board and the file of a table."""
    monkeypatch.setattr("flashing.swap_file._COST", 4)
    house = SwapBench(tmp_path)
    house.write_journal()
    assert house.export() == 0
    house.fresh_board("old")
    return house


def craft(house: SwapBench, *files: SwappedFile, journal: str = "") -> None:
    """The house's file with something added by whoever knows the passphrase."""
    swap_file: SwapFile = decode(unseal(house.file.read_bytes(), PASSPHRASE))
    place = msgspec.structs.replace(swap_file.journal, path=journal or swap_file.journal.path)
    crafted = msgspec.structs.replace(swap_file, files=(*files, *swap_file.files), journal=place)
    house.file.write_bytes(seal(encode(crafted), PASSPHRASE))


@pytest.mark.parametrize(
    "path", ["{}/cron.d/root", "{}/etc/../cron.d/root", "{}/etc-more/x", "{}/etc/link/x", "x\0", "x"]
)
def test_a_parcel_with_a_file_for_another_folder_is_refused_whole(
    house: SwapBench, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Root puts them in place: nothing is written outside, and nothing inside either."""
    house.config.parent.mkdir()
    (house.config.parent / "link").symlink_to(house.folder)
    craft(house, SwappedFile(path.format(house.folder), b"* * * * *", 0o644))
    assert house.take_over() == 1
    assert "if it belongs there, say --also FOLDER" in capsys.readouterr().err
    assert not house.state.exists()
    assert not house.config.exists()


def test_a_journal_for_another_folder_is_refused(house: SwapBench, capsys: pytest.CaptureFixture[str]) -> None:
    """The journal is a file like the others."""
    craft(house, journal=str(house.folder / "elsewhere" / "journal.db"))
    assert house.take_over() == 1
    assert "lies outside" in capsys.readouterr().err
    assert not (house.folder / "elsewhere").exists()


def test_a_technician_may_name_another_folder(house: SwapBench) -> None:
    """A house that keeps its keys elsewhere."""
    key = house.folder / "ssl" / "T1.key"
    craft(house, SwappedFile(str(key), b"a key", 0o600))
    assert house.take_over("--also", str(key.parent)) == 0
    assert key.read_bytes() == b"a key"


def test_a_release_key_comes_only_if_the_technician_says_so(
    house: SwapBench, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever signs bundles is root on this board; one that it trusts already is no question."""
    trust = house.config.parent / "trust"
    trust.mkdir(parents=True)
    (trust / "mine.pub").write_text("a public key")
    craft(house, SwappedFile(str(trust / "strange.pub"), b"a strange key", 0o644))
    assert house.take_over("--also", str(house.state)) == 0
    assert "strange.pub: left out, this board does not trust it" in capsys.readouterr().out
    assert {path.name for path in trust.iterdir()} == {"mine.pub", "house.pub"}
    assert house.take_over("--trust-keys") == 0
    assert (trust / "strange.pub").exists()


def test_no_file_of_a_parcel_runs_as_its_owner(tmp_path: Path) -> None:
    """The set-user bit would make a program of root's out of it."""
    unpack(SwappedFile("", b"#!", 0o4755), tmp_path / "x", SyncedFiles())
    assert (tmp_path / "x").stat().st_mode & 0o7777 == 0o755
