"""The last long run, written into docs/hil.md by the command itself."""

from collections import Counter
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from hil.image import PROJECT
from hil.night import Cut

_PAGE: Final = PROJECT / "docs/hil.md"
_BEGIN, _END = "<!-- last run: written by ./hil/bench cuts -->", "<!-- end -->"


class Record(Struct, frozen=True):
    """What a run of cuts has shown."""

    version: str
    seed: int
    cuts: tuple[Cut, ...]
    took_s: int


def write(record: Record) -> None:
    """Replaces the block of the last run."""
    before, _, rest = _PAGE.read_text(encoding="utf-8").partition(_BEGIN)
    _, _, after = rest.partition(_END)
    _PAGE.write_text(f"{before}{_BEGIN}\n{_words(record)}{_END}{after}", encoding="utf-8")


def _words(record: Record) -> str:
    during = Counter(cut.during for cut in record.cuts)
    phases = Counter(cut.phase or "not up" for cut in record.cuts)
    broken = [f"cut {cut.number} ({cut.during}, {cut.after_s} s): {cut.broken}" for cut in record.cuts if cut.broken]
    rows = {
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "version": record.version,
        "seed": str(record.seed),
        "cuts": f"{len(record.cuts)} ({_counted(during)})",
        "the table was": _counted(phases),
        "unflushed writes lost": f"{sum(cut.lost for cut in record.cuts)} of {sum(cut.cached for cut in record.cuts)}",
        "full boots, the rest woken": str(sum(cut.is_booted for cut in record.cuts)),
        "took": f"{record.took_s // 60} minutes",
        "laws broken": str(len(broken)),
    }
    table = "".join(f"| {name} | {value} |\n" for name, value in rows.items())
    return f"| | |\n|---|---|\n{table}" + "".join(f"- {line}\n" for line in broken)


def _counted(found: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in found.most_common())
