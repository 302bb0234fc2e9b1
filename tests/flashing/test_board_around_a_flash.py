"""What stands around a flash: systemctl, other versions as programs, the running table, sticks, and the command."""

import asyncio
import errno
import io
import os
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from cli.main import main
from controller.web.text import Told
from flashing import usb_stick as stick
from flashing.errors import FlashError, flash_errors
from flashing.files import SyncedFiles
from flashing.state import FlashNotes, FlashState, FlashStep, LastFlash
from flashing.systemd import InstalledPrograms, Systemctl, start_soon
from flashing.table_api import TableApiClient
from flashing.usb_stick import take_bundle
from games.refusal import because
from games.round.events import CloseAsked, CouponRedeemed, TableOpened
from tests.support.flash.flash_bench import NEW, OLD, FlashBench, Workshop, quick
from tests.support.meter.staff_pins import SUE
from tests.support.table.paper_floor import Bench, paper_floor

SYSTEMCTL = """#!/bin/sh
echo "$@" >> {folder}/calls
case "$*" in
*broken*) echo "Job for broken.service failed" >&2; exit 1;;
*is-active*idle*) exit 3;;
*nowhere*) exit 5;;
esac
"""


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A systemctl that writes down what it is told; what is broken does not start, what is idle is not active."""
    program = tmp_path / "bin" / "systemctl"
    program.parent.mkdir()
    program.write_text(SYSTEMCTL.format(folder=tmp_path))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return tmp_path / "calls"


def test_systemctl_is_told_and_believed(calls: Path) -> None:
    """A unit that fails gives its words; one that crashed before gets a clean slate first."""
    units = Systemctl()
    assert units.start("good.service") == ""
    assert units.start("broken.service") == "Job for broken.service failed"
    assert units.is_active("good.service")
    assert not units.is_active("idle.service")
    units.reload()
    units.stop("good.service")
    units.stop("nowhere.service")
    assert start_soon("good.service") == ""
    with pytest.raises(FlashError, match=r"broken\.service cannot be stopped: Job for"):
        units.stop("broken.service")
    said = [line.removeprefix("--no-pager ") for line in calls.read_text().splitlines()]
    assert said[:2] == ["reset-failed good.service", "start good.service"]
    assert said[-2] == "start --no-block good.service"


def test_a_program_of_a_version_is_run_to_its_end(tmp_path: Path) -> None:
    """Its output if all went well, its complaint if not, and words if there is no such program."""
    program = tmp_path / "bin" / "pitlink"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "$1"; echo complaint >&2; exit "$2"\n')
    program.chmod(0o755)
    programs = InstalledPrograms()
    assert programs.run(tmp_path, ["hello", "0"], owner_of=program) == programs.run(tmp_path, ["hello", "0"])
    assert programs.run(tmp_path, ["hello", "0"]).words == "hello\n"
    assert programs.run(tmp_path, ["hello", "3"]).words == "complaint"
    assert "No such file" in programs.run(tmp_path / "elsewhere", []).words


@pytest.fixture
async def open_bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with paper_floor(tmp_path) as floor:
        yield floor.tables["T1"]


async def test_a_flash_sees_and_closes_a_real_table(open_bench: Bench) -> None:
    """Over the control interface; without the key the table says why not, with it it closes, and stays shut."""
    assert open_bench.assembly is not None
    authenticator = TableApiClient(open_bench.assembly.control)
    state = await asyncio.to_thread(authenticator.look)
    assert state is not None
    assert (state.phase, state.is_closed, state.trouble) == ("open", False, "")
    await open_bench.turn_key(on=False)
    await open_bench.settle()
    assert await asyncio.to_thread(authenticator.close, "a flash") == "turn the supervisor key first"
    await open_bench.turn_key(on=True)
    await open_bench.settle()
    assert await asyncio.to_thread(authenticator.close, "a flash") == ""
    await open_bench.until(lambda: open_bench.state.phase.value == "closed")
    seen = await asyncio.to_thread(authenticator.look)
    assert seen is not None
    assert seen.is_closed


async def test_a_table_on_trial_does_not_open_and_nothing_is_wagered(
    open_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the word of the flash stands: no opening, by nobody, so that no money is between copy and confirmation."""
    assembly = open_bench.assembly
    assert assembly is not None
    words = ["version 0.3.0 is being installed"]
    assembly.web_server.self_test._held = lambda: words[0]
    await open_bench.must(CloseAsked("Ann", "flash"))
    await open_bench.until(lambda: open_bench.state.phase.value == "closed")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{SUE.pin}\n"))
    words_of_sue = ["dealer", "--socket", str(assembly.control), "open", "--by", SUE.number]
    assert await asyncio.to_thread(main, words_of_sue) == 1
    assert open_bench.state.phase.value == "closed"
    assert await open_bench.tell(CouponRedeemed(1, "C-1")) == Told("seat 1: the table is closed")
    assert open_bench.open_gates == []
    assert await assembly.table.waiting() == []
    assert assembly.web_server.self_test.bars_opening(open_bench.state) == because("flash_running", flash=words[0])
    words[0] = ""
    await open_bench.must(TableOpened("Ann"))


