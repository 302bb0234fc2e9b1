"""Admission: which tables may join a link, and which entries no honest table sends."""

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from games import catalogue
from games.cards import CardFault, parse_cards
from games.compliance import TableCase, joining_faults, sign_fault, usual_decks
from games.game import Wager
from games.money import dollars
from games.paytable import Fixed, Pay, PayLine, Percent, pay_of, raised
from link.messages import (
    VERSION,
    Award,
    Coupon,
    CouponReturn,
    Entry,
    Envelope,
    Hello,
    Payout,
    Release,
    Validation,
    Wagers,
)
from meter.ledger.awards import WHOLE_METER_BP
from meter.ledger.link_state import Member
from meter.settings import Link

_UNSIGNED_RELEASE: Final = "a rejected award needs a reason and the person who rejected it"


def join_refusal(link: Link, hello: Hello, known: Member | None) -> str | None:
    """Why this table may not join, or None."""
    if hello.v != VERSION:
        return f"protocol version {hello.v} is not spoken here; this meter speaks version {VERSION}"
    if hello.table not in link.tables:
        return f"table {hello.table} is not one of link {link.name}'s tables"
    if hello.rehearsal != link.terms.rehearsal:
        return "a rehearsal table cannot join a live link, nor a live table a rehearsal"
    if link.approved and hello.config_hash not in link.approved:
        return (
            f"configuration {hello.config_hash or 'without a hash'} is not one of those approved for this link; "
            "if it is to play here, write its hash into approved in the meter's settings"
        )
    if known and known.hello.journal != hello.journal:
        return (
            f"table {hello.table} has joined with another journal: two tables of one name, or a changed board "
            f"(then have two persons decide SwapBoard to {hello.journal})"
        )
    if known and known.given_up and hello.next_seq != known.booked_seq + 1:
        return (
            f"table {hello.table} was given up when the parameters changed and has entries of before: have two persons "
            "Correct what they come to, and SwapBoard to a new journal"
        )
    return _game_refusal(link, hello) or _prize_refusal(link, hello) or _sign_refusal(link, hello)


def _sign_refusal(link: Link, hello: Hello) -> str | None:
    case = TableCase(hello.game, hello.pay_table, hello.stake_cents, connection_sign=hello.connection_sign)
    fault = next(sign_fault(case, {game.name for game in link.games}), None)
    return f"{fault} [{fault.rule}]" if fault else None


def _prize_refusal(link: Link, hello: Hello) -> str | None:
    """Whatever is taken from the meter here must be taken so at every table of it."""
    pays = {hand: pay for hand, said in hello.pays.items() if (pay := pay_of(said))}
    strange = next((hand for hand in hello.pays if hand not in pays), None)
    if strange is not None:
        return f"{hello.pays[strange]!r} for {strange} is no pay: say 6000 for cents, 12 % for a part of the meter"
    decks = hello.decks or None
    case = TableCase(hello.game, hello.pay_table, hello.stake_cents, decks=decks, pays={"progressive": pays})
    fault = next(iter(joining_faults(case, link.case)), None)
    return f"{fault} [{fault.rule}]" if fault else None


def _game_refusal(link: Link, hello: Hello) -> str | None:
    allowed, game = link.game(hello.game), catalogue.game(hello.game)
    if allowed is None or game is None:
        return f"link {link.name} has no game {hello.game}"
    if hello.pay_table not in allowed.pay_tables:
        return f"link {link.name} does not allow pay table {hello.pay_table} of {hello.game}"
    if hello.stake_cents not in allowed.stakes_cents:
        return f"link {link.name} takes no wager of {dollars(hello.stake_cents)} of {hello.game}"
    decks, agreed = usual_decks(game.name, hello.decks or None), usual_decks(game.name, allowed.decks)
    if decks != agreed:
        return f"link {link.name} deals {game.name} from {agreed} deck(s), this table from {decks} [1.39B(d)3]"
    if hello.seats > game.most_seats:
        return f"{hello.game} has at most {game.most_seats} seats, this table says {hello.seats}"
    return None


def entry_refusal(link: Link, hello: Hello, entry: Entry) -> str | None:
    """Why an entry of a table that joined so cannot be booked at all, or None."""
    match entry:
        case Wagers():
            return _wagers_refusal(entry)
        case Award():
            return _award_refusal(link, hello, entry)
        case Validation() | Payout():
            return None  # a proof that does not hold is booked, and does not count
        case Release(reason=reason, rejected_by=person):
            return None if reason.strip() and person.strip() else _UNSIGNED_RELEASE
        case Coupon():
            return _coupon_refusal(hello, entry)
        case CouponReturn():
            return None


def entry_doubt(link: Link, member: Member, envelope: Envelope, now_ms: int) -> str:
    """Why these wagers (R2), this claim or this payout (law 6) must not count before two persons decide, or nothing."""
    match envelope.entry:
        case Wagers() as wagers:
            doubt = _stake_doubt(member.hello, wagers) or _round_doubt(member, wagers) or _coupon_doubt(member, wagers)
            passed_ms = envelope.at_ms - member.wagered_ms if wagers.since_ms is UNSET else wagers.since_ms
            return doubt or _pace_doubt(member, passed_ms, link.shortest_round_of(member.hello.game))
        case Award() as award:
            least_ms = link.shortest_claim_of(member.hello.game)
            return member.last.doubt(award) or _early(now_ms - member.booked_ms, least_ms, "a claim", "its wagers")
        case Payout(award_seq=seq):
            claim = next((claim for claim in member.last.claimed if claim.seq == seq), None)
            least_ms = link.shortest_payout_of(member.hello.game)
            return _early(now_ms - claim.booked_ms, least_ms, "a payout", "its claim") if claim else ""
        case _:
            return ""


