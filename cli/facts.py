"""What a par sheet says, line by line, whatever it is printed on."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from cli.par_sheet import Report
from cli.words import (
    hand_words,
    money,
    once_in,
    per_cent,
)
from games.money import dollars
from games.odds.par_sheet import Row, back
from games.paytable import Percent, words

COLUMNS: Final = ("Hand", "Pays", "Hands", "Probability", "How often", "Return")
THOUSAND_DOLLARS: Final = 1_000_00


def title(report: Report) -> str:
    """Which wager this is."""
    bet, terms = report.bet, report.bet.terms
    decks = f", {bet.layout.decks} decks" if bet.game.most_decks > 1 else ""
    return (
        f"{bet.game.title}: {hand_words(bet.wager.name)}, pay table {terms.table.name}, "
        f"{dollars(terms.stake_cents)} wager{decks}"
    )


def rows(report: Report) -> Iterator[tuple[str, ...]]:
    """The cells of each row of the table, that of the hands which win nothing, and all hands."""
    sheet = report.sheet
    for row in sheet.rows:
        cells = hand_words(row.line.hand), words(row.line.pay)
        yield (*cells, *_chances(row.combinations, sheet.total), _row_return(row, report))
    yield ("nothing", "", *_chances(sheet.nothing, sheet.total), "")
    yield ("all hands", "", f"{sheet.total:,}", "", "", _return_words(report))


def facts(report: Report) -> Iterator[tuple[str, str]]:
    """What follows from the table, as name and value."""
    sheet, returns = report.sheet, report.sheet.returns
    yield "Fixed return", per_cent(returns.fixed)
    if report.has_meter:
        yield (
            "Each $1,000 on the meter adds",
            per_cent(returns.at(THOUSAND_DOLLARS, sheet.terms.stake_cents) - returns.fixed),
        )
        yield "Break-even meter", "none" if sheet.break_even_cents is None else dollars(sheet.break_even_cents)
    if report.meter_cents is not None:
        yield f"Return at a meter of {dollars(report.meter_cents)}", _return_words(report)
    yield "Any award", once_in(sheet.total, report.awarded)
    if report.has_meter:
        yield "The whole meter", once_in(sheet.total, report.whole_meter)
    if returns.meter_coefficient:
        yield from _long_run(report)


def notes(report: Report) -> Iterator[str]:
    """What a reader must know to read the numbers right."""
    if report.bet.wager.sees == "others":
        yield "For one other player at the table; each further player adds the same again."
    if report.bet.game.hand_grows:
        yield "Cards in the order dealt, the player always drawing to four."
    if len(report.sheet.turning_points) > 1:
        turns = ", ".join(map(dollars, report.sheet.turning_points[1:]))
        yield (
            f"The highest pay counts, so a low meter changes which row pays some hands, at {turns}; "
            f"from {dollars(report.sheet.turning_points[-1])} on it no longer does. "
            f"These rows are counted at {dollars(report.sheet.meter_cents)}."
        )


def _chances(hands: int, total: int) -> tuple[str, str, str]:
    return f"{hands:,}", per_cent(Fraction(hands, total), 6), once_in(total, hands)


def _row_return(row: Row, report: Report) -> str:
    """What the row adds to the return; a part of the meter adds nothing that can be said without a meter."""
    terms, share = report.sheet.terms, Fraction(row.combinations, report.sheet.total * report.sheet.terms.stake_cents)
    if not isinstance(row.line.pay, Percent):
        return per_cent(share * back(row.line, terms))
    if report.meter_cents is None:
        return ""
    return per_cent(share * report.meter_cents * row.line.pay.bp / 10_000)


def _return_words(report: Report) -> str:
    """The return at the meter asked for, or its fixed part."""
    return per_cent(report.sheet.returns.at(report.meter_cents or 0, report.sheet.terms.stake_cents))


def _long_run(report: Report) -> Iterator[tuple[str, str]]:
    funding, run = report.funding, report.long_run
    when = (
        f"at a rate of {per_cent(Fraction(funding.rate_bp, 10_000), 2)} and a reset of {dollars(funding.reset_cents)}"
    )
    if run is None:
        yield f"Long run {when}", "the amounts alone would empty the meter"
        return
    yield f"Long-run return {when}", per_cent(run.returned)
    yield "Average meter in the long run", money(run.average_meter_cents)