def test_nobody_answers_for_a_table_that_is_down() -> None:
    """None, and words."""
    authenticator = TableApiClient(Path("/nowhere/control.sock"))
    assert authenticator.look() is None
    assert authenticator.close("a flash") == "the table does not answer"


def test_whoever_answers_in_another_language_is_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program on the table's port does not end a flash half way."""
    authenticator = TableApiClient(Path("/nowhere/control.sock"))
    monkeypatch.setattr(authenticator, "_ask", lambda *_words: b"<html>")
    assert authenticator.look() is None
    assert authenticator.close("a flash") == "the table does not answer"


def test_a_bundle_is_taken_from_a_stick_only_if_it_is_signed(bench: FlashBench, tmp_path: Path) -> None:
    """Copied first, then looked at: what lies on a stick may change under our eyes."""
    folder = tmp_path / "stick"
    folder.mkdir()
    bundle = Path(shutil.move(bench.places.bundle(NEW), folder / "whatever.pitlink"))
    assert take_bundle(folder, bench.places, SyncedFiles()) == NEW
    assert bench.places.bundle(NEW).read_bytes() == bundle.read_bytes()
    bundle.write_bytes(bundle.read_bytes()[:-1] + b"\xff")
    with pytest.raises(FlashError, match="damaged or altered"):
        take_bundle(folder, bench.places, SyncedFiles())
    assert sorted(path.name for path in bench.places.bundles.iterdir()) == [f"{OLD}.pitlink", f"{NEW}.pitlink"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (lambda good: b"holiday pictures", "not a bundle of Pitlink"),
        (lambda good: good[:20], "truncated after 20 bytes"),
        (lambda good: good + b"x", "1 bytes too many"),
        (lambda good: good[:-1] + b"\xff", "not what house"),
    ],
    ids=["foreign", "cut off", "longer", "altered"],
)
def test_a_refused_bundle_is_called_what_it_is_called_on_the_stick(
    bench: FlashBench, tmp_path: Path, content: Callable[[bytes], bytes], why: str
) -> None:
    """Whoever put the file there knows it by that name, and by no other."""
    folder = tmp_path / "stick"
    folder.mkdir()
    (folder / "whatever.pitlink").write_bytes(content(bench.places.bundle(NEW).read_bytes()))
    with pytest.raises(FlashError, match=rf"^whatever\.pitlink: {why}"):
        take_bundle(folder, bench.places, SyncedFiles())


def test_a_stick_holds_exactly_one_bundle(bench: FlashBench, tmp_path: Path) -> None:
    """None, two, or a link to a file of the board itself is not what was meant."""
    folder = tmp_path / "stick"
    folder.mkdir()
    (folder / "link.pitlink").symlink_to(bench.places.bundle(NEW))
    with pytest.raises(FlashError, match=r"exactly one bundle .*; this one has none"):
        take_bundle(folder, bench.places, SyncedFiles())
    for name in ("a", "b"):
        shutil.copy(bench.places.bundle(NEW), folder / f"{name}.pitlink")
    with pytest.raises(FlashError, match=r"this one has a\.pitlink, b\.pitlink"):
        take_bundle(folder, bench.places, SyncedFiles())


