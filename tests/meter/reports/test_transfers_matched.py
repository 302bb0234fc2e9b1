"""verify matches what went between links: two sound ledgers of two moments are not called sound."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.main import main
from meter.ledger.decisions import Transfer
from meter.ledger.link_state import LinkState
from meter.ledger.records import read_record
from meter.reports.verification import first_unmatched, moved
from meter.store.backup import _page
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import MemoryStore, MeterBench, link

LINKS = ("main", "side", "third")


def test_verify_names_the_first_transfer_that_the_other_link_did_not_receive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two sound ledgers of two moments, as backups were made once: doubled or lost money is not called sound."""
    address, mixed = str(tmp_path / "ledger.sqlite"), str(tmp_path / "mixed.sqlite")
    meter = MeterBench(SqliteStore(Path(address)), *(link(name=name) for name in LINKS))
    assert meter.decide(Transfer("side", 100_000)) == ""
    assert main(["ledger", "verify", "--store", address]) == 0
    assert "what went between links stands in both ledgers: 1 transfer(s)" in capsys.readouterr().out
    early = {name: head.number for name, head in meter.heads.items()}
    assert meter.decide(Transfer("side", 400_000)) == ""
    assert meter.decide(Transfer("side", 200_000)) == ""
    meter.store.close()  # type: ignore[attr-defined]  # a bench is handed an open store here
    mix(address, mixed, {"side": early["side"]})
    assert main(["ledger", "verify", "--store", mixed]) == 1
    assert f"link main: record {early['main'] + 1} sent $4,000 to link side" in capsys.readouterr().out
    mix(address, mixed, {"main": early["main"]})
    assert main(["ledger", "verify", "--store", mixed, "--format", "csv"]) == 1
    said = capsys.readouterr().out
    assert f"transfers,side,no,{early['side'] + 1},," in said
    assert "received $4,000 from link main, whose ledger did not send it" in said
    mix(address, mixed, {}, without="side")
    assert main(["ledger", "verify", "--store", mixed]) == 0
    assert main(["ledger", "verify", "--store", address, "--link", "main"]) == 0


def mix(address: str, mixed: str, ends: dict[str, int], without: str = "") -> None:
    """A store of sound ledgers, of which some end earlier."""
    Path(mixed).unlink(missing_ok=True)
    source, target = SqliteStore(Path(address), reading=True), SqliteStore(Path(mixed))
    for name in LINKS:
        rows = list(source.records(name))[: ends.get(name)]
        if name != without:
            target.commit([_page(LinkState(name), rows)])
    source.close()
    target.close()


@given(
    sent=st.lists(st.permutations(LINKS).map(lambda names: names[:2]), min_size=1, max_size=12),
    cut=st.data(),
)
@settings(max_examples=60)
def test_whatever_is_cut_off_one_ledger_the_first_transfer_of_it_is_named(
    sent: list[list[str]], cut: st.DataObject
) -> None:
    """Whole ledgers match; of one that ends earlier, the first transfer that it lacks is named from the other side."""
    meter = MeterBench(MemoryStore(), *(link(name=name) for name in LINKS))
    for source, target in sent:
        meter.now_ms += 1
        assert meter.decide(Transfer(target, 1_00), link=source) == ""
    ledgers = {
        name: [move for row in meter.store.records(name) if (move := moved(read_record(row.body)))] for name in LINKS
    }
    assert first_unmatched(ledgers) is None
    short = cut.draw(st.sampled_from([name for name in LINKS if ledgers[name]]))
    kept = cut.draw(st.integers(0, len(ledgers[short]) - 1))
    lacking = ledgers[short][kept]
    odd = first_unmatched(ledgers | {short: ledgers[short][:kept]})
    assert odd is not None
    assert (odd.order, odd.source, odd.target) == (lacking.order, lacking.source, lacking.target)
    assert odd.record.link != short
    assert odd.record.booked_ms == lacking.record.booked_ms
