"""A backup beside a meter that transfers: every copy is the floor at one moment."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meter.ledger.decisions import Transfer
from meter.ledger.link_state import LinkState
from meter.ledger.records import Filed
from meter.reports.source import open_books
from meter.store import backup
from meter.store.audit import audited
from meter.store.backup import back_up
from meter.store.base import Page
from tests.support.meter.meter_bench import MeterBench, link, store_address
from tests.support.meter.postgres_bench import active_store

LINKS = ("main", "side", "third")


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new store of each kind."""
    return store_address(request, tmp_path)


def floor(address: str) -> MeterBench:
    """Three links of $10,000 each; the store stays open."""
    return MeterBench(active_store(address), *(link(name=name) for name in LINKS))


def copied(address: str, file: Path) -> dict[str, int]:
    """What every link of a backup shows, made now."""
    back_up(address, file)
    with open_books(str(file)) as store:
        return {name: audited(store, name).head.pot.amount_cents for name in store.links()}


def between_the_copies(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Lets the meter act after every page of records that a backup has read."""
    real = backup._page

    def read(state: LinkState, batch: list[Filed]) -> Page:
        page = real(state, batch)
        act()
        return page

    monkeypatch.setattr(backup, "_page", read)


def test_a_transfer_while_a_backup_is_made_is_on_both_sides_of_it_or_on_none(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Money that leaves a link before its copy, or comes to one after it, would be doubled or lost by a restore."""
    meter = floor(address)
    before = dict.fromkeys(LINKS, 1_000_000)
    between_the_copies(monkeypatch, lambda: meter.decide(Transfer("side", 400_000)))
    assert copied(address, tmp_path / "night.backup") == before
    meter.store.close()  # type: ignore[attr-defined]  # a bench is handed an open store here


transfers = st.lists(
    st.tuples(st.sampled_from(LINKS), st.sampled_from(LINKS), st.integers(1, 300_000)).filter(lambda t: t[0] != t[1]),
    min_size=1,
    max_size=12,
)


@given(before=transfers, meanwhile=transfers)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_transferred_meanwhile_a_backup_is_the_floor_at_one_moment(
    before: list[tuple[str, str, int]],
    meanwhile: list[tuple[str, str, int]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Every amount of the copy, and so their sum, is one that the floor had at one moment."""
    folder = tmp_path_factory.mktemp("floor")
    address = str(folder / "ledger.sqlite")
    meter = floor(address)
    moments = []

    def transfer(source: str, target: str, cents: int) -> None:
        meter.decide(Transfer(target, cents), link=source)
        moments.append({name: head.pot.amount_cents for name, head in meter.heads.items()})

    for each in before:
        transfer(*each)
    left = list(meanwhile)

    def transfer_the_next() -> None:
        if left:
            transfer(*left.pop())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backup, "RECORDS_AT_ONCE", 1)
        between_the_copies(patch, transfer_the_next)
        found = copied(address, folder / "night.backup")
    assert found in moments
    assert sum(found.values()) == 3 * 1_000_000
    meter.store.close()  # type: ignore[attr-defined]  # a bench is handed an open store here
