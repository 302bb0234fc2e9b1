"""A flash on a board in a folder: what it does in which order, what it refuses, and when it goes back."""

import shutil
from pathlib import Path

import pytest

from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.journal.rollback_copy import SET_ASIDE
from flashing.errors import FlashError
from flashing.keys import make_key, read_private
from flashing.ports import TableState
from flashing.rollback import METER_UNIT, TABLE_UNIT
from flashing.state import FlashState, FlashStep
from tests.support.flash.flash_bench import NEW, OLD, SETTINGS_TEXT, FlashBench, make_bundle, stands


def test_a_flash_takes_every_step_in_order(bench: FlashBench) -> None:
    """Beside the running table first; then stop, switch, migrate, test, start; two versions stay."""
    assert bench.run(NEW) == f"flash of {NEW} succeeded; before it ran {OLD}"
    stands(bench, NEW)
    assert bench.units.calls == [
        "stop pitlink-table.service",
        "stop pitlink-meter.service",
        "start pitlink-selftest.service",
        "reload",
        "start pitlink-selftest.service",
        "start pitlink-table.service",
        "stop pitlink-meter.service",
    ]
    assert bench.programs.calls == [f"{OLD} copy", f"{NEW} settings", f"{NEW} forward"]
    assert (bench.places.settings / "table.toml").read_text() == f"settings_version = 2\n{SETTINGS_TEXT}"
    assert sorted(path.name for path in bench.places.versions.iterdir()) == [OLD, NEW]
    assert TABLE_UNIT in bench.units.up


def test_a_flash_waits_for_the_round_and_asks_to_close_once(bench: FlashBench) -> None:
    """The request is written into the journal: it is made once, and again only when the key was turned (R61)."""
    bench.table.phases = ["in_play"] * 5 + ["closed"]
    bench.table.key_on = [False, False, True, True, False]
    bench.table.refusal = "turn the supervisor key first"
    assert "succeeded" in bench.run(NEW)
    assert bench.table.asked == [f"version {NEW} is being installed"] * 2
    assert "waits for the table to close: turn the supervisor key first" in bench.said


def test_a_table_that_nobody_closes_keeps_its_version(bench: FlashBench) -> None:
    """After the time for it the flash gives up, and the table was never stopped (R61)."""
    bench.table.phases = ["in_play"]
    assert "the table was not closed in time (play the round)" in bench.run(NEW)
    stands(bench, OLD)
    assert [call for call in bench.units.calls if "stop" in call] == []


def test_a_table_that_does_not_answer_is_not_waited_for(bench: FlashBench) -> None:
    """Its unit is up and nobody answers: that is no round in hand, and the words say what to do."""
    bench.table.look = lambda: None  # type: ignore[method-assign]  # it hangs
    assert "the table does not answer; restart it (systemctl restart pitlink-table)" in bench.run(NEW)
    stands(bench, OLD)


def test_no_table_opens_between_closing_and_the_end(bench: FlashBench) -> None:
    """The word not to open is on disk before the table is asked to close and until all is decided."""
    seen: list[bool] = []
    looked = bench.table.look

    def look() -> TableState | None:
        seen.append(bench.places.hold.is_file())
        return looked()

    bench.table.look = look  # type: ignore[method-assign]  # a witness
    bench.run(NEW)
    assert len(seen) > 2
    assert all(seen)
    assert not bench.places.hold.exists()


@pytest.mark.parametrize(
    ("broken", "why"),
    [("exit code 3", "pitlink-table.service does not start under 0.2.0: exit code 3"), ("crash", "is not healthy")],
)
def test_a_version_that_does_not_come_up_goes_away_again(bench: FlashBench, broken: str, why: str) -> None:
    """The old one runs again, with its own settings and a journal it can read."""
    bench.units.broken[NEW] = broken
    assert why in bench.run(NEW)
    stands(bench, OLD)
    assert TABLE_UNIT in bench.units.up
    assert (bench.places.settings / "table.toml").read_text() == SETTINGS_TEXT


def test_a_version_in_trouble_is_not_healthy(bench: FlashBench) -> None:
    """Answering is not enough: a journal that cannot be written is trouble, and its words are the reason."""
    bench.table.trouble = "the journal's disk does not answer"
    assert "not healthy under 0.2.0: the journal's disk does not answer" in bench.run(NEW)
    stands(bench, OLD)


