"""The link session as a table: event × phase → phase; what one table knows of its meter, and when it is lost."""

import math
from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from drivers.mqtt.client import Outgoing
from games.round.device_events import NOT_YET
from link.messages import VERSION, Presence, encode
from link.topics import presence_topic

NETWORK_DOWN: Final = "the network to the meter is down: call a technician"
SILENT: Final = "the meter does not answer"


class LinkPhase(Enum):
    """Where a table stands with its meter."""

    OFFLINE = "offline"
    JOINING = "joining"
    JOINED = "joined"
    DOUBTED = "doubted"
    LOST = "lost"


class Connected(Struct, frozen=True):
    """There is a way to the broker; whether a meter is there, nobody knows yet."""


class Disconnected(Struct, frozen=True):
    """There is no way to the broker."""


class HelloSaid(Struct, frozen=True):
    """The table asked to join; nonce is the word for a new session, should one be needed."""

    nonce: str


class ReplyHeard(Struct, frozen=True):
    """Some meter answered, with this nonce."""

    nonce: str


class JoinAccepted(Struct, frozen=True):
    """A reply with our nonce, heard at that time, lets this table play."""

    heard_at: float


class JoinRefused(Struct, frozen=True):
    """The meter does not let this table play: nothing may be queued for it."""

    why: str


class MeterBeat(Struct, frozen=True):
    """The meter told everybody where it stands."""


class BooksFell(Struct, frozen=True):
    """A meter told everybody what cannot be: an older record than before. Another may correct it in time."""

    why: str


class MeterStopped(Struct, frozen=True):
    """The meter is gone, as it says itself, or as the broker says for it."""

    why: str


class DeadlinePassed(Struct, frozen=True):
    """Nothing was heard in time."""


LinkEvent: TypeAlias = (
    Connected
    | Disconnected
    | HelloSaid
    | ReplyHeard
    | JoinAccepted
    | JoinRefused
    | MeterBeat
    | BooksFell
    | MeterStopped
    | DeadlinePassed
)

_OFFLINE, _JOINING, _JOINED, _DOUBTED, _LOST = LinkPhase

LINK_TABLE: Final[Mapping[type[LinkEvent], Mapping[LinkPhase, LinkPhase]]] = {
    Connected: dict.fromkeys(LinkPhase, _JOINING),
    Disconnected: dict.fromkeys(LinkPhase, _OFFLINE),
    JoinAccepted: {_JOINING: _JOINED, _JOINED: _JOINED, _DOUBTED: _DOUBTED, _LOST: _JOINED},
    JoinRefused: {_JOINING: _LOST, _JOINED: _LOST, _DOUBTED: _LOST, _LOST: _LOST},
    MeterBeat: {_JOINED: _JOINED, _DOUBTED: _JOINED},
    BooksFell: {_JOINED: _DOUBTED, _DOUBTED: _DOUBTED},
    MeterStopped: {_JOINING: _LOST, _JOINED: _LOST, _DOUBTED: _LOST, _LOST: _LOST},
    DeadlinePassed: {_JOINED: _LOST, _DOUBTED: _LOST},
    HelloSaid: {phase: phase for phase in LinkPhase if phase is not _OFFLINE},
    ReplyHeard: {phase: phase for phase in LinkPhase if phase is not _OFFLINE},
}
"""What each event leads to; in a phase that is not named it changes nothing."""


