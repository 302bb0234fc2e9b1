"""States that a table must not believe: of a meter that was passed over, of restored books, of yesterday."""

from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.meter_link.display import LinkView
from link.messages import VERSION, State
from tests.support.table.clocked_link import FIRST, LINK, ClockedLink, clocked_link

OLD = replace(FIRST, number=3, amount_cents=9_000_00)
"""What a meter says that was frozen at its third record."""


def shown(link: ClockedLink) -> tuple[int, int]:
    """Record and amount, as table and sign show them."""
    assert link.client.state is not None
    assert link.client.view().amount_cents == link.client.state.amount_cents
    return link.client.state.number, link.client.state.amount_cents


async def test_r82_a_meter_that_was_passed_over_lowers_nothing(tmp_path: Path) -> None:
    """It wakes up and speaks between the words of the one that took over, and takes its leave: nobody notices."""
    async with clocked_link(tmp_path) as link:
        before = link.why_lost
        for _ in range(40):
            link.meter.say(OLD)
            await link.pass_time(0.3)
            assert shown(link) == (7, 10_000_00)
        link.meter.say(replace(OLD, alive=False, health="stopped", notice="another meter has the books"))
        await link.pass_time(20)
        assert link.is_open
        assert link.why_lost == before


@pytest.mark.parametrize("is_busy", [False, True])
async def test_r82_books_that_went_back_close_the_table_before_they_are_shown(tmp_path: Path, is_busy: bool) -> None:
    """All of this table's entries are there, other tables' are not: it closes, says why, joins again, shows what is."""
    async with clocked_link(tmp_path) as link:
        link.meter.state, fell = OLD, link.clock.now()
        while not link.is_shut:
            assert shown(link) == (7, 10_000_00)
            if is_busy:
                link.client.heard(link.meter.answer(link.table.journal.id))
            await link.pass_time(0.25)
        assert link.clock.now() <= fell + 1 + 5.0
        assert link.why_lost[-1] == "the meter's books went back to record 3: call accounting"
        await link.pass_time(3)
        assert link.is_open
        assert shown(link) == (3, 9_000_00)


async def test_r4_a_will_says_nothing_of_the_books(tmp_path: Path) -> None:
    """The meter is back at once, its next state is not: until then the table shows the last amount it was told."""
    async with clocked_link(tmp_path) as link:
        link.meter.die()
        await link.settle()
        assert link.client.state is not None
        assert not link.client.state.alive
        await link.pass_time(0.5)
        link.meter.come_back()
        await link.pass_time(0.75)
        assert link.client.view() == LinkView(
            LINK, up=True, reason="", amount_cents=10_000_00, notice="", waiting=0, detail=""
        )


async def test_an_echo_is_no_sign_of_life(tmp_path: Path) -> None:
    """A bridge hands on the last state a second time, as if it were new: loss_s counts from the first."""
    async with clocked_link(tmp_path) as link:
        last, state = link.clock.now(), link.client.state
        assert state is not None
        link.meter.fall_silent()
        await link.pass_time(4)
        link.meter.repeat(state)
        await link.pass_time(4)
        assert link.is_shut
        assert link.gates.shut_at == pytest.approx(last + 5.0)


Word: TypeAlias = tuple[str, float | int]
WORDS: st.SearchStrategy[list[Word]] = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), st.floats(0.01, 4.0) | st.sampled_from((1.0, 2.0, 3.0))),
        st.tuples(st.sampled_from(("state", "leave", "kept")), st.integers(0, 12)),
        st.tuples(st.sampled_from(("answer", "cut", "connect")), st.just(0)),
    ),
    max_size=40,
)


@given(WORDS)
@example([("wait", 3.0), ("state", 3), ("wait", 2.0), ("answer", 0), ("state", 3)])  # answered before it was told
@settings(max_examples=60)
async def test_r40_r82_whatever_is_said_a_table_without_a_word_is_shut_and_an_open_one_shows_nothing_lower(
    tmp_path_factory: pytest.TempPathFactory, words: list[Word]
) -> None:
    """Several meters, wills, answers, cuts and what brokers kept, in any order, and silences in between."""
    async with clocked_link(tmp_path_factory.mktemp("words")) as link:
        link.meter.fall_silent()
        link.meter.answers.clear()
        last, number = link.clock.now(), shown(link)[0]
        for kind, value in words:
            last = await happen(link, kind, value, last)
            assert not link.is_open or link.clock.now() < last + 5.0
            assert not link.is_open or shown(link)[0] >= number
            number = shown(link)[0] if link.is_open else 0


@given(WORDS)
@settings(max_examples=30)
async def test_r82_a_house_that_plays_on_without_its_meter_shows_nothing_lower_either(
    tmp_path_factory: pytest.TempPathFactory, words: list[Word]
) -> None:
    """It is open most of the time: an amount falls only while it is shut because the books went back."""
    async with clocked_link(tmp_path_factory.mktemp("words"), queue_when_link_lost=True) as link:
        link.meter.fall_silent()
        link.meter.answers.clear()
        number = shown(link)[0]
        for kind, value in words:
            await happen(link, kind, value, 0.0)
            assert not link.is_open or shown(link)[0] >= number
            number = shown(link)[0] if link.is_open else 0


@given(WORDS, st.booleans())
@settings(max_examples=30)
async def test_r82_what_a_broker_kept_is_not_lowered_either_once_it_was_played_for(
    tmp_path_factory: pytest.TempPathFactory, words: list[Word], queues: bool
) -> None:
    """A table that wakes up shows what the broker had in store, which may be ahead of the books, and opens on it."""
    folder = tmp_path_factory.mktemp("words")
    async with clocked_link(folder, queue_when_link_lost=queues):
        pass
    async with clocked_link(folder, is_up=False, queue_when_link_lost=queues) as link:
        number = 0
        for kind, value in words:
            await happen(link, kind, value, 0.0)
            seen = link.client.state.number if link.client.state else 0
            assert not link.is_open or seen >= number
            number = seen if link.is_open else 0


async def test_r82_books_that_went_back_are_not_shown_before_their_meter_takes_the_table(tmp_path: Path) -> None:
    """Whoever speaks of lower figures and answers nobody may be anybody: the table is shut and shows what it knew."""
    async with clocked_link(tmp_path) as link:
        link.meter.state = OLD
        link.meter.answers.clear()
        await link.pass_time(30)
        assert link.is_shut
        assert shown(link) == (7, 10_000_00)
        link.meter.answers.add("hello")
        await link.pass_time(3)
        assert link.is_open
        assert shown(link) == (3, 9_000_00)


async def happen(link: ClockedLink, kind: str, value: float, last: float) -> float:
    """Lets one thing happen; when the table last heard something of a meter that is there."""
    state = State(VERSION, LINK, alive=kind != "leave", number=int(value), amount_cents=1000 * int(value))
    is_word = link.is_connected and kind in {"state", "answer"}
    match kind:
        case "wait":
            await link.pass_time(value)
        case "state" | "leave":
            link.meter.say(state)
        case "kept":
            link.meter.say(state, retained=True)
        case "answer":
            answer = link.meter.answer(link.table.journal.id)
            link.say(answer.topic, answer.payload)
        case "cut":
            link.cut()
        case _:
            link.connect()
    await link.settle()
    return link.clock.now() if is_word else last
