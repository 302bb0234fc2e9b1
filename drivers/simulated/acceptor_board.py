"""A simulated ccTalk coin acceptor: event buffer, inhibits, a gate that shuts itself when nobody asks."""

from collections import deque
from typing import Final, TypeAlias

from drivers.cctalk.commands import Header, next_event
from drivers.cctalk.credits import BUFFERED, COIN_ACCEPTOR, AcceptorHeader
from drivers.cctalk.frame import CcTalkMessage

Answer: TypeAlias = tuple[Header, bytes]
UNASKED_S: Final = 1.0
_ACK: Final[Answer] = (Header.REPLY, b"")
_NAK: Final[Answer] = (Header.NAK, b"")
_INHIBITED: Final = 2
_SERIAL: Final = (54_321).to_bytes(3, "little")
_SIZES: Final[dict[int, range]] = {
    AcceptorHeader.MODIFY_MASTER_INHIBIT_STATUS: range(1, 2),
    AcceptorHeader.MODIFY_INHIBIT_STATUS: range(2, 256),
    AcceptorHeader.REQUEST_COIN_ID: range(1, 2),
}


class AcceptorBoard:
    """What it does with coins and commands; used under the bench's lock."""

    def __init__(self, category: str = COIN_ACCEPTOR) -> None:
        self.category = category
        self.is_silent = False  # no power, or no cable
        self.has_master = True  # it knows the master inhibit
        self.self_check: int | None = 0  # what its self-check finds; None: it does not know how
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

    def restart(self, *, by_power: bool = True, now: float = 0.0, is_written: bool = True) -> None:  # noqa: ARG002  a device
        """The power failed for a moment: the buffer is empty, coins are inhibited one by one, but not all together."""
        self._counter, self._mask, self._is_willing = 0, 0, True
        self._events.clear()
        self._asked_at = None

    def answer(self, message: CcTalkMessage, now: float) -> Answer | None:
        """What it says to a command, after doing it; nothing to one that it does not know."""
        if self.is_silent:
            return None
        self.commands.append((message.header, message.data))
        if len(message.data) not in _SIZES.get(message.header, range(256)):
            return _NAK
        match message.header:
            case Header.RESET_DEVICE:
                self.restart()
                return _ACK
            case AcceptorHeader.READ_BUFFERED_CREDIT_OR_ERROR_CODES:
                self._asked_at = now
                pairs = [*self._events, *[(0, 0)] * BUFFERED][:BUFFERED]
                return Header.REPLY, bytes((self._counter, *(byte for pair in pairs for byte in pair)))
            case AcceptorHeader.MODIFY_MASTER_INHIBIT_STATUS if self.has_master:
                self._is_willing = bool(message.data[0] & 1)
                return _ACK
            case AcceptorHeader.MODIFY_INHIBIT_STATUS:
                self._mask = int.from_bytes(message.data[:2], "little")
                return _ACK
            case AcceptorHeader.REQUEST_COIN_ID:
                return Header.REPLY, b"TK100A" if message.data[0] == 1 else b"......"
            case _:
                return self._tell(message.header)

    def _tell(self, header: int) -> Answer | None:
        told: dict[int, bytes | None] = {
            Header.SIMPLE_POLL: b"",
            Header.REQUEST_COMMS_REVISION: bytes((1, 4, 7)),
            Header.REQUEST_ENCRYPTION_SUPPORT: bytes(17),
            Header.REQUEST_ADDRESS_MODE: bytes((1 << 5,)),
            Header.REQUEST_BUILD_CODE: b"bench",
            Header.REQUEST_DATA_STORAGE_AVAILABILITY: bytes(5),
            Header.REQUEST_SOFTWARE_REVISION: b"1.0",
            Header.REQUEST_SERIAL_NUMBER: _SERIAL,
            Header.REQUEST_PRODUCT_CODE: b"Bench acceptor",
            Header.REQUEST_EQUIPMENT_CATEGORY_ID: self.category.encode("ascii"),
            Header.REQUEST_MANUFACTURER_ID: b"Pitlink",
            AcceptorHeader.REQUEST_MASTER_INHIBIT_STATUS: bytes((self._is_willing,)) if self.has_master else None,
            AcceptorHeader.REQUEST_INHIBIT_STATUS: self._mask.to_bytes(2, "little"),
            AcceptorHeader.PERFORM_SELF_CHECK: None if self.self_check is None else bytes((self.self_check,)),
            AcceptorHeader.REQUEST_POLLING_PRIORITY: bytes((2, 20)),  # in tens of milliseconds
        }
        data = told.get(header)
        return None if data is None else (Header.REPLY, data)
