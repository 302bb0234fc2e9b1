"""The link session as a pure table: what holds after any sequence of events."""

import math

from hypothesis import given
from hypothesis import strategies as st

from controller.meter_link.session import (
    LINK_TABLE,
    NETWORK_DOWN,
    SILENT,
    BooksFell,
    Connected,
    DeadlinePassed,
    Disconnected,
    HelloSaid,
    JoinAccepted,
    JoinRefused,
    LinkEvent,
    LinkPhase,
    LinkSession,
    MeterBeat,
    MeterStopped,
    ReplyHeard,
    after,
)

LOSS_S = 5.0
EVENTS: tuple[LinkEvent, ...] = (
    Connected(),
    Disconnected(),
    HelloSaid("new"),
    ReplyHeard("new"),
    ReplyHeard("other"),
    JoinAccepted(0.0),
    JoinRefused("not on this link"),
    MeterBeat(),
    BooksFell("the books went back"),
    MeterStopped("shut down"),
    DeadlinePassed(),
)
script = st.lists(st.tuples(st.sampled_from(EVENTS), st.floats(0, 3)), max_size=30)


def played(steps: list[tuple[LinkEvent, float]]) -> tuple[LinkSession, float]:
    """The session after these events, each so many seconds after the one before, and the time then."""
    session, now = LinkSession(LOSS_S), 0.0
    for event, pause_s in steps:
        now += pause_s
        heard = JoinAccepted(now) if isinstance(event, JoinAccepted) else event
        session = after(session, heard, now)
    return session, now


@given(script)
def test_a_silent_meter_is_always_lost_in_time(steps: list[tuple[LinkEvent, float]]) -> None:
    """However it came about, loss_s later the table has a reason, and no deadline lies further away."""
    session, now = played(steps)
    assert session.next_deadline(now) == math.inf or session.next_deadline(now) <= now + LOSS_S
    later = after(session, DeadlinePassed(), now + LOSS_S) if session.is_due(now + LOSS_S) else session
    assert later.why_lost(now + LOSS_S, table_is_down=False)


@given(script)
def test_only_a_reply_opens_and_only_a_connection_keeps_open(steps: list[tuple[LinkEvent, float]]) -> None:
    """No beat, no doubt and no time lets a table in that no meter has answered."""
    session, now = played(steps)
    for event in EVENTS:
        if not isinstance(event, JoinAccepted) and not session.is_joined:
            assert not after(session, event, now).is_joined
    assert not after(session, Disconnected(), now).is_joined
    assert not after(after(session, Disconnected(), now), JoinAccepted(now), now).is_joined


@given(script)
def test_a_refusal_lasts_until_a_meter_takes_it_back(steps: list[tuple[LinkEvent, float]]) -> None:
    """Neither a cut line nor silence lifts it: nothing may be queued for a meter that refuses."""
    session, now = played([*steps, (Connected(), 0.0), (JoinRefused("no"), 0.0)])
    for event in EVENTS:
        if not isinstance(event, JoinAccepted):
            assert after(session, event, now).refused
    assert not after(session, JoinAccepted(now), now).refused


@given(script)
def test_a_reply_counts_only_with_the_nonce_of_the_last_hello(steps: list[tuple[LinkEvent, float]]) -> None:
    session, now = played([*steps, (Connected(), 0.0)])
    assert after(session, ReplyHeard(session.nonce), now).is_stranger  # nothing was said on this connection
    greeted = after(session, HelloSaid("mine"), now)
    assert greeted.nonce == "mine"
    assert not after(greeted, ReplyHeard("mine"), now).is_stranger
    assert after(greeted, ReplyHeard("late"), now).is_stranger


def test_a_short_cut_of_the_line_is_no_loss() -> None:
    """Only when loss_s have passed since the meter's last message; then the reason is the line."""
    session, _ = played([(Connected(), 0.0), (JoinAccepted(0), 0.0), (MeterBeat(), 1.0), (Disconnected(), 1.0)])
    assert not session.why_lost(5.9, table_is_down=False)
    assert session.why_lost(6.0, table_is_down=False) == NETWORK_DOWN
    back = after(session, Connected(), 3.0)
    assert not back.why_lost(5.9, table_is_down=False)
    assert back.why_lost(6.0, table_is_down=False) == SILENT


def test_doubt_ends_with_the_right_books_or_with_the_link() -> None:
    session, _ = played([(Connected(), 0.0), (JoinAccepted(0), 0.0), (BooksFell("went back"), 1.0)])
    assert session.phase is LinkPhase.DOUBTED
    assert after(session, MeterBeat(), 2.0).phase is LinkPhase.JOINED
    lost = after(session, DeadlinePassed(), 6.0)
    assert (lost.phase, lost.why, lost.refused) == (LinkPhase.LOST, "went back", True)


def test_every_event_has_a_row() -> None:
    assert set(LINK_TABLE) == {type(event) for event in EVENTS}
