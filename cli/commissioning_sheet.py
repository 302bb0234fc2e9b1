"""Commissioning sheet: what a technician looks at before a table's first round, to print, sign and keep."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from reportlab.pdfgen.canvas import Canvas

from common.papers import SHEETS, Sheet
from controller.settings.circuits import supplies
from controller.settings.table import TableSettings
from controller.settings.wiring_plan import wired_lines
from drivers.gpio.header import pin_name
from games.catalogue import GAMES

_MARGIN: Final = 42.0
_LINE: Final = 15.0
_TOP: Final = 120.0
_BOX: Final = 9.0
_SIGNERS: Final = ("Technician", "Supervisor", "Compliance")
_BLANKS: Final = ("Board, serial number", "Card, made from image", "Program, version and hash", "Seal of the cabinet")


def write_sheet(target: BinaryIO, settings: TableSettings, file: Path) -> int:
    """Writes the sheet of one table as PDF; returns its number of pages."""
    canvas = Canvas(target, pagesize=SHEETS.get(settings.papers.paper, SHEETS["a4"]), invariant=1)
    canvas.setTitle(f"Commissioning sheet, table {settings.table}")
    pages = _Pages(canvas, settings, hashlib.sha256(file.read_bytes()).hexdigest())
    for title, rows in sections(settings):
        pages.section(title, rows)
    pages.end()
    return pages.number


def sections(settings: TableSettings) -> Iterator[tuple[str, Sequence[str]]]:
    """The checks, in the order in which they are made; each line gets a box to tick and room for a figure."""
    yield "1  Before power", _before_power(settings)
    yield "2  Power", [*_power(settings), "program stopped: every gate is shut, every light is dark"]
    yield "3  Every line, one after the other (pitlink service)", [*_lines(settings)]
    yield "4  Every seat", [*_seats(settings)]
    yield "5  The table", _table(settings)


def _before_power(settings: TableSettings) -> list[str]:
    words = ["every contact compared with the drawing of `pitlink wiring --svg`", "fuses fitted as on the drawing"]
    words += ["solenoids and motors share only GND with the board, at one point"]
    pulled = sum(line.resistor != "none" for line in wired_lines(settings))
    return [*words, f"{pulled} resistors fitted at their MOSFET or receiver", "cabinet locked, cables strain-relieved"]


def _power(settings: TableSettings) -> Iterator[str]:
    for supply in supplies(settings):
        yield f"{supply.name}: measured ______ V at rest, ______ V with everything on"


def _lines(settings: TableSettings) -> Iterator[str]:
    for line in wired_lines(settings):
        contact = f"contact {line.contact}" if line.contact else "expander"
        does = "switched on and off, seen at the device" if line.is_output else "moved by hand, seen on the panel"
        yield f"{contact}, {pin_name(line.pin)}: {line.device}: {does}"


def _seats(settings: TableSettings) -> Iterator[str]:
    for seat in settings.seats:
        yield f"seat {seat.seat}: a chip lights it; its passage took ______ ms; after lock-out no chip goes in"
        yield f"seat {seat.seat}: cable pulled: the panel names it, nothing is accepted; put back, tested again"


def _table(settings: TableSettings) -> list[str]:
    words = ["`pitlink selftest` ends without a fault", "`pitlink verify` finds every program file as signed"]
    words += ["lock-out: all gates shut at once, lamp on", "chips counted equal lights; ten chips in, ten chips out"]
    words += ["network cable pulled: no new wagers within five seconds; put back: open again"]
    words += ["plug pulled in the middle of a round: same round, same phase, same lights afterwards"]
    words += ["plug pulled while the return device pays: it counts on, no chip is missing"]
    words += ["a won hand claimed, validated by a second person, paid; slip and meter agree"]
    if settings.cabinet.door is not None:
        words.append("cabinet door opened: the panel says so")
    if settings.cabinet.clock_battery is not None:
        words.append("clock's battery taken out: the panel says so")
    return [*words, "clock synchronised; date and time zone are right"]


class _Pages:
    """The pages of one sheet, from the top of the first to the signatures on the last."""

    def __init__(self, canvas: Canvas, settings: TableSettings, settings_hash: str) -> None:
        self._canvas, self._settings, self._hash = canvas, settings, settings_hash
        self.number = 0
        self._begin()

    def section(self, title: str, rows: Sequence[str]) -> None:
        """A heading that is never alone at the end of a page, and its lines."""
        self._make_room(3 * _LINE)
        self._y += _LINE
        self._sheet.text(_MARGIN, self._y, title, 10.5, bold=True)
        for row in rows:
            self._make_room(_LINE)
            self._y += _LINE
            self._sheet.box(_MARGIN, self._y - _BOX + 1, _BOX, _BOX, line=0.8)
            self._sheet.text(_MARGIN + 16, self._y, row, 8.5)

    def end(self) -> None:
        """Who answers for it."""
        self._make_room(6 * _LINE)
        self._y += 2 * _LINE
        self._sheet.text(_MARGIN, self._y, "Everything ticked was seen by me. What was not ticked, and why:", 8.5)
        self._y += 2 * _LINE
        self._sheet.rule(self._y, dashed=True)
        self._sheet.signatures(self._y + 2 * _LINE, _SIGNERS)
        self._canvas.showPage()
        self._canvas.save()

    def _make_room(self, height: float) -> None:
        if self._y + height > self._sheet.height - _MARGIN:
            self._canvas.showPage()
            self._begin()

    def _begin(self) -> None:
        settings, self.number = self._settings, self.number + 1
        self._sheet = sheet = Sheet(self._canvas, SHEETS.get(settings.papers.paper, SHEETS["a4"]), _MARGIN)
        sheet.letterhead(34, settings.papers, 260)
        title = f"Commissioning sheet, table {settings.table}, page {self.number}"
        sheet.text_left(sheet.right, 46, title, 10.5, bold=True)
        game = f"{GAMES[settings.game].title}, pay table {settings.pay_table}, {len(settings.seats)} seats"
        sheet.text(_MARGIN, 74, game, 8.5)
        sheet.text(_MARGIN, 86, f"settings {self._hash}", 6.5)
        sheet.rule(92, heavy=True)
        self._y = 92.0
        if self.number == 1:
            for name in _BLANKS:
                self._y += _LINE + 3
                end = sheet.text(_MARGIN, self._y, f"{name}: ", 8.5)
                sheet.line(end, sheet.right, self._y + 2, dashed=True)
