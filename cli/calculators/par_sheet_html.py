"""The par sheet of a wager as one HTML page with charts."""

from collections.abc import Callable, Iterator
from html import escape
from math import floor, log10
from typing import Final

from msgspec import Struct

from cli.calculators.par_sheet import COLUMNS, OddsReport, facts, notes, rows, title
from games.money import Cents, dollars
from games.odds.long_run import growth

WIDTH: Final = 720
HEIGHT: Final = 340
LEFT, RIGHT, TOP, BOTTOM = 88, 24, 28, 56
TICKS: Final = 5


class Axis(Struct, frozen=True):
    """One direction of a chart: what it shows, how far it reaches, and how its numbers are written."""

    label: str
    end: int
    words: Callable[[int], str]


class Guide(Struct, frozen=True):
    """A value worth a line across the chart."""

    label: str
    value: int
    across: bool


class Chart(Struct, frozen=True):
    """A curve from the left edge, over axes that begin at zero."""

    name: str
    x: Axis
    y: Axis
    points: tuple[tuple[int, int], ...]
    guides: tuple[Guide, ...] = ()


def svg(chart: Chart) -> str:
    """The chart as an element to stand in a page."""
    parts = [*_ticks(chart), *_guides(chart), _curve(chart), *_labels(chart)]
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(chart.name)}">'
        f"<title>{escape(chart.name)}</title>{''.join(parts)}</svg>"
    )


def _curve(chart: Chart) -> str:
    points = " ".join(f"{_across(chart, x):.1f},{_up(chart, y):.1f}" for x, y in chart.points)
    return f'<polyline class="curve" points="{points}"/>'


def _ticks(chart: Chart) -> Iterator[str]:
    floor_y, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    for value in _steps(chart.x.end):
        x = _across(chart, value)
        yield f'<line class="grid" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{floor_y}"/>'
        yield f'<text x="{x:.1f}" y="{floor_y + 18}" text-anchor="middle">{escape(chart.x.words(value))}</text>'
    for value in _steps(chart.y.end):
        y = _up(chart, value)
        yield f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(chart.y.words(value))}</text>'


def _guides(chart: Chart) -> Iterator[str]:
    for place, guide in enumerate(chart.guides):
        if guide.across and guide.value <= chart.y.end:
            y = _up(chart, guide.value)
            yield f'<line class="guide" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>'
            yield f'<text class="mark" x="{LEFT + 6}" y="{y - 5:.1f}">{escape(guide.label)}</text>'
        elif not guide.across and guide.value <= chart.x.end:
            x = _across(chart, guide.value)
            # One line of text higher for each guide, so that neighbours do not write over each other.
            text_y = HEIGHT - BOTTOM - 8 - 16 * place
            yield f'<line class="guide" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}"/>'
            yield f'<text class="mark" x="{x - 6:.1f}" y="{text_y}" text-anchor="end">{escape(guide.label)}</text>'


def _labels(chart: Chart) -> Iterator[str]:
    middle = (LEFT + WIDTH - RIGHT) // 2
    yield f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">{escape(chart.x.label)}</text>'
    yield f'<text x="{LEFT}" y="{TOP - 12}" text-anchor="middle">{escape(chart.y.label)}</text>'


