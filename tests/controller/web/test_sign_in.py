"""Who may use the panel: PINs, waiting after wrong ones, sessions."""

import os
import stat
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from common.auth.pins import Staff, StaffFault, weakness, write_privately
from common.auth.roles import Role
from common.auth.sessions import STAYS, Session, Sessions
from controller.web.api import ACTIONS
from controller.web.permissions import MAY, roles_for


@pytest.fixture
def staff(tmp_path: Path) -> Staff:
    staff = Staff(tmp_path / "staff.json")
    staff.set(Role.SUPERVISOR, "Sue", "1357")
    staff.set(Role.DEALER, "Dan", "2468")
    return staff


def test_the_right_pin_of_the_right_person_is_the_only_key(staff: Staff) -> None:
    """A name is known however it is written; another one's PIN, no PIN and no name are nobody."""
    assert [person.name for person in (staff.check("sue", "1357"),) if person] == ["Sue"]
    for name, pin in (("Sue", "2468"), ("Sue", ""), ("", "1357"), ("Eve", "1357"), ("Dan", "02468")):
        assert staff.check(name, pin) is None


def test_no_pin_is_in_the_file_and_nobody_else_may_read_it(staff: Staff) -> None:
    """Salted scrypt keys, mode 600; two persons with one PIN have different keys."""
    pin = "930571846205"  # long: four digits stand somewhere in random keys, once in some hundred runs
    for name in ("Dan", "Eve"):
        staff.set(Role.DEALER, name, pin)
    assert pin not in staff.path.read_text(encoding="utf-8")
    assert stat.S_IMODE(staff.path.stat().st_mode) == 0o600
    assert len({person.key for person in staff.everybody()}) == 3


