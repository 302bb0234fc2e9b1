"""pitlink staff: the directory from a shell, in the books of a meter that does not run."""

import io
from pathlib import Path

import pytest

from cli.main import main
from common.auth.lockout import OWN_SCREEN, LockOut
from meter.staff.keeper import STAFF_FILE, StaffKeeper
from meter.store.audit_log import first_bad_line
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_settings import GOOD
from tests.support.meter.staff_pins import ANN, SAM, SUE

NEW_PIN = "930571"


class Shell:
    """pitlink staff with what people type."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._monkeypatch, self._capsys = folder, monkeypatch, capsys
        self.config = folder / "meter.toml"
        self.config.write_text(GOOD.replace("ledger.sqlite", str(folder / "ledger.sqlite")))

    def run(self, *words: str, typed: tuple[str, ...] = ()) -> tuple[int, str]:
        """What the command answers, and what it said."""
        self._monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        code = main(["staff", *words, "--config", str(self.config)])
        return code, self.heard()

    def signed(self, *words: str, typed: tuple[str, ...] = ()) -> tuple[int, str]:
        """The same, with Sue and Ann standing by it."""
        by = ("--by", SUE.number, "--and-by", ANN.number)
        return self.run(*words, *by, typed=(SUE.pin, ANN.pin, *typed))

    def heard(self) -> str:
        """What another command said."""
        said = self._capsys.readouterr()
        return said.out + said.err

    def keeper(self) -> StaffKeeper:
        return StaffKeeper(self.folder, lambda: 0)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, monkeypatch, capsys)


@pytest.fixture
def begun(shell: Shell) -> Shell:
    """Sue and Ann have begun the directory."""
    assert shell.run("key")[0] == 0
    people = ("--first", SUE.number, "Sue", "supervisor", "--second", ANN.number, "Ann", "accounting")
    assert shell.run("init", *people, typed=(SUE.pin, ANN.pin))[0] == 0
    return shell


def test_the_key_is_made_once_and_printed_again(shell: Shell) -> None:
    """With the line that every table's settings need."""
    _, first = shell.run("key")
    code, again = shell.run("key")
    assert (code, first) == (0, again)
    assert f'staff_key = "{shell.keeper().table_key()}"' in first


def test_two_persons_begin_and_only_once(begun: Shell) -> None:
    """Whoever comes later needs those two."""
    people = ("--first", "3333", "Eve", "supervisor", "--second", "4444", "Ivo", "supervisor")
    code, said = begun.run("init", *people, typed=(NEW_PIN, NEW_PIN))
    assert (code, "begun already" in said) == (1, True)
    assert [person.name for person in begun.keeper().directory().people] == ["Sue", "Ann"]


def test_somebody_is_added_changed_listed_and_removed_by_two(begun: Shell) -> None:
    """Each with both PINs, and each a sealed line of the floor's book with both names."""
    assert begun.signed("add", "1001", "Dan", "dealer", "--expires-on", "2027-01-31", typed=(NEW_PIN,))[0] == 0
    person = begun.keeper().directory().person("1001")
    assert person is not None
    assert person.secret(NEW_PIN) is not None
    assert begun.signed("change", "1001", "--role", "supervisor", "--badge", typed=("00420042",))[0] == 0
    assert begun.run("list")[1].splitlines()[0].split() == [
        *("1001", "supervisor", "Dan", "until", "2027-01-31,", "badge"),
    ]
    assert begun.signed("remove", "1001")[0] == 0
    assert begun.keeper().directory().person("1001") is None
    code, said = begun.run("log")
    assert code == 0
    assert [line.partition(": ")[2] for line in said.splitlines()] == [
        "Sue and Ann began the staff directory with Sue (number 2001), supervisor and Ann (number 4001), accounting",
        "Sue and Ann added Dan (number 1001), dealer until 2027-01-31",
        "Sue and Ann changed Dan (number 1001): role supervisor, badge",
        "Sue and Ann removed Dan (number 1001)",
    ]
    store = SqliteStore(begun.folder / "ledger.sqlite", reading=True)
    assert first_bad_line(store.lines(0, 100), store.floor_end()) == 0
    store.close()


@pytest.mark.parametrize(
    ("words", "typed", "said"),
    [
        (("--by", SUE.number, "--and-by", SUE.number), (SUE.pin, SUE.pin), "two different persons"),
        (("--by", SUE.number, "--and-by", ANN.number), (SUE.pin, SUE.pin), "number and PIN do not match"),
        (("--by", SUE.number, "--and-by", "9999"), (SUE.pin, ANN.pin), "number and PIN do not match"),
        (("--by", "Sue", "--and-by", "Ann"), (SUE.pin, ANN.pin), "number and PIN do not match"),
    ],
)
def test_one_person_alone_adds_nobody(begun: Shell, words: tuple[str, ...], typed: tuple[str, ...], said: str) -> None:
    """Two invented names neither."""
    code, answer = begun.run("add", "1001", "Dan", "dealer", *words, typed=(*typed, NEW_PIN))
    assert (code, said in answer) == (1, True), answer
    assert begun.keeper().directory().number == 1


