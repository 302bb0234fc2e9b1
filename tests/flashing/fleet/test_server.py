"""The fleet server over mutual TLS: a board with its certificate is flashed by pulling; nobody else is answered."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from common.board_health import BoardHealth
from flashing.fleet.board import FleetBoard, FleetUnreachable, HttpsFleetLink
from flashing.fleet.messages import BoardReport
from flashing.fleet.rollout import BoardStage, planned
from flashing.fleet.server import FleetServer
from flashing.fleet.settings import FleetAddress, FleetSettings
from flashing.fleet.store import FleetStore
from flashing.keys import Trust
from tests.support.flash.flash_bench import NEW, OLD, FlashBench, Workshop, stands
from tests.support.flash.fleet_certificates import Authority


class RealFlash:
    """Flash units that are a real flash of the bench, to its end."""

    def __init__(self, bench: FlashBench) -> None:
        self._bench = bench

    def begin(self, version: str) -> str:
        self._bench.run(version)
        return ""

    def failure(self, _version: str) -> str:
        return ""


class Floor:
    """A served store, an authority, and the way to it for whoever has a certificate."""

    def __init__(self, folder: Path, workshop: Workshop) -> None:
        self.authority = Authority(folder / "authority", "house")
        self.store = FleetStore(folder / "server")
        self.store.add_bundle(workshop.folder / f"{NEW}.pitlink", Trust.of(workshop.public.parent))
        certificate, key = self.authority.issue("fleet")
        self.settings = FleetSettings(
            folder / "server", "127.0.0.1", 0, str(self.authority.file), certificate, key, folder, ("T1", "T2")
        )
        self.port = 0

    def link(self, name: str, authority: Authority | None = None) -> HttpsFleetLink:
        context = ssl.create_default_context(cafile=self.authority.file)
        context.load_cert_chain(*(authority or self.authority).issue(name))
        return HttpsFleetLink(FleetAddress("localhost", self.port), context)


@pytest.fixture
async def floor(tmp_path: Path, workshop: Workshop) -> AsyncIterator[Floor]:
    floor = Floor(tmp_path, workshop)
    async with FleetServer(floor.settings, floor.store) as server:
        floor.port = server.port
        yield floor


async def test_a_board_pulls_a_signed_bundle_and_is_flashed(floor: Floor, bench: FlashBench) -> None:
    """Order, download, signature and a real flash; the next report confirms it."""
    with floor.store.changing() as change:
        change.rollout = planned(NEW, ["T1"], first="T1", group_size=1, silent_s=900, watch_s=0, orders=0)
    bench.places.bundle(NEW).unlink()
    table = FleetBoard("T1", bench.places, bench.table, RealFlash(bench), health=BoardHealth, logs=bytes)
    link = floor.link("T1")
    assert await asyncio.to_thread(table.pull, link) == f"flash of {NEW} begins"
    stands(bench, NEW)
    await asyncio.to_thread(table.pull, link)
    rollout = floor.store.rollout()
    assert rollout is not None
    assert rollout.boards["T1"].stage is BoardStage.CONFIRMED
    report = floor.store.boards()["T1"].report
    assert (report.version, report.phase, report.is_well) == (NEW, "closed", True)
    assert len(report.program_hash) == 64


async def test_a_board_speaks_for_itself_only(floor: Floor) -> None:
    """T2's certificate does not report for T1, and a name outside the fleet's settings is told so."""
    with pytest.raises(FleetUnreachable, match=r"certificate is T2's, the report T1's"):
        await asyncio.to_thread(floor.link("T2").report, BoardReport("T1", OLD, "linux"))
    with pytest.raises(FleetUnreachable, match="meter-main is no board of this fleet; add it to boards"):
        await asyncio.to_thread(floor.link("meter-main").report, BoardReport("meter-main", OLD, "linux"))
    assert not floor.store.boards()


async def test_who_has_no_certificate_of_the_house_gets_nothing(floor: Floor, tmp_path: Path) -> None:
    """Neither without one, nor with one of another authority of the same name."""
    other = floor.link("T1", Authority(tmp_path / "other", "house"))
    bare = ssl.create_default_context(cafile=floor.authority.file)
    for link in (other, HttpsFleetLink(FleetAddress("localhost", floor.port), bare)):
        with pytest.raises(FleetUnreachable):
            await asyncio.to_thread(link.report, BoardReport("T1", OLD, "linux"))
    assert not floor.store.boards()


async def test_a_bundle_that_is_not_there_is_named(floor: Floor) -> None:
    """And a path that leads elsewhere finds none."""
    for version, platform in ((NEW, "linux-x86_64-py2.7"), ("..", "rollout"), ("..%2f..", "authority")):
        with pytest.raises(FleetUnreachable, match=r"no bundle of|404"):
            await asyncio.to_thread(list, floor.link("T1").fetch(version, platform))
