"""Event texts: each event of a round as one line for people, who first, then what happened."""

from collections.abc import Sequence
from typing import TypeAlias

from controller.web.text import many, spoken
from games.money import dollars
from games.round import events
from games.round.events import Event

_Count: TypeAlias = (
    events.CollectionStarted
    | events.ChipsReturned
    | events.ChipsCounted
    | events.ChipsAttested
    | events.RecountAsked
    | events.MismatchExplained
    | events.WagersRegistered
)


def event_sentence(event: Event) -> str:
    """What happened, as people at a table say it; a refused event reads as what somebody said or tried."""
    by = str(getattr(event, "by", ""))
    words = _words(event)
    return f"{by}: {words}" if by else words[:1].upper() + words[1:]


def _words(event: Event) -> str:
    if isinstance(event, events.WagerEvent):
        return _wager(event)
    if isinstance(event, events.HandEvent):
        return _hand(event)
    if isinstance(event, events.ClaimEvent):
        return _claim(event)
    if isinstance(event, events.DealEvent):
        return _deal(event)
    if isinstance(event, events.TableEvent):
        return _table(event)
    return _notice(event)


def _wager(event: events.WagerEvent) -> str:
    match event:
        case events.ChipPlaced(seat=seat):
            return f"chip at seat {seat}"
        case events.ChipLifted(seat=seat):
            return f"chip taken off seat {seat}"
        case events.SideChipPlaced(seat=seat, wager=wager):
            return f"{spoken(wager)} chip at seat {seat}"
        case events.SideChipLifted(seat=seat, wager=wager):
            return f"{spoken(wager)} chip taken off seat {seat}"
        case events.CouponRedeemed() | events.CouponAccepted() | events.CouponRefused() | events.CouponReturned():
            return _coupon(event)
        case events.LockOutPressed():
            return "lock-out pressed"
        case events.WagerPlaced(seat=seat, wager=wager, cents=cents, number=number):
            amount = f" of {dollars(cents)}" if cents else ""
            return f"{spoken(wager)} wager{amount} at seat {seat}" + (f" on number {number}" if number else "")
        case events.WagerTakenBack(seat=seat, wager=wager):
            return f"{spoken(wager)} wager of seat {seat} taken back"
        case events.WagersRepeated():
            return "the same wagers on the layout as in the last round"
        case events.BaseWagerMissed(seat=seat):
            return f"no base wager at seat {seat}: its progressive wager goes back"
        case events.BaseWagerLaid(seat=seat):
            return f"base wager laid at seat {seat} after all"
        case _:
            return _count(event)


def _coupon(event: events.CouponRedeemed | events.CouponAccepted | events.CouponRefused | events.CouponReturned) -> str:
    match event:
        case events.CouponRedeemed(seat=seat, serial=serial):
            return f"coupon {serial} at seat {seat}"
        case events.CouponAccepted(seq=seq):
            return f"the meter redeemed the coupon of entry {seq}"
        case events.CouponRefused(reason=reason):
            return reason
        case events.CouponReturned(seat=seat):
            return f"coupon of seat {seat} taken back"


def _count(event: _Count) -> str:
    match event:
        case events.CollectionStarted():
            return "the return device gives the chips back"
        case events.ChipsReturned(chips=chips):
            return f"{many(chips, 'chip')} back so far"
        case events.ChipsCounted(chips=chips):
            return f"{many(chips, 'chip')} counted"
        case events.ChipsAttested(chips=chips):
            return f"the dealer saw {many(chips, 'chip')}: no more bets"
        case events.RecountAsked():
            return "count the chips again"
        case events.MismatchExplained(reason=reason, void_seats=seats):
            return f"chips and lights differ ({reason})" + (f"; no wager at {_seats(seats)}" if seats else "")
        case events.WagersRegistered():
            return "the meter has the wagers"


def _hand(event: events.HandEvent) -> str:
    match event:
        case events.StacksDealt():
            return "stacks dealt by hand: the number is drawn"
        case events.SeatFolded(seat=seat):
            return f"seat {seat} folded"
        case events.FoldCorrected(seat=seat):
            return f"seat {seat} had not folded"
        case events.IrregularityNoted(irregularity=why, seats=seats):
            return f"irregularity: {spoken(why)}" + (f" at {_seats(seats)}" if seats else "")
        case events.IrregularityWithdrawn(irregularity=why):
            return f"no irregularity after all: {spoken(why)}"
        case events.RefundsConfirmed():
            return "wagers given back from the rack"
        case events.AreasHeld(seats=seats):
            return f"one player at {_seats(seats)}"