def test_nobody_changes_the_own_entry(begun: Shell) -> None:
    """Neither the role nor the PIN of one of the two who stand by it."""
    assert begun.signed("add", SAM.number, "Sam", "supervisor", typed=(SAM.pin,))[0] == 0
    code, said = begun.signed("change", ANN.number, "--role", "supervisor")
    assert (code, "nobody changes the own entry" in said) == (1, True)
    by = ("--by", SUE.number, "--and-by", SAM.number)
    assert begun.run("change", ANN.number, "--role", "supervisor", *by, typed=(SUE.pin, SAM.pin))[0] == 0


def test_a_reset_pin_must_be_changed_by_its_owner(begun: Shell) -> None:
    """Until then it stands by nothing."""
    assert begun.signed("add", SAM.number, "Sam", "supervisor", typed=(SAM.pin,))[0] == 0
    assert begun.signed("change", SAM.number, "--pin", typed=("700413",))[0] == 0
    by = ("--by", SUE.number, "--and-by", SAM.number)
    code, said = begun.run("add", "1001", "Dan", "dealer", *by, typed=(SUE.pin, "700413", NEW_PIN))
    assert (code, "must choose a PIN of his own" in said) == (1, True)
    assert begun.run("own-pin", SAM.number, typed=("111119", "318207"))[0] == 1
    assert begun.run("own-pin", SAM.number, typed=("700413", "123456"))[0] == 1
    assert begun.run("own-pin", SAM.number, typed=("700413", "318207"))[0] == 0
    assert begun.run("add", "1001", "Dan", "dealer", *by, typed=(SUE.pin, "318207", NEW_PIN))[0] == 0


def test_a_totp_secret_is_shown_once(begun: Shell) -> None:
    """As an address that apps take; the log has no secret."""
    assert begun.signed("add", SAM.number, "Sam", "supervisor", typed=(SAM.pin,))[0] == 0
    code, said = begun.signed("enrol-totp", SAM.number)
    secret = begun.keeper().book().secrets[SAM.number].totp
    assert (code, f"otpauth://totp/Pitlink:Sam?secret={secret}" in said) == (0, True)
    assert "TOTP" in begun.run("list")[1]
    assert secret not in begun.run("log")[1]


def test_unlock_forgives_wrong_pins(begun: Shell) -> None:
    """By two others."""
    assert begun.signed("add", SAM.number, "Sam", "supervisor", typed=(SAM.pin,))[0] == 0
    lock_out = LockOut(begun.folder / "attempts.json", lambda: 0.0)
    for _ in range(5):
        lock_out.begin(SAM.number, OWN_SCREEN)
    assert begun.signed("unlock", SAM.number)[0] == 0
    assert lock_out.wait_s(SAM.number, OWN_SCREEN) == 0


def test_a_pin_is_never_an_argument_and_a_missing_one_changes_nothing(begun: Shell) -> None:
    """A script that writes too few lines is told so."""
    by = ("--by", SUE.number, "--and-by", ANN.number)
    code, said = begun.run("add", "1001", "Dan", "dealer", *by, typed=(SUE.pin, ANN.pin))
    assert (code, "Dan gave no PIN" in said) == (2, True)
    with pytest.raises(SystemExit):
        begun.run("add", "1001", "Dan", "dealer", "--pin", NEW_PIN, *by)


def test_finding_6_before_the_first_directory_two_invented_names_decide_nothing(shell: Shell) -> None:
    """Whoever installs a meter begins with two persons and their PINs: nothing is open until then."""
    stop = ["decide", "--config", str(shell.config), "main", '{"type": "Stop"}', "--reason", "drill"]
    assert main([*stop, "--by", "Eve", "--and-by", "Ivo"]) == 1
    assert "two persons begin with pitlink staff init" in shell.heard()


def test_finding_6_a_missing_or_damaged_directory_lets_two_invented_names_decide_nothing(begun: Shell) -> None:
    """That there was one stands in the ledger: deleting the file opens nothing, nor does beginning anew."""
    stop = ["decide", "--config", str(begun.config), "main", '{"type": "Stop"}', "--reason", "drill"]
    for spoil in (lambda: (begun.folder / STAFF_FILE).write_text("[{"), (begun.folder / STAFF_FILE).unlink):
        spoil()
        assert main([*stop, "--by", "Eve", "--and-by", "Ivo"]) in {1, 2}
        people = ("--first", "3333", "Eve", "supervisor", "--second", "4444", "Ivo", "supervisor")
        code, said = begun.run("init", *people, typed=(NEW_PIN, NEW_PIN))
        assert (code, "restore the file" in said) == (1, True)
