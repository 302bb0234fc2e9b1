"""Who may use the panel: PINs, waiting after wrong ones, sessions."""

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common.auth.roles import Role
from common.auth.sessions import STAYS, Session, Sessions
from common.files import write_privately
from controller.web.api import ACTIONS
from controller.web.permissions import MAY, roles_for


def test_two_who_write_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    """The daemon and a command at its side: neither finds the other's draft in its way."""
    path, contents = tmp_path / "attempts.json", [bytes([65 + number]) * 100_000 for number in range(8)]
    with ThreadPoolExecutor(8) as writers:
        list(writers.map(lambda content: write_privately(path, content), contents * 5))
    assert path.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [path]


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
