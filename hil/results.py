"""Runs of cuts and the last latencies, written into docs/measurements.md by the commands themselves."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from hil.image import PROJECT
from hil.latency import Answer
from hil.power_cut_run import Cut

_PAGE: Final = PROJECT / "docs/measurements.md"
_CUTS: Final = "<!-- runs: written by ./hil/bench cuts -->"
_LATENCY: Final = "<!-- latency: written by ./hil/bench --arch {machine} latency -->"
_END: Final = "<!-- end -->"
_COLUMNS: Final = (
    *("began", "version", "machine", "seed", "cuts", "during", "the table was", "unflushed writes lost"),
    *("full boots", "took", "broken"),
)
_HEAD: Final = (f"| {' | '.join(_COLUMNS)} |", "|---" * len(_COLUMNS) + "|")


class CutRun(Struct, frozen=True):
    """What a run of cuts has shown."""

    began: datetime
    version: str
    machine: str
    seed: int
    cuts: tuple[Cut, ...]
    took_s: int


def write(record: CutRun) -> None:
    """Adds this run to the runs on the page, or brings it up to date there."""
    key = _stamp(record.began)
    kept = [line for line in _block(_CUTS).splitlines() if line.startswith(("| 2", "- 2")) and key not in line]
    rows = [line for line in kept if line.startswith("|")] + [_run(record, key)]
    broken = [line for line in kept if line.startswith("-")] + [*_broken(record, key)]
    _replace(_CUTS, "\n".join((*_HEAD, *rows, *(["", *broken] if broken else []))) + "\n")


def write_latency(version: str, machine: str, bare: Answer, *others: Answer) -> None:
    """Replaces the block of a machine's last latencies: each beside its ratio to the bare callback."""
    head = f"{machine}, {_stamp(datetime.now(UTC))}, version {version}:\n\n"
    head += "| | tries | median ms | nine of ten below ms | median to bare |\n|---|---|---|---|---|\n"
    _replace(_LATENCY.format(machine=machine), head + "".join(_row(answer, bare) for answer in (bare, *others)))


def _block(begin: str) -> str:
    return _PAGE.read_text(encoding="utf-8").partition(begin)[2].partition(_END)[0]


def _replace(begin: str, words: str) -> None:
    before, _, rest = _PAGE.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(_END)
    _PAGE.write_text(f"{before}{begin}\n{words}{_END}{after}", encoding="utf-8")


def _row(answer: Answer, bare: Answer) -> str:
    ratio = answer.median_ms / bare.median_ms
    return f"| {answer.way} | {len(answer.took_ms)} | {answer.median_ms:.1f} | {answer.late_ms:.1f} | {ratio:.1f} |\n"


def _stamp(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _run(record: CutRun, key: str) -> str:
    cuts = record.cuts
    lost = f"{sum(cut.lost for cut in cuts)} of {sum(cut.cached for cut in cuts)}"
    cells = (
        *(key, record.version, record.machine, record.seed, len(cuts), _counted(cut.during for cut in cuts)),
        *(_counted(cut.phase or "not up" for cut in cuts), lost, sum(cut.is_booted for cut in cuts)),
        *(f"{record.took_s // 60} min", sum(bool(cut.broken) for cut in cuts)),
    )
    return f"| {' | '.join(map(str, cells))} |"


def _broken(record: CutRun, key: str) -> Iterator[str]:
    for cut in record.cuts:
        if cut.broken:
            yield f"- {key}, cut {cut.number} ({cut.during}, {cut.after_s} s): {cut.broken}"


def _counted(found: Iterable[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in Counter(found).most_common())
