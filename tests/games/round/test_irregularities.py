"""The round of Texas hold 'em bonus: irregularities, faults, a lost meter, the key, and the end of the shift."""

import pytest

from games.round.device_events import NOT_YET
from games.round.effects import AddWagers, Light, ReleaseAward
from games.round.events import (
    ChipPlaced,
    ChipsCounted,
    ClaimValidated,
    CloseAsked,
    DeviceFaulted,
    DeviceMended,
    EndOfRoundPressed,
    HandClaimed,
    IrregularityNoted,
    IrregularityWithdrawn,
    LinkLost,
    LinkRestored,
    LockOutPressed,
    RefundsConfirmed,
    SupervisorKeyTurned,
    TableClosed,
    TableOpened,
)
from games.round.state import ClaimState, Phase
from tests.support.games.pit import FLOP, FLUSH, STRAIGHT_FLUSH, PaperTable, table_rules


@pytest.fixture
def table() -> PaperTable:
    return PaperTable()


def test_28_12_a_an_exposed_dealer_card_voids_the_hands_but_not_the_progressive(table: PaperTable) -> None:
    """The progressive is settled by the tables all the same."""
    table.deal(3)
    table.must(IrregularityNoted("dealer_card_exposed", "Sue"))
    assert table.refusal(IrregularityNoted("dealer_card_exposed", "Sue")).rule == "28.12(a)"
    assert (table.state.voided, table.state.refunds_due, table.lit) == ((), {}, [3])
    table.win(3)
    assert "28.12(a)" in table.claim(3).rule


def test_28_12_a_who_was_paid_before_the_fault_is_not_asked_again(table: PaperTable) -> None:
    """The hands are void, the payment stands, and the next seat's progressive is settled all the same."""
    table.deal(2, 5)
    table.win(5)
    table.must(IrregularityNoted("dealer_card_exposed", "Sue"), HandClaimed(2, STRAIGHT_FLUSH, FLOP))
    assert table.claim(2).state is ClaimState.ASKED


def test_28_12_b_cards_face_up_before_the_two_cards_refund_the_wagers(table: PaperTable) -> None:
    """The round ends only when every wager was given back; the contribution stays on the meter."""
    table.deal(3, 5)
    table.must(IrregularityNoted("several_cards_face_up_before_two_cards", "Sue"))
    assert table.refusal(IrregularityNoted("several_cards_face_up_before_two_cards", "Sue")).rule == "28.12(b)"
    assert table.state.refunds_due == {3: ("progressive",), 5: ("progressive",)}
    assert "refund seats 3, 5" in table.refusal(EndOfRoundPressed()).reason
    assert table.lit == [3, 5]
    table.must(RefundsConfirmed("Dan"))
    assert table.lit == []
    assert len(table.entries) == 1
    table.must(EndOfRoundPressed())


def test_28_12_b_2_cards_face_up_after_the_two_cards_are_settled(table: PaperTable) -> None:
    """Found after the initial two cards, the progressive is settled once the flop is dealt."""
    table.deal(3)
    table.must(IrregularityNoted("several_cards_face_up_after_two_cards", "Sue"))
    table.win(3)


def test_28_12_b_open_claims_of_a_void_round_are_rejected_and_paid_ones_stand(table: PaperTable) -> None:
    """What the meter had fixed goes back to it; who was paid gets no refund on top."""
    table.deal(3, 5)
    table.win(5)
    table.must(HandClaimed(3, STRAIGHT_FLUSH, FLOP))
    table.fix(1_000_00)
    table.must(IrregularityNoted("several_cards_face_up_before_two_cards", "Sue"))
    assert table.entries[-1].entry == ReleaseAward(5, "several_cards_face_up_before_two_cards", "Sue")
    assert (table.claim(3).state, table.claim(5).state) == (ClaimState.REJECTED, ClaimState.PAID)
    assert table.state.refunds_due == {3: ("progressive",)}
    assert table.lit == [3]
    table.must(RefundsConfirmed("Dan"), EndOfRoundPressed())


