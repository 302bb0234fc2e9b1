"""The event buffer of a coin acceptor: what is new, what is lost, and what a restart looks like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cctalk.commands import next_event
from drivers.cctalk.credits import (
    BUFFERED,
    STATUS_CODES,
    CoinSeen,
    ErrorSeen,
    NewEvents,
    mask,
    read_news,
    self_check,
    status_code,
)
from drivers.ports import FaultKind


def buffer(counter: int, *newest_first: tuple[int, int]) -> bytes:
    """The answer to header 229."""
    pairs = [*newest_first, *[(0, 0)] * BUFFERED][:BUFFERED]
    return bytes((counter, *(byte for pair in pairs for byte in pair)))


@pytest.mark.parametrize(
    ("before", "counter", "events", "lost"),
    [(255, 1, 1, 0), (253, 3, 5, 0), (48, 54, 5, 1), (0, 2, 2, 0), (7, 7, 0, 0)],
)
def test_the_standards_own_examples(before: int, counter: int, events: int, lost: int) -> None:
    """255 is followed by 1, and more than five events are more than the buffer holds."""
    news = read_news(before, buffer(counter, *[(1, 0)] * 5))
    assert (len(news.seen), news.lost, news.was_reset) == (events, lost, False)


def test_a_counter_of_nought_is_a_restart_unless_it_was_nought_before() -> None:
    """Nothing but a restart brings it back."""
    assert read_news(9, buffer(0)) == NewEvents(0, was_reset=True)
    assert read_news(0, buffer(0)) == NewEvents(0)


def test_the_first_look_only_primes() -> None:
    """What happened before the program came is the count's business."""
    assert read_news(None, buffer(5, (1, 0), (1, 0))) == NewEvents(5)


def test_events_are_told_in_the_order_they_happened() -> None:
    """The buffer has the newest first; a nought for the coin means an error code."""
    assert read_news(3, buffer(5, (0, 14), (2, 0), (1, 0))).seen == (CoinSeen(2), ErrorSeen(14))


@given(before=st.integers(0, 255), batches=st.lists(st.lists(st.integers(1, 16), max_size=5), max_size=30))
def test_no_coin_is_lost_or_told_twice_while_the_buffer_is_read_in_time(before: int, batches: list[list[int]]) -> None:
    """However the counter wraps, up to five events between two looks arrive once and in order."""
    told, counter, recent = list[int](), before, list[tuple[int, int]]()
    for batch in batches:
        known = counter
        for coin in batch:
            counter = next_event(counter)
            recent = [(coin, 0), *recent][:BUFFERED]
        news = read_news(known, buffer(counter, *recent))
        assert (news.lost, news.was_reset) == (0, False)
        told += [seen.coin for seen in news.seen if isinstance(seen, CoinSeen)]
    assert told == [coin for batch in batches for coin in batch]


@given(before=st.integers(0, 255), happened=st.integers(6, 254))
def test_every_event_beyond_the_buffer_is_counted_as_lost(before: int, happened: int) -> None:
    """A table that was away too long knows how much it does not know."""
    counter = before
    for _ in range(happened):
        counter = next_event(counter)
    assert read_news(before, buffer(counter, *[(1, 0)] * 5)).lost == happened - BUFFERED


def test_the_mask_lets_in_the_chip_and_nothing_else() -> None:
    """Bit by bit, the first coin lowest."""
    assert (mask((1,)), mask((1, 9)), mask((16,))) == (b"\x01\x00", b"\x01\x01", b"\x00\x80")


def test_every_code_of_table_2_is_known() -> None:
    """0 to 40, one for each inhibited coin, and the three at the end."""
    assert set(STATUS_CODES) == {*range(41), *range(128, 160), 253, 254, 255}
    assert all(not (meaning.fault and meaning.is_chip_back) for meaning in STATUS_CODES.values())


@pytest.mark.parametrize("code", [7, 18, 19, 23, 31, 36, 39, 40])
def test_a_chip_that_did_not_come_back_is_never_said_to_have(code: int) -> None:
    """The standard says "coin rejected: no": each is a fault, and no chip in the player's hand."""
    assert status_code(code).fault is not None
    assert not status_code(code).is_chip_back


def test_a_swallowed_chip_is_called_one() -> None:
    """Code 36: it was to be rejected and was seen at the credit sensor."""
    assert (status_code(36).fault, "swallowed" in status_code(36).words) == (FaultKind.SPURIOUS, True)


@pytest.mark.parametrize("code", [41, 127, 160, 252])
def test_a_code_that_nobody_knows_is_not_trusted(code: int) -> None:
    """It may be a chip."""
    assert status_code(code).fault is FaultKind.SPURIOUS


def test_opening_the_coin_return_is_no_chip_and_no_fault() -> None:
    """A player may press it; nothing goes in while it is open."""
    assert (status_code(254).fault, status_code(254).is_chip_back) == (None, False)


@given(code=st.integers(0, 255))
def test_only_nought_passes_a_self_check(code: int) -> None:
    """Whatever else it finds has a kind and words."""
    found = self_check(code)
    assert (found is None) == (code == 0)
    assert found is None or found[1]
