"""Greetings: the word of each table's last hello, by which it knows our answer from one of before."""

from collections.abc import Callable, Iterable

from msgspec import UNSET, UnsetType

from link.messages import Hello
from meter.booking.draft import Sender


class Greetings:
    """Kept of members; of anybody else only until he is answered: anybody may say hello, under ever new names."""

    def __init__(self, is_member: Callable[[Sender], bool]) -> None:
        self._is_member = is_member
        self._words: dict[Sender, str] = {}

    def __len__(self) -> int:
        return len(self._words)

    def note(self, hello: Hello) -> None:
        """A table has said hello, with a greeting or without."""
        self._words[hello.table, hello.journal] = hello.greeting

    def of(self, sender: Sender) -> str | UnsetType:
        """The greeting that the answer to this table has, if any."""
        return self._words.get(sender) or UNSET

    def answered(self, senders: Iterable[Sender]) -> None:
        """These were answered."""
        for sender in senders:
            if not self._is_member(sender):
                self._words.pop(sender, None)

    def swapped(self) -> None:
        """Somebody may be no member any more."""
        self.answered(tuple(self._words))
