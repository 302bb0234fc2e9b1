"""The word under which a table asks to join: an answer with another one is of before, or of a meter that forgot it."""

import math
import secrets

from drivers.mqtt.client import Outgoing
from link.messages import (
    VERSION,
    Presence,
    Reply,
    encode,
    presence_topic,
)


class Greeting:
    """A new word for each connection and whenever the meter was gone; the same while a hello waits for its answer."""

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
        self.is_stranger = is_over or reply.greeting != self.word
        return not self.is_stranger

    def was_taken(self) -> None:
        """A meter has let the table in under this word: should it be gone later, the next hello has another."""
        self._is_spent = True


def presence(link_name: str, table: str, *, alive: bool) -> Outgoing:
    """That this table is there, or is not, for everybody who asks the broker."""
    body = encode(Presence(VERSION, table, alive))
    return Outgoing(presence_topic(link_name, table), body, retain=True, qos=1)
