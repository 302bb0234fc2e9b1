"""A table's wiring as a drawing, the header above its circuits: SVG from the settings, without a library."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from controller.settings.circuits import Circuit, Supply, circuits, line_words, supplies
from controller.settings.table import TableSettings
from controller.settings.wiring_plan import NO_RESISTOR, WiredLine, wired_lines
from drivers.gpio.header import CONTACTS, USABLE

_WIDTH: Final = 960
_MIDDLE: Final = _WIDTH // 2
_TOP: Final = 84
_ROW: Final = 30
_HEADER_HEIGHT: Final = _TOP + 20 * _ROW + 92
_MARGIN: Final = 24
_BOX, _GAP, _BOX_HEIGHT = 138, 16, 58
_BOX_LETTERS: Final = 21  # so many fit side by side
_CIRCUIT: Final = 150
_SUPPLY_ROW: Final = 26
_LETTERS: Final = 'font-family="DejaVu Sans, Arial, sans-serif" font-size="13"'
_COLOURS: Final = {
    "gate": "#c2410c",
    "motor": "#c2410c",
    "hit": "#c2410c",
    "light": "#a16207",
    "lamp": "#a16207",
    "emitters": "#a16207",
    "beams": "#1d4ed8",
    "beam": "#1d4ed8",
    "sensor": "#1d4ed8",
    "button": "#15803d",
    "key": "#15803d",
    "door": "#15803d",
    "clock_battery": "#15803d",
    "interrupt": "#6d28d9",
    "i2c": "#6d28d9",
}
_SUPPLY: Final = {"3V3": "#7f1d1d", "5V": "#7f1d1d", "GND": "#111827"}
_LEGEND: Final = (
    ("#c2410c", "gate or motor: pulled down, so that it is shut without a program"),
    ("#a16207", "light or emitters"),
    ("#1d4ed8", "beam or sensor"),
    ("#15803d", "button, key or contact of the cabinet"),
    ("#6d28d9", "expander"),
)


def drawing(settings: TableSettings) -> str:
    """An SVG picture; the header from above, contact 1 at the upper left, as the board lies before a technician."""
    lines = {line.contact: line for line in wired_lines(settings) if line.contact}
    plans, budget = circuits(settings), supplies(settings)
    title = f"Table {settings.table}: wiring"
    circuits_end = _HEADER_HEIGHT + 40 + len(plans) * _CIRCUIT
    height = circuits_end + 60 + len(budget) * _SUPPLY_ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" {_LETTERS}',
        f"aria-label={quoteattr(title)}>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(_MIDDLE, 34, title, size=20, anchor="middle", weight="bold"),
        _text(_MIDDLE, 58, f"{len(lines)} of {len(USABLE)} lines in use; ▸ out, ◂ in", anchor="middle", fill="#4b5563"),
        f'<rect x="{_MIDDLE - 42}" y="{_TOP - 18}" width="84" height="{20 * _ROW + 6}" rx="8" fill="#e5e7eb"/>',
        *(part for place, word in enumerate(CONTACTS, start=1) for part in _contact(place, word, lines.get(place))),
        *_legend(_LEGEND),
        _text(_MARGIN, _HEADER_HEIGHT + 24, "Circuits, one for each line", size=16, weight="bold"),
        *(part for row, plan in enumerate(plans) for part in _circuit(plan, _HEADER_HEIGHT + 40 + row * _CIRCUIT)),
        *_power_budget(budget, circuits_end),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _circuit(plan: Circuit, top: int) -> Iterator[str]:
    """The line at the left, its parts in a chain, and what hangs on them below."""
    yield f'<path d="M{_MARGIN} {top} H{_WIDTH - _MARGIN}" stroke="#d1d5db"/>'
    count = f"{len(plan.lines)} ×  " if len(plan.lines) > 1 else ""
    yield _text(_MARGIN, top + 22, f"{count}{plan.name}", weight="bold")
    yield _text(_WIDTH - _MARGIN, top + 22, line_words(plan.lines), anchor="end", fill="#4b5563")
    middle = top + 34 + _BOX_HEIGHT // 2
    for place, words in enumerate(plan.chain):
        x = _MARGIN + place * (_BOX + _GAP)
        if place:
            yield f'<path d="M{x - _GAP} {middle} h{_GAP}" stroke="#111827" stroke-width="2"/>'
        yield from _box(x, top + 34, words)
    yield _text(_MARGIN, top + 34 + _BOX_HEIGHT + 26, "+ " + "   + ".join(plan.beside), size=12, fill="#7c2d12")


def _box(x: int, y: int, words: str) -> Iterator[str]:
    yield f'<rect x="{x}" y="{y}" width="{_BOX}" height="{_BOX_HEIGHT}" rx="6" fill="#f3f4f6" stroke="#374151"/>'
    rows = wrap(words, _BOX_LETTERS)
    first = y + _BOX_HEIGHT // 2 + 4 - (len(rows) - 1) * 8
    for number, row in enumerate(rows):
        yield _text(x + _BOX // 2, first + number * 16, row, size=11, anchor="middle")


def _power_budget(budget: Sequence[Supply], top: int) -> Iterator[str]:
    yield f'<path d="M{_MARGIN} {top} H{_WIDTH - _MARGIN}" stroke="#d1d5db"/>'
    yield _text(_MARGIN, top + 26, "Supplies and power budget", size=16, weight="bold")
    for row, supply in enumerate(budget):
        y = top + 52 + row * _SUPPLY_ROW
        loads = ", ".join(f"{load} {milliamps} mA" for load, milliamps in supply.loads)
        yield _text(_MARGIN, y, supply.name, size=12, weight="bold")
        yield _text(_MARGIN + 130, y, f"{supply.most_ma} mA", size=12)
        yield _text(_MARGIN + 200, y, loads, size=12)
        yield _text(_WIDTH - _MARGIN, y, supply.protection, size=12, anchor="end", fill="#7c2d12")


def _contact(place: int, word: str | int, line: WiredLine | None) -> Iterator[str]:
    is_left = place % 2 == 1
    side = -1 if is_left else 1
    x, y = _MIDDLE + side * 20, _TOP + (place - 1) // 2 * _ROW
    colour = _COLOURS[line.role] if line else _SUPPLY.get(str(word), "#9ca3af")
    yield f'<circle cx="{x}" cy="{y}" r="12" fill="{colour}"/>'
    yield _text(x, y + 4, str(place), size=11, anchor="middle", fill="#ffffff")
    name = f"GPIO{word}" if isinstance(word, int) else word
    anchor = "end" if is_left else "start"
    is_supply = isinstance(word, str)
    yield _text(
        _MIDDLE + side * 50, y + 4, name, anchor=anchor, fill="#111827" if line or is_supply else "#6b7280", size=12
    )
    if line is not None:
        yield f'<path d="M{_MIDDLE + side * 104} {y} h{side * 16}" stroke="{colour}" stroke-width="3"/>'
        yield _text(_MIDDLE + side * 128, y + 4, _words(line), anchor=anchor)


def _words(line: WiredLine) -> str:
    resistor = "" if line.resistor == NO_RESISTOR else f"  ({line.resistor})"
    return f"{'▸' if line.is_output else '◂'} {line.device}{resistor}"


def _legend(entries: Sequence[tuple[str, str]]) -> Iterator[str]:
    top = _TOP + 20 * _ROW + 16
    for number, (colour, words) in enumerate(entries):
        x, y = 60 + number % 2 * 560, top + number // 2 * 26
        yield f'<rect x="{x}" y="{y}" width="14" height="14" rx="3" fill="{colour}"/>'
        yield _text(x + 22, y + 12, words)


def _text(
    x: int, y: int, words: str, *, size: int = 13, anchor: str = "start", fill: str = "#111827", weight: str = "normal"
) -> str:
    style = f'font-size="{size}" text-anchor="{anchor}" fill="{fill}" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {style}>{escape(words)}</text>'
