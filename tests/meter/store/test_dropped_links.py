"""A link that holds anything is neither dropped from the settings nor lost from the store without a word (R90)."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from cli.main import main
from meter.booking.booker import refuse_orphans
from meter.ledger.accounts import UNITS_PER_CENT, Account
from meter.ledger.balances import LinkBalances
from meter.ledger.open_items import HeldWagers, OpenAward
from meter.reports.source import open_books
from meter.settings import read_meter_settings
from meter.store.audit_log import Measured, Note, first_floor_seal, line
from meter.store.base import OpenStore, StoreFault
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import MemoryStore, MeterBench, hello, link
from tests.support.meter.meter_settings import GOOD
from tests.support.meter.staff_pins import ANN, SUE, give_staff, type_pins

CLAIM = OpenAward("T1", "journal-T1", 7, 3, "royal_flush", 10_000)
HELD = HeldWagers("T1", "journal-T1", 7, 100, 3, 0, "a seat that is not there")
DOLLAR = 100 * UNITS_PER_CENT


def with_side(pot: LinkBalances, *, closed: bool = False) -> OpenStore:
    """A store with link main, and with link side that holds this and nothing else."""
    store = MemoryStore()
    MeterBench(store, link(), link(name="side"))
    saved = store.saved["side"]
    store.saved["side"] = replace(saved, head=replace(saved.head, pot=pot, closed=closed))
    return cast("OpenStore", store)


@pytest.mark.parametrize(
    ("pot", "words"),
    [
        (LinkBalances({Account.METER: DOLLAR}), "$1 on its meter"),
        (LinkBalances({Account.METER: 1}), "$0 on its meter"),
        (LinkBalances({Account.RESET_METER: DOLLAR}), "$1 in its reset meter"),
        (LinkBalances({Account.OVERFLOW: DOLLAR}), "$1 of overflow"),
        (LinkBalances({Account.AWARDS: DOLLAR}), "$1 in open awards"),
        (LinkBalances(claims=(CLAIM,)), "1 claim(s)"),
        (LinkBalances(held=(HELD, HELD)), "2 held contribution(s)"),
    ],
)
def test_r90_a_link_that_holds_anything_at_all_cannot_be_dropped(pot: LinkBalances, words: str) -> None:
    """On whichever account it stands, to the last fraction of a cent, and whatever waits for people."""
    with pytest.raises(StoreFault) as caught:
        refuse_orphans(with_side(pot), (link(),))
    assert f"link side holds {words} and is not in the settings: write it back" in str(caught.value)


@pytest.mark.parametrize(
    "store",
    [
        with_side(LinkBalances({Account.PAID: DOLLAR, Account.HOUSE: -DOLLAR, Account.WAGERS: -DOLLAR})),
        with_side(LinkBalances(last_paid=(CLAIM,), hits=1, chips=5)),
        with_side(LinkBalances({Account.OVERFLOW: DOLLAR}), closed=True),
    ],
)
def test_r90_a_link_that_holds_nothing_or_was_closed_may_go(store: OpenStore) -> None:
    """What was paid, and where it came from, is nobody's any more."""
    refuse_orphans(store, (link(),))


def test_many_links_are_named_in_order_and_once(tmp_path: Path) -> None:
    """Whatever they are called, and however many records each has."""
    names = ["z", "a", "main", "side-2", "Side", "0"]
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store, *(link(name=name) for name in names))
    for name in names[::2]:
        meter.say(hello(), link=name)
    assert store.links() == tuple(sorted(names))
    store.close()


@pytest.fixture
def books(tmp_path: Path) -> Iterator[SqliteStore]:
    """The books of links main and side; the floor's book knows both, and of a third it never heard."""
    text = GOOD.replace("ledger.sqlite", str(tmp_path / "ledger.sqlite"))
    part = text[text.index("[[link]]") :]
    for name in ("side", "new"):
        text += part.replace('"main"', f'"{name}"').replace("T1", f"{name}1").replace("T2", f"{name}2")
    (tmp_path / "meter.toml").write_text(text)
    store = SqliteStore(tmp_path / "ledger.sqlite")
    MeterBench(store, *read_meter_settings(tmp_path / "meter.toml").links[:2])
    measured = line(Note(1, 1, Measured("main", 1, 0)), first_floor_seal())
    store.add_lines([measured, line(Note(2, 2, Measured("side", 1, 0)), measured.sealed.seal)], ())
    yield store
    store.close()


def take_away(store: SqliteStore, *tables: str) -> None:
    """A hand in the file."""
    for table in tables:
        store._database.execute(f"DELETE FROM {table} WHERE link = 'side'")


def test_r90_verify_names_a_link_that_lost_its_head(
    books: SqliteStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its records are still there: it is damaged, and not forgotten."""
    take_away(books, "head")
    assert main(["ledger", "--config", str(tmp_path / "meter.toml"), "verify"]) == 1
    said = capsys.readouterr().out
    assert "link main: 1 records are sound" in said
    assert "link side: the ledger of link side is damaged" in said


def test_r90_verify_names_a_link_that_has_lost_its_books(
    books: SqliteStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that the floor's book knows has lost them; one that it does not know was never opened."""
    take_away(books, "head", "ledger", "member")
    assert main(["ledger", "--config", str(tmp_path / "meter.toml"), "verify"]) == 1
    said = capsys.readouterr().out
    assert "link side: its books are gone, and the floor's book knows it" in said
    assert "link new" not in said


def test_an_empty_store_lacks_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before the first start no link has books."""
    (tmp_path / "meter.toml").write_text(GOOD.replace("ledger.sqlite", str(tmp_path / "ledger.sqlite")))
    SqliteStore(tmp_path / "ledger.sqlite").close()
    assert main(["ledger", "--config", str(tmp_path / "meter.toml"), "verify"]) == 0
    assert capsys.readouterr().out == "the floor's book is sound\n"


def test_r90_a_link_that_lost_its_books_is_not_begun_anew(books: SqliteStore) -> None:
    """A start would show the players the base amount, as if nobody had ever wagered (R55)."""
    refuse_orphans(books, (link(), link(name="side"), link(name="new")))
    take_away(books, "head", "ledger", "member")
    with pytest.raises(StoreFault, match=r"the books of link side are gone.*restore a backup"):
        refuse_orphans(books, (link(), link(name="side")))


@pytest.mark.parametrize(
    "words",
    [
        "decide side",
        "decide main",
        """decide side '{"type": "Stop"}' --by 4001 --and-by 2001 --reason drill""",
        """decide main '{"type": "Stop"}' --by 4001 --and-by 2001 --reason drill""",
        "meter --apply-terms --by 4001 --and-by 2001 --reason approved",
    ],
)
def test_r90_no_command_begins_a_link_anew_that_lost_its_books(
    books: SqliteStore,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: str,
) -> None:
    """Neither a look, nor a decision about any link, nor other parameters: it stays lost until a backup is restored."""
    give_staff(tmp_path)
    type_pins(monkeypatch, ANN, SUE)
    take_away(books, "head", "ledger", "member")
    before = books.links()
    books.close()
    code = main([*shlex.split(words), "--config", str(tmp_path / "meter.toml")])
    said = capsys.readouterr()
    if words != "decide main":  # whose books are there to be looked at
        assert code == 3
        assert "the books of link side are gone, and the floor's book knows it: restore a backup" in said.out + said.err
    with open_books(str(tmp_path / "ledger.sqlite")) as store:
        assert store.links() == before
    assert main(["ledger", "--config", str(tmp_path / "meter.toml"), "verify"]) == 1
