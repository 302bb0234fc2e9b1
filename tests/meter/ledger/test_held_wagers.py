"""R2: an unreasonable contribution is kept aside and alarmed: never added, never lost, until two persons decide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from link.messages import MAX_MESSAGE_BYTES, Wagers, encode
from meter.booking.results import MessageResult
from meter.ledger.contributions import MOST_OPEN
from meter.ledger.decisions import DecideHeld, EntryRef, SwapBoard
from meter.service.state import state_of
from tests.support.meter.meter_bench import NOW_MS, TERMS, MemoryStore, MeterBench, envelope, hello, link, wagers

ENTRY = EntryRef("T1", "journal-T1", 1)


def bench(*tables: str, shortest_round_ms: int | None = 0) -> MeterBench:
    """A meter with these tables joined."""
    meter = MeterBench(MemoryStore(), replace(link(), shortest_round_ms=shortest_round_ms))
    meter.join(*tables)
    return meter


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (Wagers(1, 500, (1,)), "wagers of $5 from a table that joined with $1"),
        (Wagers(1, 100, (1, 2, 3, 4, 5, 6, 7, 8)), "seat 8 of a table with 7 seats"),
    ],
)
def test_r2_an_unreasonable_contribution_is_booked_but_does_not_count(entry: Wagers, words: str) -> None:
    """The table plays on, the meter does not move, and everybody sees that something is held."""
    meter = bench()
    outcome = meter.outcome(envelope(1, entry))
    assert outcome.result is MessageResult.KEPT_ASIDE
    pot = meter.heads["main"].pot
    assert (pot.amount_cents, pot.in_cents) == (TERMS.base_cents, 0)
    assert words in pot.held[0].reason
    state = state_of("main", meter.heads["main"], 0)
    assert (state.held, state.health) == (1, "attention")
    assert meter.reply(envelope(2, wagers(1))).booked_seq == 2


def test_r2_held_wagers_count_once_two_persons_say_so() -> None:
    """Exactly what would have been added, and only once."""
    meter = bench()
    meter.say(envelope(1, Wagers(1, 500, (1, 2), (2,))))
    assert meter.decide(DecideHeld(ENTRY, counts=True)) == ""
    pot = meter.heads["main"].pot
    assert (pot.chip_cents, pot.coupon_cents, pot.held) == (500, 500, ())
    assert pot.amount_cents == TERMS.base_cents + 1_000 * TERMS.rate_bp // 10_000
    assert "is not held" in meter.decide(DecideHeld(ENTRY, counts=True))


def test_r2_held_wagers_that_were_no_wagers_never_count() -> None:
    """Rejected: the decision stays in the ledger, the meter where it was."""
    meter = bench()
    meter.say(envelope(1, Wagers(1, 500, (1,))))
    assert meter.decide(DecideHeld(ENTRY, counts=False)) == ""
    pot = meter.heads["main"].pot
    assert (pot.amount_cents, pot.in_cents, pot.held) == (TERMS.base_cents, 0, ())


def test_r2_a_repeated_held_entry_is_held_once() -> None:
    """Exactly once holds for what is held, too."""
    meter = bench()
    meter.say(envelope(1, Wagers(1, 500, (1,))))
    assert meter.outcome(envelope(1, Wagers(1, 500, (1,)))).result is MessageResult.DUPLICATE
    assert len(meter.heads["main"].pot.held) == 1


def test_r2_a_round_faster_than_a_hand_is_held() -> None:
    """By the table's own clock: 1 ms after the round before is no hand, 20 s after it is one."""
    meter = bench("T1", shortest_round_ms=20_000)
    assert meter.outcome(envelope(1, wagers())).result is MessageResult.BOOKED
    hasty = meter.say(envelope(2, wagers()))
    assert hasty.outcomes[0].result is MessageResult.KEPT_ASIDE
    assert "1 ms after the one before" in meter.heads["main"].pot.held[0].reason
    later = replace(envelope(3, wagers()), at_ms=NOW_MS + 2 + 20_000)
    assert meter.outcome(later).result is MessageResult.BOOKED


