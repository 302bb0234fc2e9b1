"""Sign-ins that the meter checks: proofs, codes, throttling, and who was not seen for long."""

from pathlib import Path

import pytest
from pyotp.totp import TOTP

from common.auth.directory import pin_secret
from common.auth.lockout import LockOut
from common.auth.proof import OWN_PIN, ProvedOrder, prove, seal_pin
from common.files import write_privately
from link.messages import VERSION, SignInAnswer, SignInAsked
from meter.staff.changes import EnrolTotp, LockPerson, RemovePerson, applied
from meter.staff.keeper import STAFF_FILE, StaffKeeper
from meter.staff.sign_in_check import STEP_S, USE_FILE, WRONG, SignInCheck
from tests.support.meter.staff_pins import DAN, FAST, SAM, SUE, Login, give_staff, set_by_others

DAY_MS = 86_400_000


class CheckBench:
    """A meter's check with clocks that the test moves."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now_ms = folder, 1_800_000_000_000
        give_staff(folder)
        self.keeper = StaffKeeper(folder, lambda: self.now_ms)
        book = applied(self.keeper.book(), EnrolTotp(SUE.number), cost=FAST)
        write_privately(folder / STAFF_FILE, self.keeper.content(book))
        self.check = self.begun()

    def begun(self) -> SignInCheck:
        """The check as a meter's start makes it."""
        lock_out = LockOut(self.folder / "attempts.json", lambda: self.now_ms / 1000)
        return SignInCheck(self.keeper, lock_out, wall_ms=lambda: self.now_ms)

    def code(self, steps: int = 0) -> str:
        return TOTP(self.keeper.totp_of(SUE.number)).generate_otp(self.now_ms // 1000 // STEP_S + steps)

    def proof(self, login: Login = SUE, table: str = "T1", journal: str = "J1") -> str:
        person = self.keeper.directory().person(login.number)
        assert person is not None
        secret = pin_secret(login.pin, person.salt, FAST)
        return prove(login.number, secret, ProvedOrder("sign in", "main", table, journal))

    def ask(self, code: str, proof: str = "", number: str = SUE.number, table: str = "T1") -> str:
        """Why the meter refuses this; the wait of the try before is over."""
        self.now_ms += 4 * 1000
        asked = SignInAsked(VERSION, table, "nonce", number, proof or self.proof(), code)
        answer = self.check.answer("main", asked, "J1")
        assert answer is not None
        return answer.refusal

    def choose(self, pin: str, secret: bytes | None = None, table: str = "T1", act: str = OWN_PIN) -> str:
        """The PIN that the meter takes from Sue at table T1, or why none."""
        self.now_ms += 4 * 1000
        order = ProvedOrder(act, "main", "T1", "J1")
        sealed = seal_pin(pin, secret or SUE.secret, order)
        asked = SignInAsked(VERSION, table, "nonce", SUE.number, self.proof(), new_pin=sealed)
        opened = self.check.own_pin("main", asked, "J1")
        return opened.refusal if isinstance(opened, SignInAnswer) else opened.pin


@pytest.fixture
def bench(tmp_path: Path) -> CheckBench:
    return CheckBench(tmp_path)


def test_number_proof_and_code_together_open(bench: CheckBench) -> None:
    """And each code once, also after a restart of the meter."""
    code = bench.code()
    assert bench.ask(code) == ""
    bench.check = bench.begun()
    assert bench.ask(code) == WRONG
    assert bench.ask(bench.code(1)) == ""


@pytest.mark.parametrize(("steps", "opens"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_one_step_of_drift_is_allowed(bench: CheckBench, steps: int, opens: bool) -> None:
    """Thirty seconds either way."""
    bench.now_ms -= bench.now_ms % (STEP_S * 1000)
    assert (bench.ask(bench.code(steps)) == "") is opens


@pytest.mark.parametrize("what", ["another table", "another journal", "another PIN", "another number", "nobody"])
def test_a_proof_for_something_else_opens_nothing(bench: CheckBench, what: str) -> None:
    """A proof that somebody recorded elsewhere is none here."""
    proofs = {
        "another table": bench.proof(table="T2"),
        "another journal": bench.proof(journal="J2"),
        "another PIN": bench.proof(Login(SUE.number, "Sue", SUE.role, SAM.pin)),
        "another number": bench.proof(SAM),
        "nobody": "nonsense",
    }
    assert bench.ask(bench.code(), proofs[what]) == WRONG
    assert bench.ask(bench.code(), bench.proof()) == "", "the code was not used up"


def test_whoever_has_no_totp_secret_does_not_sign_in_over_the_network(bench: CheckBench) -> None:
    """Two persons enrol him first."""
    assert "enrol" in bench.ask("123456", bench.proof(SAM), SAM.number)


def test_wrong_tries_wait_for_the_person_and_for_the_table(bench: CheckBench) -> None:
    """The right code must wait, too; another table's strangers do not lock this one."""
    for _ in range(6):
        bench.ask("000000")
    assert bench.ask(bench.code()).startswith("too many wrong tries: wait")
    bench.now_ms += 3600 * 1000
    assert bench.ask(bench.code()) == ""
    for number in range(12):
        bench.ask("000000", number=str(5000 + number), table="T9")
    assert bench.ask("000000", number="7777", table="T9").startswith("too many wrong tries")
    bench.now_ms += 60_000
    assert bench.ask(bench.code()) == ""


def test_a_damaged_directory_opens_nothing(bench: CheckBench) -> None:
    """It says so."""
    (bench.folder / STAFF_FILE).write_text("[{")
    asked = SignInAsked(VERSION, "T1", "nonce", SUE.number, "1:2", "123456")
    answer = bench.check.answer("main", asked, "J1")
    assert answer is not None
    assert "cannot be read" in answer.refusal


def test_whoever_was_not_seen_for_long_is_found(bench: CheckBench) -> None:
    """Seen is: a right PIN at the meter, or a sign-in that a table reports with a proof."""
    directory = bench.keeper.directory()
    assert bench.check.unused(directory, 90) == []
    bench.now_ms += 80 * DAY_MS
    bench.check.used(SAM.number)
    report = SignInAsked(VERSION, "T1", "report", DAN.number, bench.proof(DAN))
    assert bench.check.answer("main", report, "J1") is None
    forged = SignInAsked(VERSION, "T1", "report", SUE.number, bench.proof(DAN))
    assert bench.check.answer("main", forged, "J1") is None
    bench.now_ms += 20 * DAY_MS
    bench.check = bench.begun()
    assert bench.check.unused(directory, 90) == ["2001", "3001", "4001"]
    locked = applied(bench.keeper.book(), LockPerson(SUE.number), cost=FAST).directory
    assert bench.check.unused(locked, 90) == ["3001", "4001"]
    removed = applied(bench.keeper.book(), RemovePerson(SUE.number), cost=FAST).directory
    assert bench.check.unused(removed, 90) == ["3001", "4001"]


def test_a_spoilt_file_of_uses_locks_nobody(bench: CheckBench) -> None:
    """Everybody counts as seen today."""
    bench.check.used(DAN.number)
    (bench.folder / USE_FILE).write_text("[{")
    bench.check = bench.begun()
    bench.now_ms += 80 * DAY_MS
    assert bench.check.unused(bench.keeper.directory(), 90) == []


def test_a_new_pin_counts_only_under_the_secret_of_the_old_one(bench: CheckBench) -> None:
    """Neither another secret, nor another table's message, nor one made for another order is taken."""
    set_by_others(bench.keeper, SUE)
    assert bench.choose("318207") == "318207"
    for lie in (bench.choose("318207", b"x" * 32), bench.choose("318207", table="T2"), bench.choose("1", act="pay")):
        assert lie == WRONG


def test_a_pin_that_others_set_proves_nothing_but_the_change(bench: CheckBench) -> None:
    """The code may be right; the table itself then asks for a PIN of one's own."""
    set_by_others(bench.keeper, SUE)
    assert bench.keeper.secret_of(SUE.number) is None
    assert bench.ask(bench.code()) == ""
