"""A simulated ccTalk coin acceptor: event buffer, inhibits, a gate that shuts itself when nobody asks."""

from collections import deque
from typing import Final, TypeAlias

from drivers.cctalk.commands import Header, next_event
from drivers.cctalk.credits import BUFFERED, COIN_ACCEPTOR, AcceptorHeader
from drivers.cctalk.frame import CcTalkMessage

Answer: TypeAlias = tuple[Header, bytes]
UNASKED_S: Final = 1.0
_ACK: Final[Answer] = (Header.REPLY, b"")
_INHIBITED: Final = 2


class AcceptorBoard:
    """What it does with coins and commands; used under the bench's lock."""

    def __init__(self, category: str = COIN_ACCEPTOR) -> None:
        self.category = category
        self.is_silent = False  # no power, or no cable
        self.commands: deque[tuple[int, bytes]] = deque(maxlen=256)
        self.taken: list[int] = []  # coins that went in, whatever was told of them
        self._counter, self._mask, self._is_willing = 0, 0, True
        self._events: deque[tuple[int, int]] = deque(maxlen=BUFFERED)
        self._asked_at: float | None = None

    def insert(self, coin: int, now: float) -> bool:
        """A coin is pushed in: taken and put into the buffer, or given back."""
        if not self.is_open(now) or not self._mask >> (coin - 1) & 1:
            self.note(0, _INHIBITED)
            return False
        self.taken.append(coin)
        self.note(coin, 0)
        return True

    def is_open(self, now: float) -> bool:
        """Whether any coin would be let in at this moment."""
        is_asked = self._asked_at is not None and now - self._asked_at <= UNASKED_S
        return is_asked and self._is_willing and not self.is_silent and self._mask != 0

    def note(self, coin: int, code: int) -> None:
        """Puts an event into the buffer, as any coin or error does."""
        self._counter = next_event(self._counter)
        self._events.appendleft((coin, code))

    def restart(self) -> None:
        """The power failed for a moment: the buffer is empty, coins are inhibited one by one, but not all together."""
        self._counter, self._mask, self._is_willing = 0, 0, True
        self._events.clear()
        self._asked_at = None

    def answer(self, message: CcTalkMessage, now: float) -> Answer | None:
        """What it says to a command, after doing it; nothing to one that it does not know."""
        if self.is_silent:
            return None
        self.commands.append((message.header, message.data))
        match message.header:
            case AcceptorHeader.READ_BUFFERED_CREDIT_OR_ERROR_CODES:
                self._asked_at = now
                pairs = [*self._events, *[(0, 0)] * BUFFERED][:BUFFERED]
                return Header.REPLY, bytes((self._counter, *(byte for pair in pairs for byte in pair)))
            case AcceptorHeader.MODIFY_MASTER_INHIBIT_STATUS:
                self._is_willing = bool(message.data[0] & 1)
                return _ACK
            case AcceptorHeader.MODIFY_INHIBIT_STATUS:
                self._mask = int.from_bytes(message.data, "little")
                return _ACK
            case Header.REQUEST_EQUIPMENT_CATEGORY_ID:
                return Header.REPLY, self.category.encode("ascii")
            case Header.SIMPLE_POLL | Header.ADDRESS_CLASH | Header.ADDRESS_POLL:
                return _ACK
            case _:
                return None