@pytest.mark.parametrize(("said", "least"), [(None, 4_500), (20_000, 20_000), (1_000, 1_000)])
def test_r1_a_round_has_its_games_least_time_unless_the_house_says_another(said: int | None, least: int) -> None:
    """R2: nine cards at two a second, where the settings say nothing; a house raises that, or lowers it by its word."""
    meter = bench("T1", shortest_round_ms=said)
    meter.say(envelope(1, wagers()))
    hasty = replace(envelope(2, wagers()), at_ms=NOW_MS + least)
    assert meter.outcome(hasty).result is MessageResult.KEPT_ASIDE
    assert f"a hand takes at least {least} ms" in meter.heads["main"].pot.held[0].reason
    assert meter.outcome(replace(envelope(3, wagers()), at_ms=NOW_MS + 2 * least)).result is MessageResult.BOOKED


def test_r2_a_round_that_is_held_is_the_round_before_the_next_one() -> None:
    """A table that is too fast has every round held until it has paused for as long as a hand takes."""
    meter = bench("T1", shortest_round_ms=15_000)
    times = {seq: NOW_MS + seq * 10_000 for seq in range(1, 5)} | {5: NOW_MS + 55_000}
    said = [replace(envelope(seq, wagers()), at_ms=at_ms) for seq, at_ms in times.items()]
    assert [meter.outcome(entry).result for entry in said] == [
        MessageResult.BOOKED,
        MessageResult.KEPT_ASIDE,
        MessageResult.KEPT_ASIDE,
        MessageResult.KEPT_ASIDE,
        MessageResult.BOOKED,
    ]


@pytest.mark.parametrize("number", [7, 6])
def test_r2_a_round_that_is_registered_again_is_held(number: int) -> None:
    """Each round of a journal counts once, also after a restart and behind a round that was held itself."""
    meter = bench("T1")
    meter.say(envelope(1, wagers(number=7)))
    again = MeterBench(meter.store)
    assert again.outcome(envelope(2, wagers(number=number))).result is MessageResult.KEPT_ASIDE
    assert f"round {number} of a journal that has registered round 7" in again.heads["main"].pot.held[0].reason
    assert again.outcome(envelope(3, wagers(number=7))).result is MessageResult.KEPT_ASIDE
    assert again.outcome(envelope(4, wagers(number=8))).result is MessageResult.BOOKED


def test_a_new_board_may_begin_its_rounds_anew() -> None:
    """Another journal has numbers of its own."""
    meter = bench("T1")
    meter.say(envelope(1, wagers(number=7)))
    meter.decide(SwapBoard("T1", "journal-T1", "new"))
    meter.say(hello("T1", journal="new"))
    assert meter.outcome(envelope(1, wagers(number=1), journal="new")).result is MessageResult.BOOKED


def test_r81_a_clock_that_was_set_back_holds_nothing() -> None:
    """A stepped clock is no haste; the next round is measured from there."""
    meter = bench("T1", shortest_round_ms=20_000)
    meter.say(envelope(1, wagers()))
    assert meter.outcome(replace(envelope(2, wagers()), at_ms=NOW_MS - 3_600_000)).result is MessageResult.BOOKED
    assert meter.outcome(replace(envelope(3, wagers()), at_ms=NOW_MS - 3_599_999)).result is MessageResult.KEPT_ASIDE


def test_r2_a_clock_that_runs_back_is_believed_once() -> None:
    """R81: many rounds, each a millisecond before the last: one of them may be a clock that was set."""
    meter = bench("T1", shortest_round_ms=15_000)
    said = [replace(envelope(seq, wagers()), at_ms=NOW_MS - seq) for seq in range(1, MOST_OPEN + 3)]
    results = [outcome.result for outcome in meter.say(*said).outcomes]
    assert results == [MessageResult.BOOKED, MessageResult.BOOKED, *[MessageResult.KEPT_ASIDE] * MOST_OPEN]


def test_r81_a_clock_may_be_set_back_again_after_a_hand() -> None:
    """Two power cuts in one night, each with an old calendar: nothing is held, and no restart forgets the first one."""
    meter = bench("T1", shortest_round_ms=15_000)
    times = (NOW_MS, NOW_MS - 3_600_000, NOW_MS - 3_585_000, NOW_MS - 7_200_000, NOW_MS - 7_200_001)
    results = []
    for seq, at_ms in enumerate(times, start=1):
        meter = MeterBench(meter.store, *meter.booker._links)
        results.append(meter.outcome(replace(envelope(seq, wagers()), at_ms=at_ms)).result)
    assert results == [*[MessageResult.BOOKED] * 4, MessageResult.KEPT_ASIDE]


