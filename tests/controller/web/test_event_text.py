"""Events in the plain words of the demo's journal strip: no key names, no true or false, no numbers of programs."""

from typing import get_args

import pytest

from controller.web.event_text import event_sentence
from demo.view import VisitorView
from games.round import events
from games.round.events import Event
from tests.support.table.paper_floor import Bench

KINDS = {kind for part in get_args(Event) for kind in (get_args(part) or (part,))}
PLAIN: list[tuple[Event, str]] = [
    (events.TableOpened("Sue"), "Sue: open the table"),
    (events.CloseAsked("Sue", "end of day"), "Sue: close the table after this round (end of day)"),
    (events.TableClosed("Sue", "end of day"), "Sue: table closed (end of day)"),
    (events.RoundOpened(), "Next round, wagers open"),
    (events.ChipPlaced(3), "Chip at seat 3"),
    (events.ChipLifted(3), "Chip taken off seat 3"),
    (events.CouponRedeemed(3, "A-17", "Dan"), "Dan: coupon A-17 at seat 3"),
    (events.CouponAccepted(7), "The meter redeemed the coupon of entry 7"),
    (events.CouponRefused(7, "redeemed at T2"), "Redeemed at T2"),
    (events.CouponReturned(3, "Dan"), "Dan: coupon of seat 3 taken back"),
    (events.WagerPlaced(3, "six_card_bonus", by="Dan"), "Dan: six card bonus wager at seat 3"),
    (events.WagerPlaced(3, "pair_plus", 10_00, by="Dan"), "Dan: pair plus wager of $10 at seat 3"),
    (events.WagerPlaced(3, "number", 5_00, 7), "Number wager of $5 at seat 3 on number 7"),
    (events.WagerTakenBack(3, "bonus", "Dan"), "Dan: bonus wager of seat 3 taken back"),
    (events.WagersRepeated("Dan"), "Dan: the same wagers on the layout as in the last round"),
    (events.BaseWagerMissed(3, "Dan"), "Dan: no base wager at seat 3: its progressive wager goes back"),
    (events.BaseWagerLaid(3, "Dan"), "Dan: base wager laid at seat 3 after all"),
    (events.LockOutPressed(), "Lock-out pressed"),
    (events.CollectionStarted("Pitlink 12345678", 40), "The return device gives the chips back"),
    (events.ChipsReturned(2), "2 chips back so far"),
    (events.ChipsCounted(1), "1 chip counted"),
    (events.ChipsAttested(0), "The dealer saw 0 chips: no more bets"),
    (events.RecountAsked("Dan"), "Dan: count the chips again"),
    (
        events.MismatchExplained("Sue", "it fell down", (2, 3)),
        "Sue: chips and lights differ (it fell down); no wager at seats 2 and 3",
    ),
    (events.MismatchExplained("Sue", "it fell down"), "Sue: chips and lights differ (it fell down)"),
    (events.WagersRegistered(17), "The meter has the wagers"),
    (events.SeatFolded(3), "Seat 3 folded"),
    (events.FoldCorrected(3, "Sue"), "Sue: seat 3 had not folded"),
    (events.IrregularityNoted("card_exposed", "Sue"), "Sue: irregularity: card exposed"),
    (events.IrregularityNoted("six_cards", "Sue", (4, 5)), "Sue: irregularity: six cards at seats 4 and 5"),
    (events.IrregularityWithdrawn("card_exposed", "Sue"), "Sue: no irregularity after all: card exposed"),
    (events.RefundsConfirmed("Dan"), "Dan: wagers given back from the rack"),
    (events.AreasHeld((2, 3), "Dan"), "Dan: one player at seats 2 and 3"),
    (events.BankPassed((6, 5), "Dan"), "Dan: bank passed on by seats 6 and 5"),
    (events.BankTaken(4, 500_00, 80_00, 25_00, 25_00, by="Dan"), "Dan: seat 4 banks with $500; the dealer wagers $25"),
    (events.BankTaken(4, 500_00, 80_00, 25_00, co_bank=True), "Seat 4 banks with $500; the house covers half"),
    (events.BankGivenBack("Dan"), "Dan: no player banks after all"),
    (events.DiceTotalled((1, 6, 4), "Dan"), "Dan: the dice total 11"),
    (events.StubCounted(11, 6, "Dan"), "Dan: 11 cards counted in the stub after 6 hands"),
    (events.HouseWayAsked(0, ("As", "Jk")), "House way of the dealer: As Jk"),
    (events.BaseWagerWon(3, 35_00, "Dan"), "Dan: base wager of $35 at seat 3 wins"),
    (events.CentreCounted(125_00, 40_00, "Dan"), "Dan: $125 in the centre, $40 to be paid"),
    (events.HandClaimed(3, ("Ah", "Kh"), ("Th", "Jh", "Qh"), by="Dan"), "Dan: seat 3 wins: Ah Kh with Th Jh Qh"),
    (events.HandClaimed(3, hand="akq_suited_spades"), "Seat 3 wins: A-K-Q of spades"),
    (
        events.HandClaimed(3, hand="straight_flush", by="Dan", wager="pair_plus", paid=True),
        "Dan: seat 3 wins on pair plus: straight flush, paid at once",
    ),
    (events.HandShown(3, ("Ah", "Kh", "Qh"), by="Dan"), "Dan: seat 3 shows Ah Kh Qh"),
    (events.NoWinShown((6, 7), "Dan"), "Dan: nothing from the meter at seats 6 and 7"),
    (events.NumberDrawn(4, "Dan"), "Dan: number 4 drawn"),
    (events.StacksDealt(), "Stacks dealt by hand: the number is drawn"),
    (events.DealerCardDealt("As", 0, "Dan"), "Dan: the dealer's up-card is As"),
    (events.DealerCardDealt("Kd", 2, "Dan"), "Dan: the second card of the dealer's hand 2 is Kd"),
    (events.BonusDisplayed(3, 250_00, "Dan"), "Dan: the bonus display shows seat 3 $250"),
    (events.HandsAllShown("Dan"), "Dan: every hand looked at"),
    (events.SideChipPlaced(3, "pair_plus"), "Pair plus chip at seat 3"),
    (events.SideChipLifted(3, "pair_plus"), "Pair plus chip taken off seat 3"),
    (events.PapersCompleted(3, "Dan"), "Dan: papers of seat 3 complete: its cards may go"),
    (events.EnvyPaid(3, "Dan"), "Dan: envy bonus paid at seat 3"),
    (events.AwardFixed(4, 50_00, 10_000_00, 9_950_00), "The meter pays $50 and stands at $9,950"),
    (events.AwardFixed(4, 500_00, 300_00, 0, 200_00), "The meter pays $300 and stands at $0; the house pays $200"),
    (events.ClaimValidated(3, "Sue"), "Sue: win of seat 3 validated"),
    (events.ValidationAccepted(3), "The meter agrees with the validation of seat 3"),
    (events.ValidationRefused(3, "no"), "The meter does not agree with the validation of seat 3 (no)"),
    (events.ClaimValidated(3, "Sue", "envy"), "Sue: envied hand of seat 3 validated"),
    (events.ClaimValidated(3, "Sue", "bonus"), "Sue: bonus win of seat 3 validated"),
    (events.ClaimRejected(3, "Sue", "misread"), "Sue: win of seat 3 rejected (misread)"),
    (events.PayoutConfirmed(3, "Dan"), "Dan: seat 3 paid"),
    (events.PayoutConfirmed(3, "Dan", "bonus"), "Dan: seat 3 paid its bonus"),
    (events.EndOfRoundPressed(), "End of round pressed"),
    (events.SupervisorKeyTurned(True), "Supervisor's key turned on"),
    (events.SupervisorKeyTurned(False), "Supervisor's key turned off"),
    (events.DeviceFaulted("seat 3 acceptor", "stuck", "broken for 3 s", 3), "Seat 3 acceptor: broken for 3 s"),
    (events.DeviceFaulted("return device", "jammed", ""), "Return device: jammed"),
    (events.DeviceMended("seat 3 acceptor", "at rest"), "Seat 3 acceptor works again"),
    (events.LinkLost("the broker is gone"), "No meter: the broker is gone"),
    (events.LinkLost("a rehearsal", refused=True), "The meter does not let this table play: a rehearsal"),
    (events.LinkRestored(), "The meter answers again"),
    (events.AwardsHeld("management decides"), "Awards held: management decides"),
    (events.AwardsFreed(), "Awards free again"),
    (events.PanelUsed("Sue", "signed in", "supervisor"), "Sue: signed in, supervisor"),
    (events.PanelUsed("Sue", "signed out"), "Sue: signed out"),
]


@pytest.mark.parametrize(("event", "words"), PLAIN, ids=[type(event).__name__ for event, _ in PLAIN])
def test_an_event_is_told_in_plain_words(event: Event, words: str) -> None:
    """As somebody at the table would say it."""
    assert event_sentence(event) == words


def test_every_event_has_its_words() -> None:
    """A new kind of event is told here before it is told to anybody."""
    assert {type(event) for event, _ in PLAIN} == KINDS


async def test_the_strip_tells_what_the_journal_has(bench: Bench) -> None:
    """The key, a chip, and a second chip that is refused with its reason."""
    eyes = VisitorView(bench)
    eyes.look(None)
    await bench.turn_key(on=False)
    await bench.settle()
    await bench.drop_chip(3)
    await bench.settle()
    await bench.tell(events.ChipPlaced(3))
    tail = eyes.look(None)["tail"]
    assert [line["told"] for line in tail] == [
        "Supervisor's key turned off",
        "Chip at seat 3",
        "Chip at seat 3",
    ]
    assert [bool(line["refused"]) for line in tail] == [False, False, True]
