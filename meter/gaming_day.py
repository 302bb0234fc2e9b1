"""The gaming day: which one a moment belongs to."""

from datetime import UTC, date, datetime, timedelta, tzinfo


class Calendar:
    """Gaming days that begin at this time of the day, by this machine's time zone unless told another."""

    def __init__(self, starts: str, zone: tzinfo | None = None) -> None:
        hours, minutes = map(int, starts.split(":"))
        self._begin, self._zone = timedelta(hours=hours, minutes=minutes), zone

    def day_of(self, at_ms: int) -> date:
        """The day that this moment belongs to."""
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at_ms)
        return (moment.astimezone(self._zone).replace(tzinfo=None) - self._begin).date()
