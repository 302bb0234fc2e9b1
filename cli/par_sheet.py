"""What a par sheet reports: a bet, its odds at the meter asked for, and its long run."""

from msgspec import Struct

from games.money import Cents
from games.odds.bets import Bet
from games.odds.long_run import Funding, LongRun, long_run
from games.odds.par_sheet import ParSheet
from games.paytable import Percent
from games.settlement.till import WHOLE


class Report(Struct, frozen=True):
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


def report(bet: Bet, funding: Funding, meter_cents: Cents | None) -> Report:
    """Everything that a par sheet says about a bet."""
    ample = bet.par_sheet()
    sheet = ample if meter_cents is None else bet.par_sheet(meter_cents)
    return Report(bet, meter_cents, funding, sheet, ample, long_run(ample, funding))
