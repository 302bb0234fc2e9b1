"""Event texts: each event of a round as one line for people, who first, then what happened."""

from collections.abc import Sequence
from typing import TypeAlias

from common.words import Words, capitalised
from controller.web.text import IN_ENGLISH, device_words, reason_words
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


def event_sentence(event: Event, words: Words = IN_ENGLISH) -> str:
    """What happened, as people at a table say it; a refused event reads as what somebody said or tried."""
    by, told = str(getattr(event, "by", "")), words.page("events")
    said = _told(event, told)
    return f"{by}: {said}" if by else capitalised(said)


def _told(event: Event, words: Words) -> str:
    if isinstance(event, events.WagerEvent):
        return _wager(event, words)
    if isinstance(event, events.HandEvent):
        return _hand(event, words)
    if isinstance(event, events.ClaimEvent):
        return _claim(event, words)
    if isinstance(event, events.DealEvent):
        return _deal(event, words)
    if isinstance(event, events.TableEvent):
        return _table(event, words)
    return _notice(event, words)


def _wager(event: events.WagerEvent, words: Words) -> str:
    match event:
        case events.ChipPlaced(seat=seat):
            return words.say("chip_placed", seat=seat)
        case events.ChipLifted(seat=seat):
            return words.say("chip_lifted", seat=seat)
        case events.SideChipPlaced(seat=seat, wager=wager):
            return words.say("side_chip_placed", wager=wager, seat=seat)
        case events.SideChipLifted(seat=seat, wager=wager):
            return words.say("side_chip_lifted", wager=wager, seat=seat)
        case events.CouponRedeemed() | events.CouponAccepted() | events.CouponRefused() | events.CouponReturned():
            return _coupon(event, words)
        case events.LockOutPressed():
            return words.say("lock_out_pressed")
        case events.WagerPlaced(seat=seat, wager=wager, cents=cents, number=number):
            laid = words.say("wager_of" if cents else "wager", wager=wager, cents=cents, seat=seat)
            return words.say("on_number", wager=laid, number=number) if number else laid
        case events.WagerTakenBack(seat=seat, wager=wager):
            return words.say("wager_taken_back", wager=wager, seat=seat)
        case events.WagersRepeated():
            return words.say("wagers_repeated")
        case events.BaseWagerMissed(seat=seat):
            return words.say("base_missed", seat=seat)
        case events.BaseWagerLaid(seat=seat):
            return words.say("base_laid", seat=seat)
        case _:
            return _count(event, words)


def _coupon(
    event: events.CouponRedeemed | events.CouponAccepted | events.CouponRefused | events.CouponReturned, words: Words
) -> str:
    match event:
        case events.CouponRedeemed(seat=seat, serial=serial):
            return words.say("coupon_redeemed", serial=serial, seat=seat)
        case events.CouponAccepted(seq=seq):
            return words.say("coupon_accepted", entry=seq)
        case events.CouponRefused(reason=reason):
            return reason
        case events.CouponReturned(seat=seat):
            return words.say("coupon_returned", seat=seat)


def _count(event: _Count, words: Words) -> str:
    match event:
        case events.CollectionStarted():
            return words.say("collection_started")
        case events.ChipsReturned(chips=chips):
            return words.say("chips_returned", chips=chips)
        case events.ChipsCounted(chips=chips):
            return words.say("chips_counted", chips=chips)
        case events.ChipsAttested(chips=chips):
            return words.say("chips_attested", chips=chips)
        case events.RecountAsked():
            return words.say("recount_asked")
        case events.MismatchExplained(reason=reason, void_seats=seats):
            return words.say("mismatch_void" if seats else "mismatch", reason=reason, seats=seats)
        case events.WagersRegistered():
            return words.say("wagers_registered")


def _hand(event: events.HandEvent, words: Words) -> str:
    match event:
        case events.StacksDealt():
            return words.say("stacks_dealt")
        case events.SeatFolded(seat=seat):
            return words.say("seat_folded", seat=seat)
        case events.FoldCorrected(seat=seat):
            return words.say("fold_corrected", seat=seat)
        case events.IrregularityNoted(irregularity=why, seats=seats):
            return words.say("irregularity_at" if seats else "irregularity", irregularity=why, seats=seats)
        case events.IrregularityWithdrawn(irregularity=why):
            return words.say("irregularity_withdrawn", irregularity=why)
        case events.RefundsConfirmed():
            return words.say("refunds_confirmed")
        case events.AreasHeld(seats=seats):
            return words.say("areas_held", seats=seats)


