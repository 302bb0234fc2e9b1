"""Whether every award that is a part of the meter can be won often enough."""

from fractions import Fraction
from typing import Final

from games.compliance.cases import Faults, RuleFault, TableCase
from games.compliance.offer import offer_of
from games.compliance.similarity import once_in
from games.paytable import Percent

LEAST_CHANCE: Final = Fraction(1, 100_000_000)
RULE: Final = "13:69D-1.52(e)4"


def rarity_faults(case: TableCase) -> Faults:
    """Every part of the meter that is won more rarely than once in 100 million wagers (R19)."""
    offer = offer_of(case)
    if offer is None:
        return
    sheet = offer.bet.par_sheet()
    key, value = ("decks", offer.decks) if offer.game.most_decks > 1 else ("pay_table", case.pay_table)
    for row in sheet.rows:
        chance = Fraction(row.combinations, sheet.total)
        if isinstance(row.line.pay, Percent) and chance < LEAST_CHANCE:
            problem = f"{row.line.hand} comes {once_in(chance)} in {offer}"
            remedy = f"offer no award of the meter that comes less than {once_in(LEAST_CHANCE)}"
            yield RuleFault(key, value, problem, remedy, RULE)
