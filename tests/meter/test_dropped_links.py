"""A link that holds anything is neither dropped from the settings nor lost from the store without a word (R90)."""

from typing import cast

import pytest
from meter_bench import MemoryStore, MeterBench, link
from msgspec.structs import replace

from meter.bookkeeper import refuse_orphans
from meter.ledger import UNITS_PER_CENT, Account, HeldWagers, OpenAward, Pot
from meter.store import OpenStore, StoreFault

CLAIM = OpenAward("T1", "journal-T1", 7, 3, "royal_flush", 10_000)
HELD = HeldWagers("T1", "journal-T1", 7, 100, 3, 0, "a seat that is not there")
DOLLAR = 100 * UNITS_PER_CENT


def with_side(pot: Pot, *, closed: bool = False) -> OpenStore:
    """A store with link main, and with link side that holds this and nothing else."""
    store = MemoryStore()
    MeterBench(store, link(), link(name="side"))
    saved = store.saved["side"]
    store.saved["side"] = replace(saved, head=replace(saved.head, pot=pot, closed=closed))
    return cast("OpenStore", store)


@pytest.mark.parametrize(
    ("pot", "words"),
    [
        (Pot({Account.METER: DOLLAR}), "$1 on its meter"),
        (Pot({Account.METER: 1}), "$0 on its meter"),
        (Pot({Account.RESET_METER: DOLLAR}), "$1 in its reset meter"),
        (Pot({Account.OVERFLOW: DOLLAR}), "$1 of overflow"),
        (Pot({Account.AWARDS: DOLLAR}), "$1 in open awards"),
        (Pot(claims=(CLAIM,)), "1 claim(s)"),
        (Pot(held=(HELD, HELD)), "2 held contribution(s)"),
    ],
)
def test_r90_a_link_that_holds_anything_at_all_cannot_be_dropped(pot: Pot, words: str) -> None:
    """On whichever account it stands, to the last fraction of a cent, and whatever waits for people."""
    with pytest.raises(StoreFault) as caught:
        refuse_orphans(with_side(pot), (link(),))
    assert f"link side holds {words} and is not in the settings [R90]" in str(caught.value)


@pytest.mark.parametrize(
    "store",
    [
        with_side(Pot({Account.PAID: DOLLAR, Account.HOUSE: -DOLLAR, Account.WAGERS: -DOLLAR})),
        with_side(Pot(last_paid=(CLAIM,), hits=1, chips=5)),
        with_side(Pot({Account.OVERFLOW: DOLLAR}), closed=True),
    ],
)
def test_r90_a_link_that_holds_nothing_or_was_closed_may_go(store: OpenStore) -> None:
    """What was paid, and where it came from, is nobody's any more."""
    refuse_orphans(store, (link(),))