def _early(passed_ms: int, least_ms: int, what: str, after: str) -> str:
    """By the meter's calendar: the table's time is its own word. One that was set back makes two persons look."""
    is_early = bool(least_ms) and passed_ms < least_ms
    return f"{what} {passed_ms} ms after {after}; it takes at least {least_ms} ms" if is_early else ""


def _stake_doubt(hello: Hello, wagers: Wagers) -> str:
    if wagers.stake_cents != hello.stake_cents:
        return f"wagers of {dollars(wagers.stake_cents)} from a table that joined with {dollars(hello.stake_cents)}"
    if max(wagers.seats) > hello.seats:
        return f"a wager at seat {max(wagers.seats)} of a table with {hello.seats} seats"
    return ""


def _round_doubt(member: Member, wagers: Wagers) -> str:
    """A journal numbers its rounds upwards and registers each of them once."""
    if member.round is not None and wagers.round <= member.round:
        return f"round {wagers.round} of a journal that has registered round {member.round}"
    return ""


def _coupon_doubt(member: Member, wagers: Wagers) -> str:
    """A coupon's wager was redeemed in the same round: the register knows each of them."""
    for seat in wagers.coupons:
        redeemed = member.redeemed.get(seat)
        if redeemed is None or redeemed.round != wagers.round:
            return f"a coupon at seat {seat} in round {wagers.round}, for which the register redeemed none"
    return ""


def _pace_doubt(member: Member, passed_ms: int, least_ms: int) -> str:
    """A clock that was set back says nothing, once: again only after it has run for as long as a hand takes."""
    if 0 <= passed_ms < least_ms:
        return f"a round {passed_ms} ms after the one before; a hand takes at least {least_ms} ms"
    if passed_ms < 0 and member.stepped_ms is not None and member.wagered_ms - member.stepped_ms < least_ms:
        return f"the table's clock went back by {-passed_ms} ms since the round before, and not for the first time"
    return ""


def _wagers_refusal(wagers: Wagers) -> str | None:
    seats = set(wagers.seats)
    if not seats or len(seats) != len(wagers.seats) or len(set(wagers.coupons)) != len(wagers.coupons):
        return "a round's wagers name each seat exactly once, and at least one"
    return None if set(wagers.coupons) <= seats else "a coupon at a seat without a wager"


def _coupon_refusal(hello: Hello, coupon: Coupon) -> str | None:
    game = catalogue.game(hello.game)
    if game is None or not game.coupons:
        return f"{hello.game} takes no coupons"
    return f"a coupon at seat {coupon.seat} of a table with {hello.seats} seats" if coupon.seat > hello.seats else None


def _award_refusal(link: Link, hello: Hello, award: Award) -> str | None:
    if award.seat > hello.seats:
        return f"an award at seat {award.seat} of a table with {hello.seats} seats"
    if award.sharers and not _can_share(hello, award):
        return f"seats {', '.join(map(str, award.sharers))} cannot share this award of {hello.game}"
    if not any(
        line.hand == award.hand and _claim_of(line.pay) == _claimed(award) for line in _meter_lines(link, hello)
    ):
        return f"pay table {hello.pay_table} of {hello.game} pays {award.hand} from the meter otherwise, or not at all"
    return _cards_refusal(link, hello, award)


def _cards_refusal(link: Link, hello: Hello, award: Award) -> str | None:
    """Why these cannot be the cards of this claim, or None; a part of the meter is not fixed without cards."""
    seats = set(award.sharers or (award.seat,))
    if award.percent_bp and (set(award.cards) != seats or not all(award.cards.values())):
        return "a part of the meter is fixed with the cards of each winning hand only"
    game, allowed = catalogue.game(hello.game), link.game(hello.game)
    assert game is not None
    assert allowed is not None
    for hand in award.cards.values():
        cards = parse_cards(hand, joker=game.joker, decks=usual_decks(game.name, allowed.decks))
        if isinstance(cards, CardFault):
            return f"{' '.join(hand)} is no hand of {game.name}: {cards.problem}"
    return None


def _can_share(hello: Hello, award: Award) -> bool:
    """Only the whole meter, only where the game divides it, among several seats of the table, each once."""
    game, seats = catalogue.game(hello.game), award.sharers
    divides = game is not None and game.shares_whole_meter and award.percent_bp == WHOLE_METER_BP
    return divides and award.seat in seats and 1 < len(set(seats)) == len(seats) and max(seats) <= hello.seats


def _meter_lines(link: Link, hello: Hello) -> Iterator[PayLine]:
    """Every row that this table may pay from the meter, whichever options its house has chosen."""
    allowed = link.game(hello.game)
    pays = allowed.pays if allowed else {}
    for wager in _progressives(hello.game):
        table = wager.pay_table(hello.pay_table, hello.stake_cents)
        yield from (line for line in raised(table, pays).lines if line.deducted) if table else ()


def _progressives(name: str) -> Iterator[Wager]:
    game = catalogue.game(name)
    if game is None:
        return
    optional = (wager for option in game.options for wagers in option.wagers.values() for wager in wagers)
    yield from (wager for wager in (*game.wagers, *optional) if wager.name == "progressive")


def _claim_of(pay: Pay) -> tuple[int, int]:
    match pay:
        case Percent(bp=bp):
            return bp, 0
        case Fixed(cents=cents):
            return 0, cents
        case _:
            return 0, 0


def _claimed(award: Award) -> tuple[int, int]:
    return award.percent_bp, award.fixed_cents
