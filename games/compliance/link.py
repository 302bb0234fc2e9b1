"""What the rules forbid of one meter, of the games on it, and of a table because of the others."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from games.catalogue import GAMES
from games.compliance.cases import Faults, GameOnLink, LinkCase, RuleFault, TableCase
from games.compliance.offer import ProgressiveOffer, offer_of, offers_of, usual_decks
from games.compliance.pay_limits import pay_faults
from games.compliance.similarity import ALIKE, difference, unlike_prize
from games.game import Game
from games.money import dollars

HOLDEM: Final = "texas-holdem-bonus"
CARIBBEAN: Final = "caribbean-stud"

# Lesser hands "may also be paid", and if so only by table A.
_BESIDE_CARIBBEAN: Final = frozenset({"A", "base"})

_SIGN_RULES: Final[Mapping[str, str]] = {HOLDEM: "1.13Q(f)", CARIBBEAN: "1.13G(h)"}


def linked_faults(case: TableCase, others: Sequence[TableCase], games: Collection[str] = ()) -> tuple[RuleFault, ...]:
    """What is wrong with this linked table beside these others; games are those that its meter allows besides."""
    names = {case.game, *games, *(other.game for other in others)}
    offer = offer_of(case)
    if offer is None:
        return ()
    return (*unlinkable_faults("pay_table", offer, names), *_unlike(case, offer, others), *sign_fault(case, names))


def unlinkable_faults(key: str, offer: ProgressiveOffer, names: Collection[str]) -> Faults:
    """Pay tables that a clause keeps off a link."""
    chosen = offer.table.name
    if offer.game.name == HOLDEM and CARIBBEAN in names and chosen not in _BESIDE_CARIBBEAN:
        problem = f"pay table {chosen} may not be linked to {CARIBBEAN}"
        yield RuleFault(key, chosen, problem, "choose A, or base without lesser hands", "28.11(g)")
    if not offer.table.linkable:
        problem = f"pay table {chosen} of {offer.game.name} may not be linked"
        yield RuleFault(key, chosen, problem, f"choose {_linkable(offer)}, or leave the table alone", "16.12(e)")


def sign_fault(case: TableCase, names: Collection[str]) -> Faults:
    """The sign at each table that says hold 'em bonus and Caribbean stud share a meter."""
    if case.game in _SIGN_RULES and _SIGN_RULES.keys() <= set(names) and not case.connection_sign:
        problem = f"no sign says that {HOLDEM} and {CARIBBEAN} are connected"
        remedy = "post it and write connection_sign = true"
        yield RuleFault("connection_sign", False, problem, remedy, _SIGN_RULES[case.game])


def _unlike(case: TableCase, offer: ProgressiveOffer, others: Sequence[TableCase]) -> Faults:
    """The first of the others that this table's wager is not like."""
    for other in others:
        theirs = offer_of(other)
        why = difference(theirs, offer) if theirs else None
        if theirs and why:
            key, value = _culprit(case, offer, theirs)
            yield RuleFault(key, value, why, "link only what is alike", ALIKE)
            return


def _culprit(case: TableCase, offer: ProgressiveOffer, theirs: ProgressiveOffer) -> tuple[str, object]:
    if offer.stake_cents != theirs.stake_cents:
        return "stake_cents", case.stake_cents
    if offer.game.name == theirs.game.name and offer.decks != theirs.decks:
        return "decks", offer.decks
    return "pay_table", case.pay_table


def _linkable(offer: ProgressiveOffer) -> str:
    wager = offer.game.progressive
    assert wager is not None
    return " or ".join(table.name for table in wager.tables if table.linkable)


def joining_faults(case: TableCase, link: LinkCase) -> tuple[RuleFault, ...]:
    """Why this table may not join this link."""
    on_link = next((game for game in link.games if game.game == case.game), None)
    if on_link is None:
        names = ", ".join(game.game for game in link.games)
        return (RuleFault("game", case.game, f"the link has no {case.game}", f"choose among {names}", ALIKE),)
    return (*_choices(case, on_link), *_prizes(case, on_link))


def _choices(case: TableCase, on_link: GameOnLink) -> Faults:
    if case.pay_table not in on_link.pay_tables:
        problem = f"the link does not allow pay table {case.pay_table} of {case.game}"
        yield RuleFault("pay_table", case.pay_table, problem, f"choose among {', '.join(on_link.pay_tables)}", ALIKE)
    if case.stake_cents not in on_link.stakes_cents:
        problem = f"the link takes no wager of {case.stake_cents} cents in {case.game}"
        remedy = f"choose among {', '.join(map(str, on_link.stakes_cents))}"
        yield RuleFault("stake_cents", case.stake_cents, problem, remedy, ALIKE)
    decks, agreed = usual_decks(case.game, case.decks), usual_decks(on_link.game, on_link.decks)
    if decks != agreed:
        yield RuleFault("decks", decks, f"the link deals {case.game} from {agreed} deck(s)", f"write {agreed}", ALIKE)


def _prizes(case: TableCase, on_link: GameOnLink) -> Faults:
    """What the house pays from the meter beyond the least is the same at the table and on the link."""
    offer = offer_of(case)
    agreed = offer_of(
        TableCase(case.game, case.pay_table, case.stake_cents, decks=on_link.decks, pays={"progressive": on_link.pays})
    )
    why = unlike_prize(agreed, offer, "at this table", "on the link") if offer and agreed else None
    if why:
        yield RuleFault("pays.progressive", None, why, "let the link's pays and the table's be the same", ALIKE)


def link_faults(case: LinkCase) -> tuple[RuleFault, ...]:
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
            yield RuleFault(f"game[{place}].name", on_link.game, f"there is no game {on_link.game!r}", remedy, "")
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
            yield RuleFault(f"{key}.stakes_cents", stake, problem, remedy, wager.rule)
    for name in on_link.pay_tables:
        if name not in wager.pay_table_names:
            remedy = f"choose among {', '.join(wager.pay_table_names)}"
            problem = f"{game.name} has no pay table {name!r}"
            yield RuleFault(f"{key}.pay_tables", name, problem, remedy, wager.tables[0].lines[0].rule)
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
        yield RuleFault(
            "rate_bp", case.rate_bp, problem, f"put at least {least} basis points", game.clauses["minimum_rates"]
        )


def _funding(game: Game, case: LinkCase) -> Faults:
    """Neither the first amount nor the house's part of a later one may be too small."""
    least, rule = game.minimum_reset_cents, game.clauses["minimum_reset_cents"]
    amounts = (("base_cents", "begins with", case.base_cents), ("reset_cents", "is reset to", case.reset_cents))
    for key, verb, cents in amounts:
        if cents < least:
            problem = f"a meter of {game.name} {verb} {dollars(cents)}"
            yield RuleFault(key, cents, problem, f"fund at least {dollars(least)}", rule)


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
            yield RuleFault(f"game[{place}].{key}", value, why, "link only what is alike", ALIKE)


def _placed_offers(case: LinkCase) -> Iterator[tuple[int, ProgressiveOffer]]:
    for place, on_link in enumerate(case.games, start=1):
        for offer in offers_of(on_link):
            yield place, offer
