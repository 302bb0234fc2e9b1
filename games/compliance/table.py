"""What the rules forbid of one table."""

from games.catalogue import GAMES
from games.compliance.cases import Faults, RuleFault, TableCase
from games.compliance.pay_limits import limit_faults, listed_table, minimum_faults, pay_faults
from games.compliance.rarity import rarity_faults
from games.game import Game, Wager
from games.money import dollars
from games.showdown.blackjack import NO_BONUS_RULE


def table_faults(case: TableCase) -> tuple[RuleFault, ...]:
    """Everything that is wrong with this table by itself."""
    game = GAMES.get(case.game)
    if game is None:
        return (
            RuleFault("game", case.game, f"there is no game {case.game!r}", f"choose among {', '.join(GAMES)}", ""),
        )
    return (
        *_seats(game, case),
        *_stake(game, case),
        *_pay_tables(game, case),
        *_wagers(game, case),
        *_options(game, case),
        *_pays(game, case),
        *minimum_faults(game, case),
        *limit_faults(game, case),
        *_decks(game, case),
    )


def _seats(game: Game, case: TableCase) -> Faults:
    if case.seats > game.most_seats:
        problem = f"{case.seats} seats; {game.title} has at most {game.most_seats}"
        yield RuleFault("seats", case.seats, problem, "remove some", game.clauses["most_seats"])


def _stake(game: Game, case: TableCase) -> Faults:
    wager = game.progressive
    if wager and case.stake_cents not in wager.stakes:
        problem = f"{game.name} has no progressive wager of {dollars(case.stake_cents)}"
        remedy = f"write {' or '.join(map(str, wager.stakes))}"
        yield RuleFault("stake_cents", case.stake_cents, problem, remedy, wager.rule)


def _pay_tables(game: Game, case: TableCase) -> Faults:
    wager = game.progressive
    if wager and case.pay_table not in wager.pay_table_names:
        yield _no_table("pay_table", wager, case.pay_table)
    for name, chosen in case.pay_tables.items():
        side = game.wager(name)
        if side is None or not side.tables or side.is_progressive:
            problem = f"{game.name} has no side wager {name!r} with pay tables"
            yield RuleFault(f"pay_tables.{name}", chosen, problem, "remove it", game.clauses["settlement"])
        elif chosen not in side.pay_table_names:
            yield _no_table(f"pay_tables.{name}", side, chosen)


def _options(game: Game, case: TableCase) -> Faults:
    """Every option is one of the game's, and so is its choice."""
    known = {option.name: option for option in game.options}
    for name, chosen in case.options.items():
        option = known.get(name)
        if option is None:
            problem = f"{game.name} has no option {name!r}"
            remedy = f"choose among {', '.join(known)}" if known else "remove it"
            yield RuleFault(f"options.{name}", chosen, problem, remedy, "")
        elif chosen not in option.choices:
            remedy = f"choose among {', '.join(option.choices)}"
            yield RuleFault(f"options.{name}", chosen, f"{name} cannot be {chosen!r}", remedy, option.rule)
    if "number" in case.wagers and case.options.get("start", "generator") != "generator":
        problem = "wagers on a number need the generator that draws it"
        yield RuleFault("options.start", case.options["start"], problem, 'write "generator", or nothing', "11.13(a)")


def _no_table(key: str, wager: Wager, chosen: str) -> RuleFault:
    remedy = f"choose among {', '.join(wager.pay_table_names)}"
    return RuleFault(key, chosen, f"{wager.name} has no pay table {chosen!r}", remedy, wager.tables[0].lines[0].rule)


def _wagers(game: Game, case: TableCase) -> Faults:
    """Every wager is one of the game's, and none excludes another."""
    for name in case.wagers:
        if game.wager(name) is None:
            known = ", ".join(wager.name for wager in game.wagers)
            yield RuleFault("wagers", name, f"{game.name} has no wager {name!r}", f"choose among {known}", "")
    offered = frozenset(case.wagers)
    for exclusion in game.exclusions:
        one, other = sorted(offered & exclusion.one), sorted(offered & exclusion.other)
        if one and other:
            problem = f"{', '.join(one)} may not be offered beside {', '.join(other)}"
            yield RuleFault("wagers", case.wagers, problem, "offer the one or the other", exclusion.rule)
    if case.dealer_hands > 1 and not any(option.name == "dealer_hands" for option in game.options):
        problem = f"{game.name} has no multiple action"
        yield RuleFault("dealer_hands", case.dealer_hands, problem, "remove it", "")
    if case.insurance_to_one and case.dealer_hands == 1:
        problem = "insurance is known of multiple action only: section 2.9 is not in our text"
        yield RuleFault("insurance_to_one", case.insurance_to_one, problem, "remove it", "2.18(d)")
    if case.dealer_hands > 1 and "bonus" in offered and case.multiple_action_bonus == "refused":
        problem = "the bonus may not be offered beside multiple action"
        remedy = 'offer the one or the other, or write multiple_action_bonus = "approved"'
        yield RuleFault("wagers", case.wagers, problem, remedy, NO_BONUS_RULE)


def _pays(game: Game, case: TableCase) -> Faults:
    """No pay is below the listed one."""
    for name, pays in case.pays.items():
        wager = game.wager(name)
        table = listed_table(game, name, case)
        if table is not None:
            yield from pay_faults(f"pays.{name}", table, pays)
        elif wager is None or not wager.tables:
            problem = f"{game.name} has no wager {name!r} with a pay table"
            yield RuleFault(f"pays.{name}", tuple(pays), problem, "remove it", game.clauses["settlement"])


def _decks(game: Game, case: TableCase) -> Faults:
    """A shoe of this size exists, and every award of the meter can be won from it."""
    if case.decks is not None and not 1 <= case.decks <= game.most_decks:
        problem = f"{game.title} is dealt from 1 to {game.most_decks} decks, not from {case.decks}"
        yield RuleFault(
            "decks", case.decks, problem, "write another number", game.clauses.get("most_decks", "house: decks")
        )
    else:
        yield from rarity_faults(case)