@pytest.mark.parametrize("was_up", [True, False])
def test_a_meter_is_up_after_a_flash_only_if_it_was_before(bench: FlashBench, was_up: bool) -> None:
    """A meter that the house has stopped may have a stale ledger: no flash starts it, not even on trial."""
    (bench.places.settings / "meter.toml").write_text("")
    if was_up:
        bench.units.up.add(METER_UNIT)
    assert "succeeded" in bench.run(NEW)
    assert (f"start {METER_UNIT}" in bench.units.calls) is was_up
    assert bench.units.up == ({TABLE_UNIT, METER_UNIT} if was_up else {TABLE_UNIT})


def test_a_part_that_fails_only_under_the_new_version_is_a_reason_to_go_back(bench: FlashBench) -> None:
    """What the old one could use, the new one must be able to."""
    bench.units.faulty_parts = {NEW}
    assert "the self-test fails under 0.2.0: FAULT  pins: busy" in bench.run(NEW)
    stands(bench, OLD)


def test_a_part_that_was_faulty_before_is_none(bench: FlashBench) -> None:
    """A worn acceptor must not keep a board from being flashed."""
    bench.units.faulty_parts = {OLD, NEW}
    assert "succeeded" in bench.run(NEW)
    stands(bench, NEW)


def test_what_a_new_version_wrote_stays_in_the_journal_when_it_goes(bench: FlashBench) -> None:
    """It was stopped cleanly and its schema taken back: the same chain goes on, with every event of the trial."""
    bench.table.trouble = "something"
    bench.run(NEW)
    stands(bench, OLD)
    journal = Journal.look(bench.journal)
    assert f"of {NEW}" in [getattr(line.event, "reason", "") for line in journal.lines()]
    journal.abandon()
    assert f"{OLD} settle" in bench.programs.calls


def test_a_trial_that_crashed_is_set_aside_and_the_copy_goes_on(bench: FlashBench) -> None:
    """The old version cannot replay what the other left half; both files are kept, and no run is numbered twice."""
    bench.units.broken[NEW] = "crash"
    bench.run(NEW)
    stands(bench, OLD)
    aside = Journal.look(bench.journal.with_name(SET_ASIDE))
    journal = Journal.look(bench.journal)
    assert f"of {NEW}" in [getattr(line.event, "reason", "") for line in aside.lines()]
    assert journal.boot > aside.boot
    assert journal.id == aside.id
    aside.abandon()
    journal.abandon()


def test_a_journal_that_cannot_be_put_back_keeps_the_table_down(bench: FlashBench) -> None:
    """Whatever stands in the way, nothing is thrown away; once it is gone, the same again completes the way back."""
    bench.units.broken[NEW] = "crash"
    migrating = bench.programs._migrate

    def refuse(version: str, what: str, files: list[Path]) -> str:
        if what == "settle":
            raise JournalFault("2 entries for the meter are not in the copy")
        return migrating(version, what, files)

    bench.programs._migrate = refuse  # type: ignore[method-assign]  # something went badly wrong
    with pytest.raises(FlashError, match="the journal cannot be put back: 2 entries for the meter"):
        bench.run(NEW)
    assert bench.units.up == set()
    assert bench.places.hold.exists(), "nobody opens this table"
    bench.programs._migrate = migrating  # type: ignore[method-assign]  # mended
    bench.boot()
    stands(bench, OLD)


def test_a_table_that_was_never_started_goes_back_to_no_journal(bench: FlashBench) -> None:
    """The trial's journal is set aside: the old version begins its own."""
    bench.units.stop(TABLE_UNIT)
    bench.journal.unlink()
    bench.before = []
    bench.units.broken[NEW] = "crash"
    assert "is not healthy" in bench.run(NEW)
    assert not bench.journal.exists()
    assert bench.journal.with_name(SET_ASIDE).exists()
    assert bench.units.start(TABLE_UNIT) == ""
    stands(bench, OLD)


def test_a_third_version_pushes_out_the_first(bench: FlashBench) -> None:
    """Two versions stay, and the bundles of these two."""
    bench.run(NEW)
    bench.places.version("0.3.0").mkdir()
    shutil.copy(bench.places.bundle(NEW), bench.places.bundle("0.3.0"))
    bench.flash()._rollback.finish(FlashState("0.3.0", NEW, FlashStep.CONFIRMED))
    assert sorted(path.name for path in bench.places.versions.iterdir()) == [NEW, "0.3.0"]
    assert sorted(path.stem for path in bench.places.bundles.iterdir()) == [NEW, "0.3.0"]