class WornFile(io.BytesIO):
    """A file that gives its first bytes, and then nothing any more."""

    def read(self, _size: int | None = -1, /) -> bytes:
        if self.tell():
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return super().read(100)


@pytest.mark.parametrize("worn", ["glob", "stat", "open"])
def test_a_worn_stick_is_not_taken_for_a_worn_board(
    bench: FlashBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worn: str
) -> None:
    """Wherever it ceases to be read; what was copied until then does not stay on the board."""
    content = (tmp_path / "whatever.pitlink").write_bytes(bench.places.bundle(NEW).read_bytes())
    kept, usual = sorted(bench.places.bundles.iterdir()), getattr(Path, worn)

    def wears_out(path: Path, *words: object, **more: object) -> object:
        if not path.is_relative_to(tmp_path):
            return usual(path, *words, **more)
        if worn == "open":
            return WornFile(bytes(content))
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, worn, wears_out)
        with pytest.raises(FlashError, match=r"cannot be read \(Input.*\): copy the bundle to another stick"):
            take_bundle(tmp_path, bench.places, SyncedFiles())
    assert sorted(bench.places.bundles.iterdir()) == kept


def test_a_full_board_is_named_and_not_its_stick(bench: FlashBench, tmp_path: Path) -> None:
    """And what was copied until then is gone, so that there is room again."""
    shutil.copy(bench.places.bundle(NEW), tmp_path / "whatever.pitlink")
    arrived = bench.places.bundles / ".arrived"
    arrived.symlink_to("/dev/full")
    with pytest.raises(FlashError) as refused:
        take_bundle(tmp_path, bench.places, SyncedFiles())
    assert str(refused.value).startswith(f"{arrived}: the disk is full;")
    assert not arrived.is_symlink()


