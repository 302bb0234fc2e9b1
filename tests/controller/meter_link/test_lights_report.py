"""The floor's map of a table: every light and the word of its round, as the table itself shows them."""

from pathlib import Path

import pytest

from common.tls import PagesTls
from controller.meter_link.lights_report import page_address
from games.round.outputs import outputs
from link.messages import TableLights
from tests.support.table.paper_floor import PaperFloor, paper_floor


class Map:
    """The floor's map of table T1."""

    def __init__(self, floor: PaperFloor) -> None:
        self._floor, self.bench = floor, floor.tables["T1"]

    @property
    def shown(self) -> TableLights:
        return self._floor.meter.desk.tables["T1"].lights or TableLights(1, "T1", 0, "fault", 7)

    async def says(self, word: str, lit: tuple[int, ...] = ()) -> None:
        """Waits until the map has this, and compares every light with the table's own."""
        await self.bench.until(lambda: (self.shown.word, self.shown.lit) == (word, lit), f"the map never says {word}")
        assert self.bench.assembly is not None
        seen, table = self.shown, self.bench.assembly.table
        said = dict.fromkeys(table.rules.seats, "dark")
        said |= dict.fromkeys(seen.lit, "lit") | dict.fromkeys(seen.open, "open") | dict.fromkeys(seen.look, "look")
        assert said == {seat: light.value for seat, light in outputs(table.rules, table.state).lights.items()}


async def test_the_floor_shows_a_table_as_it_stands(tmp_path: Path) -> None:
    """Open, a wager, and chips that differ from the lights."""
    async with paper_floor(tmp_path) as floor:
        seen = Map(floor)
        await seen.says("open")
        await seen.bench.drop_chip(3)
        await seen.says("open", (3,))
        seen.bench.hopper.load(1)
        await seen.bench.press_lock_out()
        await seen.says("differs", (3,))
        assert seen.shown.chips == 2


@pytest.mark.parametrize(
    ("host", "address"),
    [("10.0.0.7", "https://10.0.0.7:8443"), ("0.0.0.0", "https://table1:8443"), ("fd00::7", "https://[fd00::7]:8443")],
)
def test_a_table_with_network_pages_says_where_they_are(host: str, address: str) -> None:
    """A wildcard is no address: then its own name is."""
    assert page_address(PagesTls(host, 8443, "", ""), 8080, "table1") == address