def _claim(event: events.ClaimEvent, words: Words) -> str:
    match event:
        case events.HandClaimed(seat=seat, cards=cards, community=community, hand=hand, wager=wager, paid=paid):
            shown = _cards(words, hand, cards, community)
            key = "hand_claimed" if wager == "progressive" else "wager_claimed"
            said = words.say(key, seat=seat, wager=wager, hand=shown)
            return words.say("paid_at_once", win=said) if paid else said
        case events.HandShown(seat=seat, cards=cards):
            return words.say("hand_shown", seat=seat, cards=cards)
        case events.NoWinShown(seats=seats):
            return words.say("no_win_shown" if seats else "no_win_nowhere", seats=seats)
        case events.NumberDrawn(number=number):
            return words.say("number_drawn", number=number)
        case events.DealerCardDealt(hand=hand, card=card):
            return words.say("second_card" if hand else "up_card", hand=hand, card=card)
        case events.BonusDisplayed(seat=seat, cents=cents):
            return words.say("bonus_displayed", seat=seat, cents=cents)
        case events.HandsAllShown():
            return words.say("all_shown")
        case events.EnvyPaid(seat=seat):
            return words.say("envy_paid", seat=seat)
        case events.AwardFixed() | events.ValidationAccepted() | events.ValidationRefused():
            return _meter_said(event, words)
        case events.ClaimValidated(seat=seat, wager=wager):
            key = {"progressive": "win_validated", "envy": "envied_validated"}.get(wager, "wager_validated")
            return words.say(key, seat=seat, wager=wager)
        case events.ClaimRejected(seat=seat, reason=reason):
            return words.say("win_rejected", seat=seat, reason=reason)
        case events.PayoutConfirmed() | events.PapersCompleted():
            return _paid(event, words)


def _paid(event: events.PayoutConfirmed | events.PapersCompleted, words: Words) -> str:
    match event:
        case events.PayoutConfirmed(seat=seat, wager=wager):
            return words.say("seat_paid" if wager == "progressive" else "wager_paid", seat=seat, wager=wager)
        case events.PapersCompleted(seat=seat):
            return words.say("papers_completed", seat=seat)


def _deal(event: events.DealEvent, words: Words) -> str:
    match event:
        case events.BankPassed(seats=seats):
            return words.say("bank_passed" if seats else "bank_passed_nowhere", seats=seats)
        case events.BankTaken(seat=seat, chips_cents=chips, dealer_wager_cents=wager, co_bank=co_bank):
            return words.say("co_bank_taken" if co_bank else "bank_taken", seat=seat, chips=chips, wager=wager)
        case events.BankGivenBack():
            return words.say("bank_given_back")
        case events.DiceTotalled(dice=dice):
            return words.say("dice_totalled", total=sum(dice))
        case events.StubCounted(cards=cards, hands=hands):
            return words.say("stub_counted", cards=cards, hands=hands)
        case events.HouseWayAsked(seat=seat, cards=cards):
            return words.say("house_way_seat" if seat else "house_way_dealer", seat=seat, cards=cards)
        case events.BaseWagerWon(seat=seat, cents=cents):
            return words.say("base_won", cents=cents, seat=seat)
        case events.CentreCounted(lost_cents=lost, won_cents=won):
            return words.say("centre_counted", lost=lost, won=won)


def _meter_said(event: events.AwardFixed | events.ValidationAccepted | events.ValidationRefused, words: Words) -> str:
    match event:
        case events.AwardFixed(amount_cents=amount, meter_after_cents=after, house_funded_cents=funded):
            key = "award_funded" if funded else "award_fixed"
            return words.say(key, amount=amount - funded, after=after, funded=funded)
        case events.ValidationAccepted(seat=seat, waits=waits):
            return words.say("validation_waits" if waits else "validation_accepted", seat=seat, why=waits)
        case events.ValidationRefused(seat=seat, reason=reason):
            return words.say("validation_refused", seat=seat, reason=reason)


def _table(event: events.TableEvent, words: Words) -> str:
    match event:
        case events.TableOpened():
            return words.say("open_table")
        case events.CloseAsked(reason=reason):
            return words.say("close_asked", reason=reason)
        case events.TableClosed(reason=reason):
            return words.say("table_closed", reason=reason)
        case events.RoundOpened():
            return words.say("round_opened")
        case events.EndOfRoundPressed():
            return words.say("end_pressed")


def _notice(event: events.Notice, words: Words) -> str:
    match event:
        case events.SupervisorKeyTurned(on=on):
            return words.say("key_on" if on else "key_off")
        case events.DeviceFaulted(device=device, detail=detail, kind=kind):
            return words.say("device_faulted", device=_device(device, words), fault=detail or kind)
        case events.DeviceMended(device=device):
            return words.say("device_mended", device=_device(device, words))
        case events.LinkLost(reason=reason, refused=refused):
            return words.say("link_refused" if refused else "link_lost", why=reason_words(reason, words))
        case events.LinkRestored():
            return words.say("link_restored")
        case events.AwardsHeld(reason=reason):
            return words.say("awards_held", why=reason_words(reason, words))
        case events.AwardsFreed():
            return words.say("awards_freed")
        case events.PanelUsed(action=action, detail=detail):
            return f"{action}, {detail}" if detail else action


def _device(device: str, words: Words) -> str:
    return device_words(device, words.page("panel"))


def _cards(words: Words, hand: str, cards: Sequence[str], community: Sequence[str]) -> str:
    """A hand by its name, or its cards and those in the middle."""
    if hand:
        return words.inside("hand", hand)
    return words.say("with", cards=cards, community=community) if community else " ".join(cards)
