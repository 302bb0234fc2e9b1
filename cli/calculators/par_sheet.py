"""The par sheet of a wager as text: a bet, its odds, its long run."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from msgspec import Struct

from common.columns import columns
from games.money import Cents, dollars
from games.odds.bets import Bet
from games.odds.long_run import Funding, LongRun, long_run
from games.odds.par_sheet import ParRow, ParSheet, back
from games.paytable import Percent, words
from games.settlement.till import WHOLE


def decimal(number: Fraction, places: int) -> str:
    """A number rounded to so many places, with commas: 1,234.50."""
    scaled = round(number * 10**places)
    whole, part = divmod(abs(scaled), 10**places)
    return ("-" if scaled < 0 else "") + f"{whole:,}" + (f".{part:0{places}}" if places else "")


def per_cent(number: Fraction, places: int = 4) -> str:
    """A part of one in hundredths: 89.7710 %."""
    return f"{decimal(number * 100, places)} %"


def money(cents: Fraction | Cents) -> str:
    """An amount to the nearest cent."""
    return dollars(round(cents))


def once_in(total: int, hands: int) -> str:
    """How rarely a wager sees one of these hands: 1 in 649,740.0."""
    return f"1 in {decimal(Fraction(total, hands), 1)}" if hands else "never"


def hand_words(hand: str) -> str:
    """A hand's name without its underscores."""
    return hand.replace("_", " ")


def numbered(number: Fraction) -> str:
    """A fraction as the contract writes it: num/den, whole numbers too."""
    return f"{number.numerator}/{number.denominator}"


class OddsReport(Struct, frozen=True):
    """A bet's odds at one meter, or at any that is ample, and what feeds its meter."""

    bet: Bet
    meter_cents: Cents | None
    funding: Funding
    sheet: ParSheet
    ample: ParSheet
    long_run: LongRun | None

    @property
    def has_meter(self) -> bool:
        """Whether some row pays a part of a meter."""
        return any(isinstance(row.line.pay, Percent) for row in self.sheet.rows)

    @property
    def awarded(self) -> int:
        """How many hands win anything."""
        return self.sheet.total - self.sheet.nothing

    @property
    def whole_meter(self) -> int:
        """How many hands win the whole meter."""
        return sum(row.combinations for row in self.sheet.rows if row.line.pay == WHOLE)


def report(bet: Bet, funding: Funding, meter_cents: Cents | None) -> OddsReport:
    """Everything that a par sheet says about a bet."""
    ample = bet.par_sheet()
    sheet = ample if meter_cents is None else bet.par_sheet(meter_cents)
    return OddsReport(bet, meter_cents, funding, sheet, ample, long_run(ample, funding))


COLUMNS: Final = ("Hand", "Pays", "Hands", "Probability", "How often", "Return")
THOUSAND_DOLLARS: Final = 1_000_00


def title(report: OddsReport) -> str:
    """Which wager this is."""
    bet, terms = report.bet, report.bet.terms
    decks = f", {bet.layout.decks} decks" if bet.game.most_decks > 1 else ""
    return (
        f"{bet.game.title}: {hand_words(bet.wager.name)}, pay table {terms.table.name}, "
        f"{dollars(terms.stake_cents)} wager{decks}"
    )


def rows(report: OddsReport) -> Iterator[tuple[str, ...]]:
    """The cells of each row of the table, that of the hands which win nothing, and all hands."""
    sheet = report.sheet
    for row in sheet.rows:
        cells = hand_words(row.line.hand), words(row.line.pay)
        yield (*cells, *_chances(row.combinations, sheet.total), _row_return(row, report))
    yield ("nothing", "", *_chances(sheet.nothing, sheet.total), "")
    yield ("all hands", "", f"{sheet.total:,}", "", "", _return_words(report))


def facts(report: OddsReport) -> Iterator[tuple[str, str]]:
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


def notes(report: OddsReport) -> Iterator[str]:
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


def _row_return(row: ParRow, report: OddsReport) -> str:
    """What the row adds to the return; a part of the meter adds nothing that can be said without a meter."""
    terms, share = report.sheet.terms, Fraction(row.combinations, report.sheet.total * report.sheet.terms.stake_cents)
    if not isinstance(row.line.pay, Percent):
        return per_cent(share * back(row.line, terms))
    if report.meter_cents is None:
        return ""
    return per_cent(share * report.meter_cents * row.line.pay.bp / 10_000)


def _return_words(report: OddsReport) -> str:
    """The return at the meter asked for, or its fixed part."""
    return per_cent(report.sheet.returns.at(report.meter_cents or 0, report.sheet.terms.stake_cents))


def _long_run(report: OddsReport) -> Iterator[tuple[str, str]]:
    funding, run = report.funding, report.long_run
    when = (
        f"at a rate of {per_cent(Fraction(funding.rate_bp, 10_000), 2)} and a reset of {dollars(funding.reset_cents)}"
    )
    if run is None:
        yield f"Long run {when}", "the amounts alone would empty the meter"
        return
    yield f"Long-run return {when}", per_cent(run.returned)
    yield "Average meter in the long run", money(run.average_meter_cents)


def text(report: OddsReport) -> str:
    """The whole sheet."""
    lines = [title(report), "", *columns([COLUMNS, *rows(report)], "<<>>>>"), "", *columns(facts(report), "<<")]
    for note in notes(report):
        lines += ["", note]
    return "\n".join(lines)