def test_28_12_several_irregularities_are_a_list_and_each_can_be_withdrawn(table: PaperTable) -> None:
    """One that voids nothing is written down as such; the other refunds until the supervisor takes it back."""
    table.deal(3, 5)
    table.must(IrregularityNoted("one_card_face_up", "Sue"), IrregularityNoted("misdeal_at_seats", "Sue", (3,)))
    assert [noted.name for noted in table.state.irregularities] == ["one_card_face_up", "misdeal_at_seats"]
    assert table.state.refunds_due == {3: ("progressive",)}
    table.must(IrregularityWithdrawn("misdeal_at_seats", "Sue"))
    assert (table.state.refunds_due, table.state.voided, table.lit) == ({}, (), [3, 5])
    assert "not written down" in table.refusal(IrregularityWithdrawn("misdeal_at_seats", "Sue")).reason
    table.must(IrregularityNoted("misdeal_at_seats", "Sue", (3,)), RefundsConfirmed("Dan"))
    assert "it stands" in table.refusal(IrregularityWithdrawn("misdeal_at_seats", "Sue")).reason


def test_16_13_a_a_hole_card_exposed_before_no_more_bets_ends_the_round() -> None:
    """While wagers are open: nothing is registered, and the chips that are inside come with the next count (S-74)."""
    table = PaperTable(table_rules("base", name="caribbean-stud"))
    table.must(ChipPlaced(3), ChipPlaced(5))
    assert table.refusal(IrregularityNoted("several_cards_face_up", "Sue")).rule == "16.13(b)"
    table.must(IrregularityNoted("hole_card_exposed", "Sue"))
    assert (table.phase, table.open_gates) == (Phase.VOIDED, [])
    assert table.state.refunds_due == {3: ("progressive",), 5: ("progressive",)}
    table.must(RefundsConfirmed("Dan"), EndOfRoundPressed())
    table.next_round()
    table.must(ChipPlaced(1), LockOutPressed())
    assert table.refusal(ChipsCounted(1)).rule == "house: caribbean's wagers"
    table.must(ChipsCounted(3))
    assert [order.entry for order in table.entries] == [AddWagers(2, 100, (1,), ())]


def test_an_unknown_irregularity_is_refused_with_the_known_ones(table: PaperTable) -> None:
    """Bad input gets a list to choose from."""
    table.deal(3)
    assert "dealer_card_exposed" in table.refusal(IrregularityNoted("earthquake", "Sue")).reason


def test_a_voided_round_before_the_count_registers_nothing(table: PaperTable) -> None:
    """A jammed table can still give everybody his chip back; what the rule says of cards comes when they are dealt."""
    table.must(ChipPlaced(3), LockOutPressed())
    assert table.refusal(IrregularityNoted("several_cards_face_up_before_two_cards", "Sue")).rule == "28.12(b)"
    table.must(IrregularityNoted("misdeal", "Sue"))
    assert table.phase is Phase.VOIDED
    assert table.state.refunds_due == {3: ("progressive",)}
    table.must(RefundsConfirmed("Dan"), EndOfRoundPressed())
    assert table.entries == []


def test_the_supervisor_key_guards_what_is_the_supervisors() -> None:
    """With a key switch at the table, its position decides."""
    table = PaperTable(table_rules(supervisor_key=True))
    table.deal(3)
    table.must(HandClaimed(3, FLUSH, FLOP))
    table.fix()
    table.must(SupervisorKeyTurned(on=False))
    assert "key" in table.refusal(ClaimValidated(3, "Sue")).reason
    assert "key" in table.refusal(CloseAsked("Sue", "night")).reason
    table.must(SupervisorKeyTurned(on=True), ClaimValidated(3, "Sue"))


def test_a_seat_fault_shuts_that_seat_only_and_survives_the_round(table: PaperTable) -> None:
    """The seat says look here until its cause was tested again."""
    table.must(DeviceFaulted("seat 3 acceptor", "stuck", "beam broken for 2 s", seat=3))
    assert table.lights[3] is Light.LOOK
    assert 3 not in table.open_gates
    assert "beam broken" in table.refusal(ChipPlaced(3)).reason
    table.deal(4)
    table.must(EndOfRoundPressed())
    table.next_round()
    assert table.lights[3] is Light.LOOK
    table.must(DeviceMended("seat 3 acceptor"))
    assert 3 in table.open_gates


def test_a_fault_never_hides_a_live_wager(table: PaperTable) -> None:
    """A light is lit exactly while its seat has a live wager."""
    table.must(ChipPlaced(3), DeviceFaulted("seat 3 acceptor", "stuck", "beam broken", seat=3))
    assert table.lights[3] is Light.LIT