class LinkSession(Struct, frozen=True):
    """What one table knows of its meter; a new value after each event.

    The link is lost loss_s after the meter's last message, even if the line to it is cut and comes back meanwhile. The
    nonce is new for each session, and the same while a Hello is repeated: a reply with another one is late, or comes
    from a meter that does not know this session.
    """

    loss_s: float
    phase: LinkPhase = LinkPhase.OFFLINE
    why: str = NOT_YET
    refused: bool = False
    lost_at: float = -math.inf  # when a silent meter is declared lost
    answer_by: float = math.inf  # deadline for the first reply on a connection
    doubt: str = ""
    doubt_ends: float = math.inf  # when a meter with other books is declared lost
    nonce: str = ""
    nonce_spent: bool = True
    hello_at: float = -math.inf
    is_stranger: bool = False  # to the meter that answered last

    @property
    def is_connected(self) -> bool:
        """Whether there is a way to the broker."""
        return self.phase is not LinkPhase.OFFLINE

    @property
    def is_joined(self) -> bool:
        """Whether a meter lets this table play."""
        return self.phase in (LinkPhase.JOINED, LinkPhase.DOUBTED)

    @property
    def needs_nonce(self) -> bool:
        """Whether the next Hello begins a new session."""
        return self.nonce_spent and not self.is_joined

    def must_greet(self, now: float, pause_s: float) -> bool:
        """Whether no meter knows this table by its nonce, and has had time to say so."""
        is_known = self.is_joined and not self.is_stranger
        return self.is_connected and not is_known and now - self.hello_at >= pause_s

    def next_deadline(self, now: float) -> float:
        """When somebody must look again even if nothing is heard."""
        return min((due for due in (self.lost_at, self.doubt_ends) if due > now), default=math.inf)

    def is_due(self, now: float) -> bool:
        """Whether nothing was heard in time."""
        return now >= min(self.lost_at, self.doubt_ends)

    def why_lost(self, now: float, *, table_is_down: bool) -> str:
        """Nothing while the meter was heard lately; then why it is not, for the person who must act.

        Only a table that is down already may wait for the first answer.
        """
        if not self.is_due(now):
            return ""
        if self.why == NOT_YET and (not table_is_down or now >= self.answer_by):
            return SILENT
        return self.why


def after(session: LinkSession, event: LinkEvent, now: float) -> LinkSession:
    """The session after this event."""
    phase = LINK_TABLE[type(event)].get(session.phase)
    return session if phase is None else _changed(replace(session, phase=phase), event, now)


def _changed(session: LinkSession, event: LinkEvent, now: float) -> LinkSession:
    match event:
        case Connected():
            fresh = replace(session, hello_at=-math.inf, nonce_spent=True)
            return replace(fresh, why=NOT_YET, answer_by=now + session.loss_s)
        case Disconnected():
            return _undoubted(replace(session, why=NETWORK_DOWN))
        case HelloSaid(nonce=nonce):
            begun = replace(session, nonce=nonce, nonce_spent=False) if session.needs_nonce else session
            return replace(begun, hello_at=now)
        case ReplyHeard(nonce=nonce):
            return replace(session, is_stranger=session.needs_nonce or nonce != session.nonce)
        case JoinAccepted(heard_at=heard_at):
            lost_at = max(session.lost_at, heard_at + session.loss_s)
            return replace(session, refused=False, nonce_spent=True, lost_at=lost_at)
        case MeterBeat():
            return _undoubted(replace(session, lost_at=now + session.loss_s))
        case BooksFell(why=why):
            return replace(session, doubt=why, doubt_ends=min(session.doubt_ends, now + session.loss_s))
        case MeterStopped(why=why):
            return _lost(session, why)
        case JoinRefused(why=why):
            return replace(_lost(session, why), refused=True)
        case DeadlinePassed():
            return replace(_lost(session, session.doubt or SILENT), refused=session.refused or bool(session.doubt))


def _lost(session: LinkSession, why: str) -> LinkSession:
    return _undoubted(replace(session, why=why, lost_at=-math.inf))


def _undoubted(session: LinkSession) -> LinkSession:
    return replace(session, doubt="", doubt_ends=math.inf)


def presence(link_name: str, table: str, *, alive: bool) -> Outgoing:
    """That this table is there, or is not, for everybody who asks the broker."""
    body = encode(Presence(VERSION, table, alive))
    return Outgoing(presence_topic(link_name, table), body, retain=True, qos=1)
