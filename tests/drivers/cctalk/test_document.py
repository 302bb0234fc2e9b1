"""docs/cctalk.md is true: its bytes are played, its lists are compared."""

import os
import re
import select
from pathlib import Path

import pytest

from drivers.cctalk.commands import Header
from drivers.cctalk.credits import STATUS_CODES, AcceptorHeader
from drivers.cctalk.frame import Checksum
from drivers.cctalk.settings import HopperSettings, Security
from drivers.ports import FaultKind
from drivers.simulated.hopper import SimulatedHopper
from drivers.simulated.hopper_board import HopperBoard
from drivers.simulated.hopper_mechanics import HopperMechanics

PAGE = (Path(__file__).parents[3] / "docs" / "cctalk.md").read_text(encoding="utf-8")
DIALOGUES = re.findall(r"^```cctalk(.*?)\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)


def say(port: int, frame: bytes, size: int) -> bytes:
    """What comes back, up to the expected length, for at most five seconds."""
    os.write(port, frame)
    heard = b""
    while len(heard) < size and select.select([port], [], [], 5)[0]:
        heard += os.read(port, 512)
    return heard


@pytest.mark.parametrize(("options", "lines"), DIALOGUES, ids=range(len(DIALOGUES)))
def test_the_dialogues_of_the_page_are_what_the_hopper_says(options: str, lines: str) -> None:
    """Every byte of every example, on a fresh hopper."""
    chosen = dict(option.split("=") for option in options.split())
    board = HopperBoard(HopperMechanics(chip_ms=0), time_factor=0, security=Security(chosen.get("security", "cipher")))
    with SimulatedHopper(board, checksum=Checksum(chosen.get("checksum", "simple")), echo=False) as bench:
        bench.load(int(chosen.get("chips", "0")))
        port = os.open(bench.port, os.O_RDWR | os.O_NOCTTY)
        spoken = [(line.split()[0], bytes.fromhex(line.partition(" ")[2])) for line in lines.splitlines()]
        assert [who for who, _ in spoken] == ["host", "hopper"] * (len(spoken) // 2)
        for (_, question), (_, answer) in zip(spoken[::2], spoken[1::2], strict=True):
            assert say(port, question, len(answer)).hex(" ") == answer.hex(" ")
        os.close(port)


def rows(heading: str) -> dict[str, str]:
    """The table under a heading: first column to second."""
    table = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return {first.strip("`"): second for first, second, *_ in cells[1:]}


def test_the_settings_on_the_page_are_the_settings() -> None:
    """Every setting with its default, none forgotten."""
    settings = HopperSettings("-")
    written = rows("Wiring")
    assert written.pop("port") == "–"
    values = {name: getattr(settings, name) for name in HopperSettings.__struct_fields__ if name != "port"}
    assert written == {name: str(getattr(value, "value", value)) for name, value in values.items()}


def test_the_headers_on_the_page_are_the_headers() -> None:
    """Every command by its number and its name in the standard."""
    answers = {Header.REPLY, Header.NAK, Header.BUSY}
    names = {str(header.value): header.name.lower().replace("_", " ") for header in Header if header not in answers}
    assert {number: name.replace(" / ", " ") for number, name in rows("What is said").items()} == names


def test_the_acceptor_headers_and_codes_on_the_page_are_those_of_the_code() -> None:
    """Every header by its name, every code that is a fault, none forgotten."""
    written = rows("Acceptors on the same wire")
    names = {str(header.value): header.name.lower().replace("_", " ") for header in AcceptorHeader}
    assert {number: name for number, name in written.items() if number.isdecimal()} == names
    codes = {int(code) for first in written if "code" in first for code in re.findall(r"\d+", first)}
    assert codes == {code for code, meaning in STATUS_CODES.items() if meaning.fault}


def test_the_faults_on_the_page_are_kinds_of_fault() -> None:
    """The words a person reads in a log are the words on the page."""
    assert set(rows("Faults")) <= {kind.value for kind in FaultKind}
    assert len(rows("Faults")) == 9
