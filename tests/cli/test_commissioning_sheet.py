"""The commissioning sheet: every line, seat and supply of this table has its box, and people sign on the last page."""

import hashlib
from pathlib import Path

import pytest
from pypdf import PdfReader

from cli.commissioning_sheet import sections
from cli.main import main
from controller.settings.table import load
from controller.settings.wiring_plan import wired_lines
from drivers.gpio.header import pin_name
from hil.image import PROJECT

CONFIG = PROJECT / "config/table.toml"


def words_of(pdf: Path) -> str:
    """All that is printed on it, without line breaks."""
    return " ".join(" ".join(page.extract_text() for page in PdfReader(pdf).pages).split())


def test_the_sheet_asks_for_everything_that_this_table_has(tmp_path: Path) -> None:
    """Each line once, each seat twice, the hash of these settings, and three signatures."""
    sheet = tmp_path / "T1.pdf"
    assert main(["wiring", "--config", str(CONFIG), "--sheet", str(sheet)]) == 0
    settings, printed = load(CONFIG), words_of(sheet)
    for line in wired_lines(settings):
        assert printed.count(f"contact {line.contact}, {pin_name(line.pin)}: {line.device}") == 1
    for seat in settings.seats:
        assert printed.count(f"seat {seat.seat}: ") == 2
    assert hashlib.sha256(CONFIG.read_bytes()).hexdigest() in printed
    for signer in ("Technician", "Supervisor", "Compliance"):
        assert f"{signer}, date" in printed
    for _, rows in sections(settings):
        for row in rows:
            assert row in printed


@pytest.mark.parametrize(("cabinet", "is_asked"), [("[cabinet]\ndoor = 14\n", True), ("", False)])
def test_optional_contacts_are_asked_for_where_they_are(tmp_path: Path, cabinet: str, is_asked: bool) -> None:
    """A door's contact is looked at only if there is one."""
    text = CONFIG.read_text().replace("[beams]\nemitters = 14", "[spare]\nemitters = 14").partition("[spare]")
    config = tmp_path / "T1.toml"
    config.write_text(text[0] + cabinet + text[2].partition("\n\n")[2])
    assert main(["wiring", "--config", str(config), "--sheet", str(tmp_path / "T1.pdf")]) == 0
    assert ("cabinet door opened" in words_of(tmp_path / "T1.pdf")) == is_asked


def test_a_sheet_that_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the file that was meant."""
    nowhere = tmp_path / "nowhere" / "T1.pdf"
    assert main(["wiring", "--config", str(CONFIG), "--sheet", str(nowhere)]) == 3
    assert f"{nowhere} cannot be written" in capsys.readouterr().err