def _across(chart: Chart, value: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * value / chart.x.end


def _up(chart: Chart, value: int) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / chart.y.end


def _steps(end: int) -> range:
    """Round numbers from zero to the end, about as many as there is room for."""
    rough = max(end // TICKS, 1)
    unit = 10 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    return range(0, end + 1, step)


_WHOLE: Final = 10_000
_POINTS: Final = 120
# The growth chart reaches over so many average times between two awards of the whole meter.
_HORIZON: Final = 3
_NARROWEST_CENTS: Final = 1_000_00

_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --quiet: #556; --grid: #dde }
:root { --curve: #085; --mark: #b40 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --paper: #15181c; --quiet: #99a; --grid: #2c3138; --curve: #3c9; --mark: #f96 }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.3rem } h2 { font-size: 1.05rem; margin-top: 2rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--grid); white-space: nowrap }
th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left }
tr:last-child td { font-weight: 600 }
dl { display: grid; grid-template-columns: auto 1fr; gap: .2rem 1.5rem } dt { color: var(--quiet) } dd { margin: 0 }
svg { width: 100%; height: auto } svg text { font: 12px system-ui, sans-serif; fill: var(--quiet) }
svg .grid { stroke: var(--grid) } svg .curve { fill: none; stroke: var(--curve); stroke-width: 2.5 }
svg .guide { stroke: var(--mark); stroke-dasharray: 5 4 } svg .mark { fill: var(--mark) }
svg .mark { paint-order: stroke; stroke: var(--paper); stroke-width: 4px }
"""


def page(report: OddsReport) -> str:
    """The whole page."""
    name = escape(title(report))
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        f"<title>{name}</title><style>{_STYLE}</style></head>",
        f"<body><h1>{name}</h1>",
        _table(report),
        _facts(report),
        *_charts(report),
        "</body></html>\n",
    ]
    return "\n".join(parts)


def _table(report: OddsReport) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in COLUMNS)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows(report))
    return f'<div class="wide"><table>\n<tr>{head}</tr>\n{body}\n</table></div>'


def _facts(report: OddsReport) -> str:
    pairs = "\n".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts(report))
    said = "\n".join(f"<p>{escape(note)}</p>" for note in notes(report))
    return f"<dl>\n{pairs}\n</dl>\n{said}"


def _charts(report: OddsReport) -> Iterator[str]:
    if not report.sheet.returns.meter_coefficient:
        return
    yield f"<h2>Return against meter</h2>\n{svg(return_chart(report))}"
    if report.long_run and report.whole_meter:
        yield f"<h2>Growth of the meter until the whole of it is won</h2>\n{svg(growth_chart(report))}"


def return_chart(report: OddsReport) -> Chart:
    """What comes back of a wager, in hundredths of a percent, while the meter grows past the break-even point."""
    marks = {"break-even": report.sheet.break_even_cents, "average": _average(report), "now": report.meter_cents}
    end = max(_NARROWEST_CENTS, *(at for at in marks.values() if at)) * 5 // 4
    curve = tuple((meter, _return_bp(report, meter)) for meter in range(0, end + 1, max(end // _POINTS, 1)))
    return Chart(
        "Return against meter",
        Axis("meter", end, _whole_dollars),
        Axis("return", max(curve[-1][1], _WHOLE) * 11 // 10, lambda bp: f"{bp // 100} %"),
        curve,
        (
            Guide("all of the stake", _WHOLE, across=True),
            *(Guide(f"{name} {_whole_dollars(at)}", at, across=False) for name, at in marks.items() if at),
        ),
    )


def growth_chart(report: OddsReport) -> Chart:
    """The meter to be expected, wager by wager, for as long as nobody has won the whole of it."""
    once_in = report.sheet.total // report.whole_meter
    end = once_in * _HORIZON
    curve = tuple(
        (wagers, growth(report.ample, report.funding, wagers)) for wagers in range(0, end + 1, max(end // _POINTS, 1))
    )
    marks = {"average": _average(report), "break-even": report.sheet.break_even_cents}
    return Chart(
        "Growth of the meter",
        Axis("wagers since the last reset", end, lambda wagers: f"{wagers:,}"),
        Axis("meter", max(meter for _, meter in curve) * 11 // 10 or 1, _whole_dollars),
        curve,
        (
            Guide(f"whole meter won once in {once_in:,}", once_in, across=False),
            *(Guide(f"{name} {_whole_dollars(at)}", at, across=True) for name, at in marks.items() if at),
        ),
    )


def _return_bp(report: OddsReport, meter_cents: Cents) -> int:
    """The return at any meter; the few hands that a low meter pays by another row do not show at this size."""
    return round(report.ample.returns.at(meter_cents, report.ample.terms.stake_cents) * _WHOLE)


def _average(report: OddsReport) -> Cents:
    return round(report.long_run.average_meter_cents) if report.long_run else 0


def _whole_dollars(cents: Cents) -> str:
    return dollars(round(cents / 100) * 100)
