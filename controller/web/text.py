"""Text helpers that every page and every step share."""

import re
from decimal import Decimal
from typing import Final

from msgspec import Struct

from common.words import DOLLARS, ENGLISH, PageWords, Words
from games.paytable import Fixed, Odds, Pay, Percent, mixed
from games.refusal import Refusal
from games.round.state import Claim

IN_ENGLISH: Final = PageWords("panel", DOLLARS).of(ENGLISH)
"""The panel's words for programs, command lines and tests."""

_AT_SEAT: Final = re.compile(r"seat (\d+) (acceptor|light)")


class Told(Struct, frozen=True):
    """A refusal as people read it."""

    reason: str
    rule: str = ""


def told(refusal: Refusal, words: Words = IN_ENGLISH) -> Told:
    """This refusal in the words of one language."""
    return Told(words.page("refusals").say(refusal.key, **refusal.values), refusal.rule)


def spoken(name: str) -> str:
    """A hand or an irregularity as people say it."""
    return name.replace("_", " ").replace("akq", "A-K-Q")


def with_rule(words: str, rule: str) -> str:
    """Words with the clause that they rest on, once."""
    return words if not rule or rule in words else f"{words} [{rule}]"


def device_words(device: str, words: Words) -> str:
    """What people call a device; a seat's own by its seat."""
    at_seat = _AT_SEAT.fullmatch(device)
    if at_seat is None:
        return words.inside("device", device)
    return words.say("seat_acceptor" if at_seat[2] == "acceptor" else "seat_light", seat=at_seat[1])


def hand_of(claim: Claim, words: Words) -> str:
    """Whose win this is, and what with: seat 3: flush; seat 3: bonus, flush."""
    key = "seat_hand" if claim.wager == "progressive" else "seat_wager_hand"
    return words.say(key, seat=claim.seat, wager=claim.wager, hand=claim.hand)


def pay_words(pay: Pay, words: Words) -> str:
    """What a row of a pay table says: $500, 10 % of the meter, 8 to 1."""
    match pay:
        case Percent(bp=bp):
            return words.say("part_of_meter", percent=words.decimal(Decimal(bp) / 100))
        case Fixed(cents=cents):
            return words.money(cents)
        case Odds(to_one=to_one):
            return words.say("odds", number=mixed(to_one))


def place_words(position: int, words: Words) -> str:
    """How a position of the deal is called; 0 is the dealer."""
    return words.say("at_seat", seat=position) if position else words.say("at_dealer")


def reason_words(reason: str, words: Words) -> str:
    """Why the meter is not there, or holds an award; what a meter wrote stays as it is."""
    return words.name("reason", reason) if words.has_name("reason", reason) else reason