def test_an_older_version_needs_a_second_signature(bench: FlashBench, tmp_path: Path) -> None:
    """One key makes bundles, another one lets boards go back; the same key cannot do both."""
    make_bundle(bench.places.bundle("0.0.9"), "0.0.9", bench.key)
    with pytest.raises(FlashError, match=r"0\.1\.0 runs, 0\.0\.9 is older; a downgrade needs a second signature"):
        bench.run("0.0.9")
    private, public = make_key(tmp_path, "boss", "downgrade", None)
    bench.places.bundle("0.0.9").unlink()
    make_bundle(bench.places.bundle("0.0.9"), "0.0.9", bench.key, downgrade=read_private(private, None))
    with pytest.raises(FlashError, match="does not trust for a downgrade"):
        bench.run("0.0.9")
    shutil.copy(public, bench.places.trust)
    assert "flash of 0.0.9 succeeded" in bench.run("0.0.9")


def test_a_bundle_for_another_board_is_refused(bench: FlashBench) -> None:
    """Before anything was written."""
    make_bundle(bench.places.bundle("0.3.0"), "0.3.0", bench.key, platform="linux-riscv64-py3.11")
    words = r"the bundle is for linux-riscv64-py3\.11, this board is linux-.*bundle build --platform \w+ --python 3\."
    with pytest.raises(FlashError, match=words):
        bench.run("0.3.0")
    stands(bench, OLD)


@pytest.mark.parametrize(
    ("version", "why"),
    [
        (OLD, "is what runs already"),
        ("0.9.0", r"there is no such bundle; copy it there \(there now: 0.1.0, 0.2.0\)"),
        ("../etc", "is no version; versions look like 1"),
        ("0.2.0 ", "is no version"),
    ],
)
def test_a_flash_of_nothing_new_is_refused(bench: FlashBench, version: str, why: str) -> None:
    """The words say what is wrong with the name."""
    with pytest.raises(FlashError, match=why):
        bench.run(version)
    stands(bench, OLD)


def test_a_bundle_under_a_false_name_is_refused(bench: FlashBench) -> None:
    """A technician who asked for one version does not get another."""
    shutil.copy(bench.places.bundle(NEW), bench.places.bundle("0.4.0"))
    with pytest.raises(FlashError, match=r"0\.4\.0\.pitlink is a bundle of 0\.2\.0"):
        bench.run("0.4.0")


def test_two_flashes_at_once_are_one(bench: FlashBench) -> None:
    """The second is told how far the first one is, and changes nothing."""
    seen: list[str] = []
    migrating = bench.programs._migrate

    def second(version: str, what: str, files: list[Path]) -> str:
        if what == "forward":
            with pytest.raises(FlashError) as refused:
                bench.flash().run(NEW)
            seen.append(str(refused.value))
        return migrating(version, what, files)

    bench.programs._migrate = second  # type: ignore[method-assign]  # somebody else comes in between
    assert "succeeded" in bench.run(NEW)
    (words,) = seen
    assert "another flash of 0.2.0 is at step migrate; wait for it" in words
    stands(bench, NEW)


def test_a_disk_without_room_is_seen_before_anything_is_done(
    bench: FlashBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words say how much is needed, and where old things lie."""
    usage = shutil.disk_usage(bench.places.opt)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage._replace(free=20 * 2**20))
    with pytest.raises(FlashError, match=r"20 MB free, a flash needs \d+ MB; remove old bundles"):
        bench.run(NEW)
    stands(bench, OLD)


def test_room_for_the_copy_of_the_journal_is_seen_before_anything_is_done(
    bench: FlashBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """File and write-ahead log, on top of what the version itself takes on the same disk."""
    usage = shutil.disk_usage(bench.places.opt)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage._replace(free=200 * 2**20))
    log = bench.journal.with_name("journal.db-wal")
    with log.open("r+b") as file:
        file.truncate(150 * 2**20)
    with pytest.raises(FlashError, match=r"T1: 200 MB free, a flash needs 214 MB"):
        bench.run(NEW)
    stands(bench, OLD)


def test_the_houses_own_unit_file_stays(bench: FlashBench) -> None:
    """Only links into the running version are ours."""
    own = bench.places.units / f"pitlink-only-{NEW}.service"
    own.write_text("# mine\n")
    bench.run(NEW)
    assert own.read_text() == "# mine\n"
