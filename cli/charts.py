"""Line charts as SVG: a curve, its axes, and the values worth marking."""

from collections.abc import Callable, Iterator
from html import escape
from math import floor, log10
from typing import Final

from msgspec import Struct

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
