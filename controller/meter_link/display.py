"""What a table shows of the meter and of its link: the newest state, never an older one (R4, R82)."""

from msgspec import Struct
from msgspec.structs import replace

from games.money import Cents
from link.messages import State


class LinkView(Struct, frozen=True):
    """What people may see of the link."""

    name: str
    up: bool
    reason: str
    amount_cents: Cents
    notice: str
    waiting: int
    detail: str  # what the network said, for technicians


class MeterDisplay:
    """Follows one meter's books by the numbers of their records."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.went_back = False  # the books; what is shown is not where they stand
        self._number = 0

    def is_behind(self, state: State) -> bool:
        """Whether these are not the books that were told before: a meter that was passed over, or restored ones."""
        return state.number < self._number and not _is_will(state)

    def show(self, state: State) -> bool:
        """Shows it, unless it is behind; whether it is news: what was heard word for word before is an echo."""
        if self.is_behind(state) or state == self.state:
            return False
        self.went_back = self.went_back and _is_will(state)
        self._number = max(self._number, state.number)
        self.state = _known_after(self.state, state)
        return True

    def keep(self, state: State) -> None:
        """Shows what the broker had in store, until somebody has said something: it may be of a meter of before."""
        if not self._number:
            self.state = _known_after(self.state, state)

    def was_played_for(self) -> None:
        """Players have wagered for what is shown, whoever said it: nothing lower is shown to them."""
        self._number = max(self._number, self.state.number if self.state else 0)

    def begin_again(self) -> None:
        """A meter has taken this table into the books that went back: from now on it is those that are followed."""
        self._number = 0


def _known_after(before: State | None, said: State) -> State:
    """What is known of a meter that says this: a will without figures leaves those that were said last (R82)."""
    if before is None or not _is_will(said):
        return said
    return replace(before, alive=False, health=said.health, notice=said.notice, notices=said.notices)


def _is_will(state: State) -> bool:
    return not state.alive and not state.number