@pytest.mark.parametrize(
    ("step_ms", "since_ms", "result"),
    [
        (10_000, 60_000, MessageResult.BOOKED),  # set back by about a round
        (-3_540_000, 60_000, MessageResult.BOOKED),
        (-1, 14_999, MessageResult.KEPT_ASIDE),
        (3_600_000, 14_999, MessageResult.KEPT_ASIDE),  # set forward: no haste is hidden by it
        (3_600_000, 15_000, MessageResult.BOOKED),
    ],
)
def test_r81_time_that_no_clock_step_changes_comes_before_the_calendar(
    step_ms: int, since_ms: int, result: MessageResult
) -> None:
    """A table that says how long ago the round before was is believed, whatever its calendar was set to meanwhile."""
    meter = bench("T1", shortest_round_ms=15_000)
    meter.say(replace(envelope(1, wagers()), at_ms=NOW_MS))
    said = replace(wagers(number=2), since_ms=since_ms)
    assert meter.outcome(replace(envelope(2, said), at_ms=NOW_MS + step_ms)).result is result
    assert meter.outcome(replace(envelope(2, said), at_ms=NOW_MS + step_ms)).result is MessageResult.DUPLICATE
    assert meter.outcome(replace(envelope(3, wagers()), at_ms=NOW_MS + step_ms + 15_000)).result is MessageResult.BOOKED


def test_r81_a_step_that_the_table_told_of_is_not_counted_against_it() -> None:
    """A calendar set back in play, and an old one after a power cut: the second is the first that must be believed."""
    meter = bench("T1", shortest_round_ms=15_000)
    meter.say(replace(envelope(1, wagers()), at_ms=NOW_MS))
    meter.say(replace(envelope(2, replace(wagers(number=2), since_ms=60_000)), at_ms=NOW_MS - 100_000))
    assert meter.outcome(replace(envelope(3, wagers()), at_ms=NOW_MS - 200_000)).result is MessageResult.BOOKED


@given(steps=st.lists(st.integers(-20_000, 14_999), min_size=1, max_size=30))
def test_r2_however_a_clock_is_set_a_round_is_hidden_only_by_a_step_back(steps: list[int]) -> None:
    """Without a pause as long as a hand at most one round more than the first counts."""
    meter = bench("T1", shortest_round_ms=15_000)
    at_ms, booked, advanced = NOW_MS, 0, 0
    for seq, step in enumerate((0, *steps), start=1):
        at_ms, advanced = at_ms + step, max(0, advanced + step)
        if advanced >= 15_000:
            return
        booked += meter.outcome(replace(envelope(seq, wagers()), at_ms=at_ms)).result is MessageResult.BOOKED
    assert booked <= 2


def test_a_table_that_is_always_wrong_cannot_fill_the_books() -> None:
    """After so many held entries the next is refused, and nothing of it is lost: the table keeps it."""
    meter = bench("T1")
    report = meter.say(*(envelope(seq, Wagers(seq, 500, (1,))) for seq in range(1, MOST_OPEN + 2)))
    assert report.outcomes[-1].result is MessageResult.REFUSED
    assert len(meter.heads["main"].pot.held) == MOST_OPEN
    assert meter.reply(hello("T1")).booked_seq == MOST_OPEN


def test_r2_what_is_held_of_one_table_keeps_no_other_from_being_held() -> None:
    """T1 is wrong until it is refused; T2's only doubtful round is kept aside, and its honest ones count."""
    meter = bench("T1", "T2")
    meter.say(*(envelope(seq, Wagers(seq, 500, (1,))) for seq in range(1, MOST_OPEN + 1)))
    refused = meter.outcome(envelope(MOST_OPEN + 1, Wagers(0, 500, (1,))))
    assert f"{MOST_OPEN} rounds and awards of table T1 are open" in refused.words
    assert meter.outcome(envelope(1, wagers(1, number=1), "T2")).result is MessageResult.BOOKED
    assert meter.outcome(envelope(2, wagers(1, number=1), "T2")).result is MessageResult.KEPT_ASIDE
    assert meter.outcome(envelope(3, wagers(1, number=3), "T2")).result is MessageResult.BOOKED
    again = MeterBench(meter.store)
    assert len(again.heads["main"].pot.held) == MOST_OPEN + 1
    assert len(encode(state_of("main", again.heads["main"], NOW_MS))) < MAX_MESSAGE_BYTES // 10, "it says how many"
    assert again.decide(DecideHeld(ENTRY, counts=False)) == ""
    assert again.outcome(envelope(MOST_OPEN + 1, Wagers(0, 500, (1,)))).result is MessageResult.KEPT_ASIDE