def test_a_fault_of_the_whole_table_shuts_it_and_keeps_it_from_opening(table: PaperTable) -> None:
    """Where in doubt the table is closed."""
    table.must(DeviceFaulted("return device", "jam", "clear the hopper"))
    assert table.open_gates == []
    closed = PaperTable(is_open=False)
    closed.must(DeviceFaulted("return device", "jam", "clear the hopper"))
    assert "clear the hopper" in closed.refusal(TableOpened("Ann")).reason


def test_without_the_meter_no_new_wagers_but_the_round_in_hand_is_finished(table: PaperTable) -> None:
    """Link loss shuts the gates; what was wagered is counted, registered and settled."""
    table.must(ChipPlaced(3), LinkLost("the meter does not answer"))
    assert table.open_gates == []
    assert table.lit == [3]
    assert "does not answer" in table.refusal(ChipPlaced(4)).reason
    table.must(LockOutPressed(), ChipsCounted(1), EndOfRoundPressed())
    assert len(table.entries) == 1
    table.next_round()
    assert table.open_gates == []
    table.must(LinkRestored())
    assert table.open_gates == [1, 2, 3, 4, 5, 6, 7]


def test_a_house_with_compensating_controls_plays_on_without_the_meter() -> None:
    """The queue option leaves the gates open."""
    table = PaperTable(table_rules(queue_when_link_lost=True))
    table.must(LinkLost("gone"), ChipPlaced(3))
    assert table.lit == [3]


def test_a_house_that_queues_does_not_play_on_where_the_meter_refuses_it() -> None:
    """A refusal is no loss: it shuts the gates, outlasts rounds and whatever is lost after it, until the link is up."""
    table = PaperTable(table_rules(queue_when_link_lost=True))
    table.must(ChipPlaced(3), LinkLost("a rehearsal cannot join", refused=True))
    assert table.open_gates == []
    assert "a rehearsal cannot join" in table.refusal(ChipPlaced(4)).reason
    table.must(LinkLost("the network is down"))
    table.must(LockOutPressed(), ChipsCounted(1), EndOfRoundPressed())
    table.next_round()
    assert table.open_gates == []
    table.must(LinkRestored(), LinkLost("the network is down"))
    assert table.open_gates == [1, 2, 3, 4, 5, 6, 7]


def test_a_house_that_queues_plays_on_only_when_it_is_known_that_the_meter_is_lost() -> None:
    """A table that wakes up has not asked yet: its meter may refuse it."""
    table = PaperTable(table_rules(queue_when_link_lost=True))
    table.must(LinkLost(NOT_YET))
    assert table.open_gates == []
    table.must(LinkLost("the meter does not answer"))
    assert table.open_gates == [1, 2, 3, 4, 5, 6, 7]


def test_closing_waits_for_the_round_in_hand(table: PaperTable) -> None:
    """Asked in the middle of a round, the table takes no more chips and closes at its end."""
    table.must(ChipPlaced(3), CloseAsked("Sue", "end of day"))
    assert table.open_gates == []
    table.must(LockOutPressed(), ChipsCounted(1), EndOfRoundPressed(), TableClosed("Sue", "end of day"))
    assert table.phase is Phase.CLOSED
    assert table.lights == {}
    assert "closed" in table.refusal(ChipPlaced(3)).reason
    assert table.state.closing is not None
    assert table.state.closing.reason == "end of day"
    table.must(TableOpened("Ann"))
    assert table.open_gates == [1, 2, 3, 4, 5, 6, 7]


def test_a_table_with_live_wagers_does_not_close(table: PaperTable) -> None:
    """A close that slips in between is refused, for a wager is live."""
    table.must(ChipPlaced(3))
    assert "1 wager is live" in table.refusal(TableClosed("Sue", "night")).reason


def test_a_void_hand_at_one_seat_is_refunded_and_the_round_goes_on(table: PaperTable) -> None:
    """A single seat's misdeal leaves the others' wagers alive."""
    table.deal(3, 5)
    assert "single seats" in table.refusal(IrregularityNoted("misdeal_at_seats", "Sue")).reason
    table.must(IrregularityNoted("misdeal_at_seats", "Sue", (3,)))
    assert "void" in table.refusal(HandClaimed(3, FLUSH, FLOP)).reason
    assert "refund seats 3" in table.refusal(EndOfRoundPressed()).reason
    table.must(RefundsConfirmed("Dan"))
    assert table.lit == [5]
    table.win(5)
    table.must(EndOfRoundPressed())