def _claim(event: events.ClaimEvent) -> str:
    match event:
        case events.HandClaimed(seat=seat, cards=cards, community=community, hand=hand, wager=wager, paid=paid):
            on = "" if wager == "progressive" else f" on {spoken(wager)}"
            return f"seat {seat} wins{on}: {_cards(hand, cards, community)}" + (", paid at once" if paid else "")
        case events.HandShown(seat=seat, cards=cards):
            return f"seat {seat} shows {_cards('', cards)}"
        case events.NoWinShown(seats=seats):
            return f"nothing from the meter at {_seats(seats)}"
        case events.NumberDrawn(number=number):
            return f"number {number} drawn"
        case events.DealerCardDealt(hand=hand, card=card):
            which = f"second card of the dealer's hand {hand}" if hand else "dealer's up-card"
            return f"the {which} is {card}"
        case events.BonusDisplayed(seat=seat, cents=cents):
            return f"the bonus display shows seat {seat} {dollars(cents)}"
        case events.HandsAllShown():
            return "every hand looked at"
        case events.EnvyPaid(seat=seat):
            return f"envy bonus paid at seat {seat}"
        case events.AwardFixed() | events.ValidationAccepted() | events.ValidationRefused():
            return _meter_said(event)
        case events.ClaimValidated(seat=seat, wager=wager):
            return f"{_win(wager)} of seat {seat} validated"
        case events.ClaimRejected(seat=seat, reason=reason):
            return f"win of seat {seat} rejected ({reason})"
        case events.PayoutConfirmed() | events.PapersCompleted():
            return _paid(event)


def _paid(event: events.PayoutConfirmed | events.PapersCompleted) -> str:
    match event:
        case events.PayoutConfirmed(seat=seat, wager=wager):
            return f"seat {seat} paid" + ("" if wager == "progressive" else f" its {spoken(wager)}")
        case events.PapersCompleted(seat=seat):
            return f"papers of seat {seat} complete: its cards may go"


def _deal(event: events.DealEvent) -> str:
    match event:
        case events.BankPassed(seats=seats):
            return f"bank passed on by {_seats(seats)}"
        case events.BankTaken(seat=seat, chips_cents=chips, dealer_wager_cents=wager, co_bank=co_bank):
            against = "; the house covers half" if co_bank else f"; the dealer wagers {dollars(wager)}"
            return f"seat {seat} banks with {dollars(chips)}{against}"
        case events.BankGivenBack():
            return "no player banks after all"
        case events.DiceTotalled(dice=dice):
            return f"the dice total {sum(dice)}"
        case events.StubCounted(cards=cards, hands=hands):
            return f"{many(cards, 'card')} counted in the stub after {many(hands, 'hand')}"
        case events.HouseWayAsked(seat=seat, cards=cards):
            return f"house way of {f'seat {seat}' if seat else 'the dealer'}: {' '.join(cards)}"
        case events.BaseWagerWon(seat=seat, cents=cents):
            return f"base wager of {dollars(cents)} at seat {seat} wins"
        case events.CentreCounted(lost_cents=lost, won_cents=won):
            return f"{dollars(lost)} in the centre, {dollars(won)} to be paid"


def _meter_said(event: events.AwardFixed | events.ValidationAccepted | events.ValidationRefused) -> str:
    match event:
        case events.AwardFixed(amount_cents=amount, meter_after_cents=after, house_funded_cents=funded):
            rest = f"; the house pays {dollars(funded)}" if funded else ""
            return f"the meter pays {dollars(amount - funded)} and stands at {dollars(after)}{rest}"
        case events.ValidationAccepted(seat=seat, waits=waits):
            return f"the meter agrees with the validation of seat {seat}" + (f": {waits}" if waits else "")
        case events.ValidationRefused(seat=seat, reason=reason):
            return f"the meter does not agree with the validation of seat {seat} ({reason})"


def _table(event: events.TableEvent) -> str:
    match event:
        case events.TableOpened():
            return "open the table"
        case events.CloseAsked(reason=reason):
            return f"close the table after this round ({reason})"
        case events.TableClosed(reason=reason):
            return f"table closed ({reason})"
        case events.RoundOpened():
            return "next round, wagers open"
        case events.EndOfRoundPressed():
            return "end of round pressed"


def _notice(event: events.Notice) -> str:
    match event:
        case events.SupervisorKeyTurned(on=on):
            return f"supervisor's key turned {'on' if on else 'off'}"
        case events.DeviceFaulted(device=device, detail=detail, kind=kind):
            return f"{device}: {detail or kind}"
        case events.DeviceMended(device=device):
            return f"{device} works again"
        case events.LinkLost(reason=reason, refused=True):
            return f"the meter does not let this table play: {reason}"
        case events.LinkLost(reason=reason):
            return f"no meter: {reason}"
        case events.LinkRestored():
            return "the meter answers again"
        case events.AwardsHeld(reason=reason):
            return f"awards held: {reason}"
        case events.AwardsFreed():
            return "awards free again"
        case events.PanelUsed(action=action, detail=detail):
            return f"{action}, {detail}" if detail else action


def _win(wager: str) -> str:
    names = {"progressive": "win", "envy": "envied hand"}
    return names.get(wager, f"{spoken(wager)} win")


def _seats(seats: Sequence[int]) -> str:
    """Seats as people list them: seat 3, seats 1, 2 and 5, no seat."""
    if not seats:
        return "no seat"
    first, last = ", ".join(map(str, seats[:-1])), seats[-1]
    return f"seats {first} and {last}" if first else f"seat {last}"


def _cards(hand: str, cards: Sequence[str], community: Sequence[str] = ()) -> str:
    """A hand by its name, or its cards and those in the middle."""
    return spoken(hand) if hand else " with ".join(" ".join(part) for part in (cards, community) if part)
