"""Which records of a link an export shows: the others are worked out all the same, and it says that they are."""

from collections.abc import Iterable, Iterator

from meter.store.replay import Told


class Shown:
    """The records from first to last of one link's history; without a last one all that follow."""

    def __init__(self, link: str, history: Iterable[Told], first: int, last: int | None) -> None:
        self._link, self._history, self._first, self._last = link, history, first, last
        self._after = b""
        self._records = 0

    def entries(self) -> Iterator[Told]:
        """Those in the range; the history is read to its end, for what is not shown must be sound, too."""
        for entry in self._history:
            self._records = entry.record.number
            if self._records == self._first:
                self._after = entry.before.seal
            if self._first <= self._records and (self._last is None or self._records <= self._last):
                yield entry

    @property
    def is_there(self) -> bool:
        """Whether the link has any record of the range, once all of it was read."""
        return self._first <= self._records

    @property
    def left_out(self) -> str:
        """What was not shown, once all of it was read, and after which seal the first one stands; or nothing."""
        if not self.is_there:
            return f"link {self._link} has no record {self._first}; it has {self._records}"
        last = min(self._last or self._records, self._records)
        if (self._first, last) == (1, self._records):
            return ""
        where = f"link {self._link}: records {self._first} to {last} of {self._records}"
        seal = f"record {self._first} is sealed after {self._after.hex()}"
        return f"{where}; those before and after are proved and not shown; {seal}"
