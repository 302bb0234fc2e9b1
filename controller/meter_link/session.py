"""The link session: is the meter there, under which nonce did we join, and what did we hear last."""

import math
import secrets
from typing import Final

from drivers.mqtt.client import Outgoing
from games.round.device_events import NOT_YET
from games.round.events import LinkLost, LinkRestored
from link.messages import VERSION, Presence, Reply, encode
from link.topics import presence_topic


class SessionNonce:
    """Session nonce: new for each connection and after each loss of the meter, the same while a Hello is repeated.

    A reply with another nonce is stale, or comes from a meter that lost our session.
    """

    def __init__(self, pause_s: float) -> None:
        self.word = ""
        self.is_stranger = False  # to whoever answered last
        self._pause_s, self._said_at = pause_s, -math.inf
        self._is_spent = True

    def begin_anew(self) -> None:
        """A new connection: nothing was said on it."""
        self._said_at, self._is_spent = -math.inf, True

    def is_due(self, now: float) -> bool:
        """Whether whoever has not answered has had the time to."""
        return now - self._said_at >= self._pause_s

    def say(self, now: float, *, is_welcome: bool) -> str:
        """The word for a hello now."""
        if self._is_spent and not is_welcome:
            self.word, self._is_spent = secrets.token_hex(8), False
        self._said_at = now
        return self.word

    def is_answered_by(self, reply: Reply, *, is_welcome: bool) -> bool:
        """Whether it answers the last hello: if not, its numbers and amounts may be void.

        Nothing does from the moment that the meter is gone until the next hello is said.
        """
        is_over = self._is_spent and not is_welcome
        self.is_stranger = is_over or reply.nonce != self.word
        return not self.is_stranger

    def was_taken(self) -> None:
        """A meter has let the table in under this word: should it be gone later, the next hello has another."""
        self._is_spent = True


def presence(link_name: str, table: str, *, alive: bool) -> Outgoing:
    """That this table is there, or is not, for everybody who asks the broker."""
    body = encode(Presence(VERSION, table, alive))
    return Outgoing(presence_topic(link_name, table), body, retain=True, qos=1)


NETWORK_DOWN: Final = "the network to the meter is down: call a technician"
SILENT: Final = "the meter does not answer"


class LinkSession:
    """Link session: what one table knows of its meter. The link is lost loss_s after the meter's last message."""

    def __init__(self, loss_s: float, said: LinkLost) -> None:
        """Before anything was heard the table is down: this was said last."""
        self._loss_s = loss_s
        self.is_connected = False
        self.is_welcome = False
        self._due = -math.inf  # when a silent meter is declared lost
        self._patience = math.inf  # deadline for the reply to a Hello
        self._doubted = math.inf  # when a meter with other books is declared lost
        self._doubt = ""
        self._why = NOT_YET
        self._is_refused = said.refused
        self._said: LinkLost | None = said

    def connected(self, now: float) -> None:
        """There is a way to the meter; whether it is there, nobody knows yet."""
        self.is_connected, self._why, self._patience = True, NOT_YET, now + self._loss_s

    def disconnected(self) -> None:
        """There is no way to the meter."""
        self.is_connected, self.is_welcome, self._why = False, False, NETWORK_DOWN

    def beat(self, now: float) -> None:
        """The meter said to everybody where it stands: to a table that it does not answer that says nothing."""
        self._doubted, self._doubt = math.inf, ""
        if self.is_welcome:
            self._due = now + self._loss_s

    def doubted(self, now: float, why: str) -> None:
        """A meter said what cannot be: another one may correct it within loss_s."""
        self._doubted, self._doubt = min(self._doubted, now + self._loss_s), why

    def welcomed(self, heard_at: float) -> None:
        """The meter answered then, and lets this table play; an answer from before the line was cut is none."""
        if self.is_connected:
            self.is_welcome, self._is_refused = True, False
            self._due = max(self._due, heard_at + self._loss_s)

    def left_alone(self, why: str) -> None:
        """The meter is gone, as it says itself: a loss at once."""
        self.is_welcome, self._why, self._due = False, why, -math.inf

    def refused(self, why: str) -> None:
        """The meter refuses this table: the link is lost immediately, and queueing is not allowed in this state."""
        self.left_alone(why)
        self._is_refused = True

    def next_look(self, now: float) -> float:
        """When somebody must look again even if nothing is heard: not a moment later."""
        return min((due for due in (self._due, self._doubted) if due > now), default=math.inf)

    def news(self, now: float, *, may_open: bool, stuck: str) -> LinkLost | LinkRestored | None:
        """What has changed since it was said last, once, however long the table takes to write it down.

        stuck is why the meter, although it is there, is of no use, or nothing. Even one that is of use opens no table
        that must not open yet.
        """
        reason = self._why_lost(now) or stuck
        if not reason and self.is_welcome and self._said and may_open:
            self._said = None
            return LinkRestored()
        lost = LinkLost(reason, refused=self._is_refused)
        if reason in ("", NOT_YET) or lost == self._said:
            return None
        self._said = lost
        return lost

    def _why_lost(self, now: float) -> str:
        """Nothing while the meter was heard lately; then why it is not, for the person who must act."""
        if now < min(self._due, self._doubted):
            return ""
        if self.is_welcome:  # whoever comes back from a silence says so to this table: a state may have been on its way
            self._fell_silent()
        if self._why == NOT_YET and (not self._said or now >= self._patience):
            return SILENT  # only a table that is down already may wait for the first answer
        return self._why

    def _fell_silent(self) -> None:
        if self._doubt:
            self.refused(self._doubt)
        else:
            self.left_alone(SILENT)
        self._doubted, self._doubt = math.inf, ""
