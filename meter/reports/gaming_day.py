"""Gaming day: which one a moment belongs to, and when it begins by the house's clock."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from msgspec import Struct

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = timedelta(days=1)


class Span(Struct, frozen=True):
    """From when to when a gaming day lasts, and what the time zone is called there; 23 or 25 hours where it changes."""

    begins: datetime
    ends: datetime
    zone: str


class Calendar:
    """Gaming days that begin at this time of the day, by this machine's time zone unless told another."""

    def __init__(self, starts: str, zone: tzinfo | None = None) -> None:
        self._starts, self._zone = time.fromisoformat(starts), zone
        self._last = (date.min, _EPOCH, _EPOCH)

    def day_of(self, at_ms: int) -> date:
        """The day that this moment belongs to."""
        moment = _EPOCH + timedelta(milliseconds=at_ms)
        day, begins, ends = self._last
        if begins <= moment < ends:
            return day  # nearly every record is of the day of the one before
        local = moment.astimezone(self._zone).date()
        day = next(day for day in (local + _DAY, local, local - _DAY) if self._begin(day) <= moment)
        self._last = (day, self._begin(day), self._begin(day + _DAY))
        return day

    def span(self, day: date) -> Span:
        """When this day begins and ends."""
        begins, ends = (self._begin(day).astimezone(self._zone) for day in (day, day + _DAY))
        names = dict.fromkeys(str(moment.tzname()) for moment in (begins, ends))
        return Span(begins, ends, "/".join(names))

    def _begin(self, day: date) -> datetime:
        """When the clock shows it for the first time; as much later as the clock was put forward if it never does."""
        clock = datetime.combine(day, self._starts, self._zone)
        return datetime.fromtimestamp(clock.timestamp(), UTC)  # astimezone() puts a skipped hour of this machine early
