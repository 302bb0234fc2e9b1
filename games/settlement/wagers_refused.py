"""What the rules forbid of the wagers that lie on the table."""

from games.catalogue.pai_gow_areas import areas_refusal
from games.game import Wager
from games.money import Cents, dollars
from games.settlement.played_round import PlayedRound, Seat
from games.settlement.refused import Refusals, Refused


def seat_number(played: PlayedRound, seat: Seat) -> Refusals:
    """A table has only so many positions."""
    most = played.game.most_seats
    if not 1 <= seat.number <= most:
        rule = played.game.clauses["most_seats"]
        yield Refused(f"seat {seat.number} is not one of 1 to {most}", f"seats.{seat.number}", rule)


def areas(played: PlayedRound, seat: Seat) -> Refusals:
    """Where the rule lets a player hold two areas, they are adjacent."""
    found = areas_refusal(played.areas_of(seat), bank=None) if "areas" in played.game.clauses else None
    if found:
        yield Refused(found.reason, f"seats.{seat.number}.player", found.rule)


def wagers(played: PlayedRound, seat: Seat) -> Refusals:
    """A wager must belong to the game, have its base wager beside it, and be of a lawful amount."""
    for name, cents in seat.wagers.items():
        wager = played.wager(name)
        if wager is None or wager.sees == "others":
            known = ", ".join(each.name for each in played.game.wagers if each.sees != "others")
            yield Refused(f"{name!r} is no wager of {played.game.title}; it has {known}", f"seats.{seat.number}.wagers")
            return
        yield from _prerequisite(seat, wager)
        yield from _amount(seat, wager, cents)


def coupon(played: PlayedRound, seat: Seat) -> Refusals:
    """A coupon stands for a progressive wager, where the game takes coupons."""
    where = f"seats.{seat.number}.coupon"
    if seat.coupon and not played.game.coupons:
        rule = played.game.clauses["coupons"]
        yield Refused(f"seat {seat.number} wagers by coupon, but {played.game.title} takes only chips", where, rule)
    elif seat.coupon and not any(wager.is_progressive for wager in played.wagers_at(seat)):
        yield Refused(f"seat {seat.number} has a coupon but no progressive wager", where)


def fold(played: PlayedRound, seat: Seat) -> Refusals:
    """Some wagers bar their player from surrender, and who made no ante cannot fold it."""
    where = f"seats.{seat.number}.folded"
    if seat.folded and not seat.wagers:
        yield Refused(f"seat {seat.number} made no wager and so has nothing to fold", where)
    for wager in played.wagers_at(seat) if seat.folded else ():
        if wager.fold.effect == "bars":
            yield Refused(f"seat {seat.number} may not surrender with {wager.name}", where, wager.fold.rule)
        elif wager.fold.folds and wager.fold.folds not in seat.wagers:
            problem = f"seat {seat.number} made no {wager.fold.folds} and so has nothing to fold"
            yield Refused(problem, where, wager.fold.rule)


def numbers(played: PlayedRound, seat: Seat) -> Refusals:
    """A number wager says on which numbers it lies, and somebody says which number was drawn."""
    where = f"seats.{seat.number}.numbers"
    if "number" in seat.wagers and not seat.numbers:
        yield Refused(f"seat {seat.number} wagers on no number", where, "11.13(b)2")
    if seat.numbers and "number" not in seat.wagers:
        yield Refused(f"seat {seat.number} has numbers but no number wager", where, "11.13(b)2")
    if seat.numbers and played.number_drawn is None:
        yield Refused("which number was drawn?", "options.number_drawn", "11.13(b)3")


def exclusions(played: PlayedRound) -> Refusals:
    """Some wagers may not be offered at one table."""
    made = {name for seat in played.seats for name in seat.wagers}
    for exclusion in played.game.exclusions:
        if made & exclusion.one and made & exclusion.other:
            both = f"{min(made & exclusion.one)} and {min(made & exclusion.other)}"
            yield Refused(f"{both} may not be offered at one table", "seats", exclusion.rule)


def limits(played: PlayedRound) -> Refusals:
    """A limit on payouts may not be lower than the rule says."""
    for cap in played.game.caps:
        limit = played.limits.get(cap.option, cap.at_least_cents)
        if limit < cap.at_least_cents:
            problem = f"a limit of {dollars(limit)}; it must be at least {dollars(cap.at_least_cents)}"
            yield Refused(problem, f"options.{cap.option}", cap.rule)


def irregular_seats(played: PlayedRound) -> Refusals:
    """An irregularity of single seats says of which, and any other of none."""
    if played.irregularity is None:
        return
    named, rule = played.irregularity.name, played.irregularity.rule
    by_seat = played.irregularity.voids == "seats"
    if by_seat and not played.irregular_seats:
        yield Refused(f"{named} at which seats?", "irregularity.seats", rule)
    if played.irregular_seats and not by_seat:
        yield Refused(f"{named} is not a matter of single seats", "irregularity.seats", rule)
    for number in sorted(played.irregular_seats - {seat.number for seat in played.seats}):
        yield Refused(f"{named} at seat {number}, where nobody plays", "irregularity.seats", rule)


def _prerequisite(seat: Seat, wager: Wager) -> Refusals:
    needs = wager.needs
    if needs and not any(name in seat.wagers for name in needs.any_of):
        problem = f"seat {seat.number} has {wager.name} without {' or '.join(needs.any_of)}"
        yield Refused(problem, f"seats.{seat.number}.wagers", needs.rule)


def _amount(seat: Seat, wager: Wager, cents: Cents) -> Refusals:
    where = f"seats.{seat.number}.amounts.{wager.name}"
    told = f"{wager.name} of {dollars(cents)} at seat {seat.number}"
    if wager.stakes and cents not in wager.stakes:
        yield Refused(f"{told}; it costs {' or '.join(map(dollars, wager.stakes))}", where, wager.rule)
    elif 0 < cents < wager.minimum_cents:
        yield Refused(f"{told}; at least {dollars(wager.minimum_cents)}", where, wager.rule)
