"""What the rules forbid of one meter and the games on it."""

from collections.abc import Iterator

from games.catalogue import GAMES
from games.compliance.cases import Fault, Faults, GameOnLink, LinkCase
from games.compliance.linked import unlinkable_faults
from games.compliance.offer import Offer, offers_of
from games.compliance.pay_limits import pay_faults
from games.compliance.similarity import ALIKE, difference
from games.game import Game
from games.money import dollars


def link_faults(case: LinkCase) -> tuple[Fault, ...]:
    """Everything that is wrong with this meter, whichever tables join it."""
    # Two pay tables may break one rule in the same way: once is enough.
    return tuple(dict.fromkeys((*_each_game(case), *_likeness(case))))


def unlike(one: LinkCase, other: LinkCase) -> str | None:
    """Why money of one meter may not go to the other, or None: what is played for there is played for here, too."""
    here = [offer for on_link in one.games for offer in offers_of(on_link)]
    for offer in (offer for on_link in other.games for offer in offers_of(on_link)):
        differences = [difference(each, offer) for each in here]
        if differences and None not in differences:
            return differences[0]
    return None


def _each_game(case: LinkCase) -> Faults:
    for place, on_link in enumerate(case.games, start=1):
        game = GAMES.get(on_link.game)
        if game is None:
            remedy = f"choose among {', '.join(GAMES)}"
            yield Fault(f"game[{place}].name", on_link.game, f"there is no game {on_link.game!r}", remedy, "")
            continue
        yield from _wager_faults(f"game[{place}]", game, on_link)
        yield from _rate(game, on_link, case)
        yield from _funding(game, case)


def _wager_faults(key: str, game: Game, on_link: GameOnLink) -> Faults:
    wager = game.progressive
    assert wager is not None
    for stake in on_link.stakes_cents:
        if stake not in wager.stakes:
            problem = f"{game.name} has no progressive wager of {dollars(stake)}"
            remedy = f"write {' or '.join(map(str, wager.stakes))}"
            yield Fault(f"{key}.stakes_cents", stake, problem, remedy, wager.rule)
    for name in on_link.pay_tables:
        if name not in wager.pay_table_names:
            remedy = f"choose among {', '.join(wager.pay_table_names)}"
            problem = f"{game.name} has no pay table {name!r}"
            yield Fault(f"{key}.pay_tables", name, problem, remedy, wager.tables[0].lines[0].rule)
        for stake in on_link.stakes_cents:
            table = wager.pay_table(name, stake)
            yield from pay_faults(f"{key}.pays", table, on_link.pays) if table else ()


def _rate(game: Game, on_link: GameOnLink, case: LinkCase) -> Faults:
    """The meter's part of each wager, with the reset meter's where the rule counts them together."""
    combined = game.rate_combines_reset_meter
    rate = case.rate_bp + case.reset_rate_bp if combined else case.rate_bp
    asked = {
        game.minimum_rate_bp(table, stake): (table, stake)
        for table in on_link.pay_tables
        for stake in on_link.stakes_cents
    }
    least = max(asked, default=0)
    if rate < least:
        table, stake = asked[least]
        meters = "meter and reset meter together" if combined else "the meter"
        problem = f"{game.name} {table} at {dollars(stake)} puts {rate} basis points on {meters}"
        yield Fault(
            "rate_bp", case.rate_bp, problem, f"put at least {least} basis points", game.clauses["minimum_rates"]
        )


def _funding(game: Game, case: LinkCase) -> Faults:
    """Neither the first amount nor the house's part of a later one may be too small."""
    least, rule = game.minimum_reset_cents, game.clauses["minimum_reset_cents"]
    amounts = (("base_cents", "begins with", case.base_cents), ("reset_cents", "is reset to", case.reset_cents))
    for key, verb, cents in amounts:
        if cents < least:
            problem = f"a meter of {game.name} {verb} {dollars(cents)}"
            yield Fault(key, cents, problem, f"fund at least {dollars(least)}", rule)


def _likeness(case: LinkCase) -> Faults:
    """What is linked pays the same prizes from the meter, and as often."""
    offers = tuple(_placed_offers(case))
    if len(offers) < 2 and case.tables < 2:
        return
    names = {on_link.game for on_link in case.games}
    for place, offer in offers:
        yield from unlinkable_faults(f"game[{place}].pay_tables", offer, names)
        why = difference(offers[0][1], offer)
        if why:
            key = "stakes_cents" if offer.stake_cents != offers[0][1].stake_cents else "pay_tables"
            value = offer.stake_cents if key == "stakes_cents" else offer.table.name
            yield Fault(f"game[{place}].{key}", value, why, "link only what is alike", ALIKE)


def _placed_offers(case: LinkCase) -> Iterator[tuple[int, Offer]]:
    for place, on_link in enumerate(case.games, start=1):
        for offer in offers_of(on_link):
            yield place, offer
