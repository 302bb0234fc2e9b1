"""What a house may pay: pay tables and payout limits against the rule's own."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from games.compliance.cases import Faults, RuleFault, TableCase
from games.game import Cap, Game, Wager
from games.money import Cents, dollars
from games.paytable import Fixed, Odds, Pay, PayLine, PayTable, Percent, raised, words
from games.showdown.caribbean import BET_ODDS, least_limit

# What five others can hold at best beside a seven-card straight flush: one in each other suit, then two royal matches.
_ENVIED: Final = ("seven_card_straight_flush_no_joker",) * 3 + ("royal_flush_plus_royal_match",) * 2


def limit_faults(game: Game, case: TableCase) -> Faults:
    """Every limit that is none of the game's or too low."""
    caps = {cap.option: cap for cap in game.caps}
    for name, cents in case.limits.items():
        cap = caps.get(name)
        if cap is None:
            known = ", ".join(caps) or "none"
            problem = f"{game.name} has no payout limit {name!r}"
            yield RuleFault(f"limits.{name}", cents, problem, f"choose among {known}", game.clauses["settlement"])
        elif cents < (least := max(cap.at_least_cents, _most_won(game, cap, case))):
            problem = f"a payout limit of {dollars(cents)} is too low"
            yield RuleFault(f"limits.{name}", cents, problem, f"set at least {dollars(least)}", cap.rule)
    for name, cents in case.limits_before.items():
        if cents <= case.limits.get(name, cents):
            problem = f"{dollars(cents)} is no limit that was lowered"
            remedy = "write what the limit was while it was higher, or remove it"
            yield RuleFault(f"limits_before.{name}", cents, problem, remedy, game.clauses["settlement"])


def minimum_faults(game: Game, case: TableCase) -> Faults:
    """Every table minimum of a wager that the game does not have, or below what the rule asks."""
    for name, cents in case.minimums.items():
        wager = game.wager(name)
        if wager is None or wager.is_progressive or wager.sees == "others":
            known = ", ".join(each.name for each in game.wagers if not each.is_progressive and each.sees != "others")
            problem = f"{game.name} has no wager {name!r} with a minimum of the house's"
            yield RuleFault(f"minimums.{name}", cents, problem, f"choose among {known}", "")
        elif cents < wager.minimum_cents:
            problem = f"a minimum of {dollars(cents)} for {name}"
            yield RuleFault(
                f"minimums.{name}", cents, problem, f"ask for at least {dollars(wager.minimum_cents)}", wager.rule
            )


# Odds of a base wager that the text gives; the catalogue lists what is paid beside the base game.
_BASE_ODDS: Final[Mapping[tuple[str, str], PayTable]] = {("caribbean-stud", "bet"): BET_ODDS}


def listed_table(game: Game, name: str, case: TableCase) -> PayTable | None:
    """The rule's own pays of the wager of this name, as far as the text gives them."""
    wager = game.wager(name)
    return _BASE_ODDS.get((game.name, name)) or (chosen_table(wager, case) if wager else None)


def chosen_table(wager: Wager, case: TableCase) -> PayTable | None:
    """The pay table that this table of the house has for a wager, as the rule prints it; None if there is none."""
    if not wager.tables:
        return None
    default = case.pay_table if wager.is_progressive else wager.pay_table_names[0]
    return wager.pay_table(case.pay_tables.get(wager.name, default), case.stake_cents)


def _most_won(game: Game, cap: Cap, case: TableCase) -> Cents:
    """What one player could win in a round with the least wagers that the limit is for; no two of them win at once."""
    if "bet" in cap.wagers:
        return least_limit(case.minimums.get("ante", 0), _best_odds(BET_ODDS, case.pays.get("bet", {})))
    wagers = [wager for wager in game.wagers if wager.name in cap.wagers]
    won = max(_best_pay(wager, case) * _least_wager(wager, case) for wager in wagers)
    return int(won) + sum(_most_envied(wager, game, case) for wager in wagers if wager.sees == "others")


def _best_pay(wager: Wager, case: TableCase) -> Fraction:
    """The highest odds of this wager, as this house pays it."""
    table = chosen_table(wager, case)
    return _best_odds(table, case.pays.get(wager.name, {})) if table else Fraction(0)


def _best_odds(table: PayTable, pays: Mapping[str, Pay]) -> Fraction:
    lines = raised(table, pays).lines
    return max((line.pay.to_one for line in lines if isinstance(line.pay, Odds)), default=Fraction(0))


def _most_envied(envy: Wager, game: Game, case: TableCase) -> Cents:
    """What others' hands can bring, if the least wager entitles to it."""
    carrier = game.wager(envy.needs.any_of[0]) if envy.needs else None
    if carrier is None or _least_wager(carrier, case) < envy.minimum_cents:
        return 0
    rows = (envy.tables[0].line(hand) for hand in _ENVIED[: case.seats - 1])
    return sum(row.pay.cents for row in rows if row and isinstance(row.pay, Fixed))


def _least_wager(wager: Wager, case: TableCase) -> Cents:
    return case.minimums.get(wager.name, wager.minimum_cents)


# Clauses that say "no less than" (for 11.16(a) and (c), its (d) does); every other names the pay itself.
_LEAST: Final = frozenset(
    {
        "28.11(f)",
        "16.12(c)",
        "16.12(e)",
        "16.12(e) before its amendment",
        "11.13(b)6",
        "11.14(d)",
        "11.16(a)",
        "11.16(c)",
        "11.18(b)",
        "11.18(c)",
    }
)
_MOST: Final[Mapping[str, Pay]] = {"11.13(b)6": Odds(Fraction(6))}
_WHOLE_METER_BP: Final = 10_000


def pay_faults(key: str, table: PayTable, pays: Mapping[str, Pay]) -> Faults:
    """Every pay that this table does not allow."""
    for hand, pay in pays.items():
        line = table.line(hand)
        where = f"{key}.{hand}"
        if line is None:
            known = ", ".join(each.hand for each in table.lines)
            problem = f"pay table {table.name} pays nothing for {hand}"
            yield RuleFault(where, words(pay), problem, f"choose among {known}", table.lines[0].rule)
        else:
            yield from _row_faults(where, line, pay)


def _row_faults(where: str, line: PayLine, pay: Pay) -> Faults:
    listed, most = line.pay, _MOST.get(line.rule)
    if type(pay) is not type(listed):
        problem = f"{words(pay)} cannot be held against the {words(listed)} of the rule"
        yield RuleFault(where, words(pay), problem, f"write at least {words(listed)}", line.rule)
    elif _size(pay) < _size(listed):
        yield RuleFault(where, words(pay), f"{words(pay)} is too little", f"pay at least {words(listed)}", line.rule)
    elif pay != listed and line.rule not in _LEAST:
        problem = f"{words(pay)} is not what the rule pays"
        yield RuleFault(where, words(pay), problem, f"pay exactly {words(listed)}", line.rule)
    elif most and _size(pay) > _size(most):
        yield RuleFault(where, words(pay), f"{words(pay)} is too much", f"pay at most {words(most)}", line.rule)
    elif isinstance(pay, Percent) and pay.bp > _WHOLE_METER_BP:
        yield RuleFault(where, words(pay), "no meter holds more than all of it", "pay at most 100 % of it", line.rule)


def _size(pay: Pay) -> Fraction:
    match pay:
        case Percent(bp=bp):
            return Fraction(bp)
        case Fixed(cents=cents):
            return Fraction(cents)
        case Odds(to_one=odds):
            return odds
