"""Answers of before a hello, handed on late: they acknowledge nothing, open nothing, and change no amount."""

from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from drivers.mqtt.client import Message
from games.round.events import HandClaimed
from games.round.state import ClaimState
from link.messages import VERSION, FixedAward, Reply, encode
from link.topics import reply_topic
from tests.support.table.clocked_link import LINK, TABLE, ClockedLink, clocked_link

Word: TypeAlias = tuple[str, float]
WORDS: st.SearchStrategy[list[Word]] = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), st.floats(0.01, 6.0)),
        st.tuples(st.sampled_from(("late", "back", "die", "cut", "connect")), st.just(0.0)),
    ),
    max_size=20,
)


async def answer_is_held_up(link: ClockedLink) -> Message:
    """A round is booked, a bridge keeps the answer, and the meter dies; its backup is of before that round."""
    before = link.meter.booked_seq
    link.meter.answers.discard("entry")
    await link.deal(3)
    link.meter.booked_seq = before + 1
    late = link.meter.answer(link.table.journal.id)
    link.meter.answers.add("entry")
    link.meter.die()
    link.meter.booked_seq = before
    await link.settle()
    return late


@given(WORDS)
@example([("back", 0.0), ("late", 0.0)])
@settings(max_examples=30)
async def test_a_late_answer_acknowledges_nothing_that_the_books_do_not_have(
    tmp_path_factory: pytest.TempPathFactory, words: list[Word]
) -> None:
    """Law 4: however late, and whatever else happens, the wager is handed in to the restored books, once."""
    async with clocked_link(tmp_path_factory.mktemp("late")) as link:
        late = await answer_is_held_up(link)
        is_back = False
        for kind, value in words:
            is_back = (is_back or kind == "back") and kind != "die"
            await happen(link, kind, value, late)
            assert link.table.journal.booked_seq() <= link.meter.booked_seq
            assert is_back or not link.is_open
        link.meter.fall_silent()
        link.connect()
        link.meter.start()
        await link.pass_time(20)
        assert link.table.journal.booked_seq() == link.meter.booked_seq == 1
        assert link.table.state.registered
        assert not link.table.state.link_down


async def happen(link: ClockedLink, kind: str, value: float, late: Message) -> None:
    """Lets one thing happen."""
    match kind:
        case "wait":
            await link.pass_time(value)
        case "late":
            link.say(late.topic, late.payload)
        case "back":
            link.meter.fall_silent()
            link.meter.start()
        case "die":
            link.meter.die()
        case "cut":
            link.cut()
        case _:
            link.connect()
    await link.settle()


async def test_nothing_is_an_answer_between_a_will_and_the_next_hello(tmp_path: Path) -> None:
    """The will and an answer of before come in one breath: the table is shut, and the answer opens nothing."""
    async with clocked_link(tmp_path) as link:
        late = link.meter.answer(link.table.journal.id)
        link.meter.die()
        link.say(late.topic, late.payload)
        await link.pass_time(2)
        assert not link.is_open
        assert link.why_lost[-1] == "the meter has stopped"
        link.meter.start()
        await link.pass_time(2)
        assert link.is_open


async def test_a_meter_that_does_not_know_the_greeting_is_greeted_again(tmp_path: Path) -> None:
    """It was started anew so fast that nobody noticed: the table asks, and nothing is lost or shut."""
    async with clocked_link(tmp_path) as link:
        before, link.meter.nonce = len(link.why_lost), ""
        await link.deal(3)
        await link.pass_time(4)
        assert link.meter.nonce
        assert link.table.journal.booked_seq() == 1
        assert link.table.state.registered
        assert len(link.why_lost) == before


async def test_an_answer_of_another_greeting_fixes_no_amount(tmp_path: Path) -> None:
    """An award that was fixed, went back and waits for management: the first amount comes again, late."""
    async with clocked_link(tmp_path) as link:
        await link.deal(3)
        await link.must(HandClaimed(3, ("Ah", "Kh"), ("Th", "Jh", "Qh")))
        await link.settle()
        amount = FixedAward(2, 10_000_00, 10_000_00, 5_000_00)
        for nonce, state in (("of before", ClaimState.ASKED), (link.meter.nonce, ClaimState.FIXED)):
            reply = Reply(VERSION, link.table.journal.id, 2, (amount,), nonce=nonce)
            link.say(reply_topic(LINK, TABLE), encode(reply))
            await link.settle()
            assert link.table.state.claims[0].state is state