def test_a_new_pin_is_on_disk_for_good_and_leaves_no_draft(staff: Staff, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is synced after the change of names; what a power cut left is used up by the next one."""
    (staff.path.parent / ".staff.json.pitlink-new").write_bytes(b"half a")
    steps: list[str] = []
    replace, fsync = Path.replace, os.fsync

    def note_replace(draft: Path, path: Path) -> Path:
        steps.append("replaced")
        return replace(draft, path)

    def note_sync(handle: int) -> None:
        steps.append("folder synced" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file synced")
        fsync(handle)

    monkeypatch.setattr(Path, "replace", note_replace)
    monkeypatch.setattr(os, "fsync", note_sync)
    staff.set(Role.DEALER, "Eve", "8642")
    assert steps == ["file synced", "replaced", "folder synced"]
    assert [file.name for file in staff.path.parent.iterdir()] == ["staff.json"]


def test_two_who_write_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    """The daemon and a command at its side: neither finds the other's draft in its way."""
    path, contents = tmp_path / "attempts.json", [bytes([65 + number]) * 100_000 for number in range(8)]
    with ThreadPoolExecutor(8) as writers:
        list(writers.map(lambda content: write_privately(path, content), contents * 5))
    assert path.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_pin_replaces_the_old_one_and_a_removed_person_is_gone(staff: Staff) -> None:
    """The next question already sees it."""
    staff.set(Role.DEALER, "sue", "9753")
    assert staff.check("Sue", "1357") is None
    person = staff.check("Sue", "9753")
    assert person is not None
    assert person.role is Role.DEALER
    staff.remove("SUE")
    assert staff.person("Sue") is None
    with pytest.raises(StaffFault, match="nobody"):
        staff.remove("Sue")


@pytest.mark.parametrize("pin", ["", "123", "1111", "12345", "98765", "7890", "12a4", "1234567890123", "١٢٣٤"])
def test_easy_and_odd_pins_are_refused(staff: Staff, pin: str) -> None:
    """Four to twelve digits, not counting, not all the same."""
    assert weakness(pin)
    with pytest.raises(StaffFault):
        staff.set(Role.DEALER, "Dan", pin)


@pytest.mark.parametrize("name", ["", "x" * 33, "1st", "a\nb", "<b>"])
def test_odd_names_are_refused(staff: Staff, name: str) -> None:
    """A name goes into the journal and onto paper."""
    with pytest.raises(StaffFault, match="name"):
        staff.set(Role.DEALER, name, "2468")


def test_a_damaged_staff_file_lets_nobody_in_and_says_what_to_do(staff: Staff) -> None:
    """It is a fault with words, not a way in."""
    staff.path.write_text('[{"name": "Eve"}]', encoding="utf-8")
    with pytest.raises(StaffFault, match="pitlink panel pin set"):
        staff.check("Eve", "")


def test_every_action_of_the_interface_has_its_roles() -> None:
    """An action that somebody adds is nobody's until its roles are said."""
    assert set(ACTIONS) <= set(MAY)
    assert roles_for("print money") == frozenset()
    assert roles_for("validate") == {Role.SUPERVISOR}


class Time:
    """A clock to move by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_session_ends_by_idleness_and_by_age() -> None:
    """A supervisor's mode does not stay behind when he walks away, and never lasts."""
    stay = STAYS[Role.SUPERVISOR]
    session = Session("Sue", Role.SUPERVISOR, since=0, used=0)
    assert session.left_s(stay.idle_s - 1) > 0
    assert session.left_s(stay.idle_s) <= 0
    session.used = stay.longest_s - 1
    assert session.left_s(stay.longest_s) <= 0


def test_signing_in_changes_the_cookie_and_keeps_the_dealer() -> None:
    """A cookie planted before is worth nothing; the dealer stands behind the supervisor."""
    browsers = Sessions(Time())
    planted, _ = browsers.begin(local=True)
    dealers, _ = browsers.sign_in(planted, "Dan", Role.DEALER)
    both, browser = browsers.sign_in(dealers, "Sue", Role.SUPERVISOR)
    assert browsers.find(planted) is None
    assert browsers.find(dealers) is None
    assert browsers.find(both) is browser
    assert [session.name for session in browser.sessions] == ["Dan", "Sue"]
    browsers.sign_out("Sue")
    assert [session.name for session in browser.sessions] == ["Dan"]


def test_who_is_gone_does_not_come_back_with_the_next_one() -> None:
    """A session that is over is not carried into a new visit."""
    time = Time()
    browsers = Sessions(time)
    cookie, _ = browsers.sign_in("", "Sue", Role.SUPERVISOR)
    time.now = STAYS[Role.SUPERVISOR].longest_s
    _, browser = browsers.sign_in(cookie, "Dan", Role.DEALER)
    assert [session.name for session in browser.sessions] == ["Dan"]


def test_nobody_is_signed_in_at_two_places() -> None:
    """A second sign-in ends the first."""
    browsers = Sessions(Time())
    first, _ = browsers.sign_in("", "Sue", Role.SUPERVISOR)
    browsers.sign_in("", "Sue", Role.SUPERVISOR)
    left = browsers.find(first)
    assert left is not None
    assert left.sessions == ()


def test_a_flood_of_browsers_takes_no_more_memory() -> None:
    """The visit longest unused makes room."""
    browsers = Sessions(Time())
    cookies = deque(browsers.begin(local=False)[0] for _ in range(200))
    assert browsers.find(cookies[0]) is None
    assert browsers.find(cookies[-1]) is not None


def test_a_flood_of_browsers_puts_nobody_out() -> None:
    """Strangers elsewhere neither sign anybody out nor take the visit of the table's own screen."""
    time = Time()
    browsers = Sessions(time)
    screen, _ = browsers.begin(local=True)
    signed_in = [browsers.sign_in("", f"Person {number}", Role.SUPERVISOR)[0] for number in range(70)]
    for _ in range(200):
        browsers.begin(local=False)
    assert all(map(browsers.find, [screen, *signed_in]))
    time.now = STAYS[Role.SUPERVISOR].longest_s
    for _ in range(64):
        browsers.begin(local=False)
    assert not any(map(browsers.find, signed_in))