def test_a_stick_is_mounted_for_reading_and_let_go(
    bench: FlashBench, tmp_path: Path, calls: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command copies, lets the stick go and has the flash started by its unit."""
    mounts: list[list[str]] = []

    def mounted(command: list[str], _problem: str) -> None:
        mounts.append(command)
        if command[0] == "mount":
            shutil.copy(bench.places.bundle(NEW), command[-1])
        else:
            shutil.rmtree(command[-1])
            Path(command[-1]).mkdir()

    monkeypatch.setattr(stick, "_run", mounted)
    assert main(["flash", "--stick", "/dev/sda1", *places(bench)]) == 0
    assert [command[:3] for command in mounts] == [["mount", "-o", "ro,nosuid,nodev,noexec"], ["umount", mounts[1][1]]]
    assert calls.read_text().endswith(f"start --no-block pitlink-flash@{NEW}.service\n")
    assert f"flash of {NEW} begins; pull the stick" in capsys.readouterr().out
    FlashNotes(bench.places, SyncedFiles()).write_last(
        LastFlash(NEW, OLD, FlashStep.START, went_back=True, why="it does not answer")
    )
    assert main(["flash", "--stick", "/dev/sda1", *places(bench)]) == 3, "it has failed here"
    assert f"to try again all the same, systemctl start pitlink-flash@{NEW}" in capsys.readouterr().err
    bench.places.current.unlink()
    bench.places.current.symlink_to(f"versions/{NEW}")
    assert main(["flash", "--stick", "/dev/sda1", *places(bench)]) == 0, "it runs already"
    assert calls.read_text().count("pitlink-flash@") == 1


def test_a_version_that_resets_the_board_is_not_taken_from_its_stick_for_ever(
    bench: FlashBench, calls: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pulled plug is forgiven once; the way back needs no readable note of the flash before."""
    monkeypatch.setattr("cli.flash.take_from_stick", lambda *_words: NEW)
    notes = FlashNotes(bench.places, SyncedFiles())
    (bench.places.state / "last.json").write_text("{")
    for boot in range(2):
        notes.write(FlashState(NEW, OLD, FlashStep.CLOSE))
        assert main(["flash", "--resume", *places(bench)]) == 0
        assert main(["flash", "--stick", "/dev/sda1", *places(bench)]) == (0, 3)[boot]
    assert f"to try again all the same, systemctl start pitlink-flash@{NEW}" in capsys.readouterr().err
    notes.write(FlashState("0.3.0", OLD, FlashStep.CLOSE))
    assert main(["flash", "--resume", *places(bench)]) == 0
    assert notes.cut_offs("0.3.0") == 1, "another version is another matter"


def test_a_stick_that_cannot_be_mounted_is_told(bench: FlashBench, capsys: pytest.CaptureFixture[str]) -> None:
    """With what to do about it."""
    assert main(["flash", "--stick", "/dev/null", *places(bench)]) == 3
    assert "/dev/null cannot be read: " in capsys.readouterr().err


def places(bench: FlashBench) -> list[str]:
    found = bench.places
    return [f"--opt={found.opt}", f"--state={found.state}", f"--settings={found.settings}", f"--units={found.units}"]


def test_the_command_refuses_resumes_and_says_how_it_stands(
    bench: FlashBench, calls: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 3 if nothing was begun; --resume ends what was cut off; --status has the last words."""
    settings = bench.places.settings / "table.toml"
    assert main(["flash", NEW, *places(bench)]) == 3
    assert "table.game: missing" in capsys.readouterr().err, "faulty settings are mended before a flash"
    settings.unlink()
    assert main(["flash", "9.9.9", *places(bench)]) == 3
    assert "there is no such bundle" in capsys.readouterr().err
    assert main(["flash", "--resume", *places(bench)]) == 0
    assert capsys.readouterr().out == "no flash was under way\n"
    FlashNotes(bench.places, SyncedFiles()).write(FlashState(NEW, OLD, FlashStep.CLOSE))
    bench.places.hold.write_text("x")
    assert main(["flash", "--status", *places(bench)]) == 0
    assert f"flash of {NEW} is at step close; {OLD} ran before" in capsys.readouterr().out
    assert main(["flash", "--resume", *places(bench)]) == 0
    assert main(["flash", "--status", *places(bench)]) == 1
    assert f"flash of {NEW} failed at step close: the power failed" in capsys.readouterr().out
    assert not bench.places.hold.exists()


def test_the_command_flashes_an_empty_board(
    tmp_path: Path, workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first version of a board: nothing to close, to copy or to start; an image is made so."""
    bench = FlashBench(tmp_path / "board", workshop)
    bench._furnish()
    shutil.rmtree(bench.places.opt)
    (bench.places.settings / "table.toml").unlink()
    with quick():
        assert main(["flash", NEW, *places(bench)]) == 0
    assert f"flash of {NEW} succeeded; before it ran nothing" in capsys.readouterr().out
    assert bench.places.running() == NEW


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (28, "the disk is full; free some space"),
        (30, "read-only; look for a worn card"),
        (13, "run it as root"),
        (5, "swap the board"),
    ],
)
def test_the_systems_errors_become_advice(number: int, words: str) -> None:
    """What a technician can do, with the file's name."""
    with pytest.raises(FlashError, match=f"/opt/pitlink: .*{words}"), flash_errors(Path("/opt/pitlink")):
        raise OSError(number, os.strerror(number))


def test_a_read_only_root_is_told_before_anything_is_done(bench: FlashBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first write fails, and the table was not even asked to close."""

    def refuse(*_args: object, **_kwargs: object) -> int:
        raise OSError(30, os.strerror(30))

    monkeypatch.setattr(Path, "symlink_to", refuse)
    with pytest.raises(FlashError, match="the file system is read-only; look for a worn card"):
        bench.run(NEW)
    assert bench.places.running() == OLD
    assert bench.table.asked == []
    assert not bench.places.flasher.exists()


def test_a_damaged_state_is_told(bench: FlashBench) -> None:
    """Nobody guesses what a flash was about to do."""
    (bench.places.state / "state.json").write_text("{")
    with pytest.raises(FlashError, match=r"state\.json: damaged .*; swap the board"):
        bench.run(NEW)
