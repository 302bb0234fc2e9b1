"""pitlink odds: the exact odds of a wager as a par sheet, a page with charts, or JSON (docs/odds.md)."""

import argparse
import json
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from cli.calculators.par_sheet import OddsReport, numbered, report, text
from games.money import Cents
from games.odds.bets import Asked, NoBet, find
from games.odds.long_run import Funding
from games.odds.par_sheet import ParRow, ParSheet
from games.paytable import Fixed, Odds, Pay, Percent, hundredths, mixed

_DOLLARS: Final = re.compile(r"(\d{1,12})(?:\.(\d{1,2}))?", re.ASCII)
_USAGE: Final = 2


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which wager, on which terms, and how to write its odds."""
    parser.add_argument("game", metavar="GAME", help="a game of the rule book, such as pai-gow-poker")
    parser.add_argument("--wager", required=True, metavar="W", help="progressive, envy, bonus, insurance, …")
    parser.add_argument("--pay-table", metavar="T", help="the first of the rule if not given")
    parser.add_argument("--stake", type=_dollars, metavar="DOLLARS", help="what is wagered, such as 1 or 5")
    parser.add_argument("--decks", type=int, metavar="N", help="how many decks, where the game leaves it open")
    parser.add_argument("--option", type=_option, action="append", default=[], metavar="NAME=CHOICE")
    parser.add_argument("--meter", type=_dollars, metavar="DOLLARS", help="the return at this meter")
    parser.add_argument(
        "--rate", type=_basis_points, metavar="BP", help="the rate of progression; the lowest lawful one"
    )
    parser.add_argument("--reset", type=_dollars, metavar="DOLLARS", help="the reset amount; the lowest lawful one")
    parser.add_argument("--json", action="store_true", help="write JSON")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with charts to this file")


def run(args: argparse.Namespace) -> int:
    """Writes the odds, or why there are none; returns the exit code."""
    bet = find(
        Asked(
            args.game,
            args.wager.replace("-", "_"),
            pay_table=args.pay_table,
            stake_cents=args.stake,
            decks=args.decks,
            options=dict(args.option),
        )
    )
    if isinstance(bet, NoBet):
        return _refuse(bet.why)
    rate, reset = bet.game.minimum_rate_bp(bet.terms.table.name, bet.terms.stake_cents), bet.game.minimum_reset_cents
    funding = Funding(rate if args.rate is None else args.rate, reset if args.reset is None else args.reset)
    return _write(report(bet, funding, args.meter), args)


def written(sheet: OddsReport) -> dict[str, Any]:
    """The odds as the contract writes them."""
    bet, par = sheet.bet, sheet.sheet
    return {
        "game": bet.game.name,
        "wager": bet.wager.name.replace("_", "-"),
        "pay_table": bet.terms.table.name,
        "stake_cents": bet.terms.stake_cents,
        "decks": bet.layout.decks,
        "total": par.total,
        "hands": {row.line.hand: _hand(row, par) for row in par.rows},
        "nothing": par.nothing,
        "fixed_return": numbered(par.returns.fixed),
        "meter_coefficient": numbered(par.returns.meter_coefficient),
        "break_even_cents": par.break_even_cents,
        "meter_cents": sheet.meter_cents,
        "return": None
        if sheet.meter_cents is None
        else numbered(par.returns.at(sheet.meter_cents, par.terms.stake_cents)),
        "counted_at_cents": par.meter_cents,
        "turning_points_cents": list(par.turning_points),
        "rounds_between_awards": _between(par, sheet.awarded),
        "rounds_between_whole_meters": _between(par, sheet.whole_meter),
        "long_run": _long_run(sheet),
    }


def _hand(row: ParRow, par: ParSheet) -> dict[str, Any]:
    return {
        "combinations": row.combinations,
        "pay": _pay(row.line.pay),
        "deducted": row.line.deducted,
        "probability": numbered(Fraction(row.combinations, par.total)),
        "rounds_between_awards": _between(par, row.combinations),
        "rule": row.line.rule,
    }


def _pay(pay: Pay) -> str | Cents:
    """A part of the meter as "100%", an amount in cents, odds as "25 to 1"."""
    match pay:
        case Percent(bp=bp):
            return f"{hundredths(bp)}%"
        case Fixed(cents=cents):
            return cents
        case Odds(to_one=odds):
            return f"{mixed(odds)} to 1"


def _between(par: ParSheet, hands: int) -> str | None:
    return numbered(Fraction(par.total, hands)) if hands else None


def _long_run(sheet: OddsReport) -> dict[str, Any] | None:
    if sheet.long_run is None:
        return None
    return {
        "rate_bp": sheet.funding.rate_bp,
        "reset_cents": sheet.funding.reset_cents,
        "return": numbered(sheet.long_run.returned),
        "average_meter_cents": numbered(sheet.long_run.average_meter_cents),
    }


def _write(sheet: OddsReport, args: argparse.Namespace) -> int:
    if args.html:
        from cli.calculators.par_sheet_html import page

        try:
            args.html.write_text(page(sheet), encoding="utf-8")
        except OSError as error:
            return _refuse(f"{args.html} cannot be written: {error.strerror}")
    if args.json:
        print(json.dumps(written(sheet), indent=2))
    elif not args.html:
        print(text(sheet))
    return 0


def _refuse(why: str) -> int:
    print(f"pitlink odds: {why}", file=sys.stderr)
    return _USAGE


def _dollars(word: str) -> Cents:
    """An amount of dollars, at most two decimals, in cents."""
    found = _DOLLARS.fullmatch(word)
    if not found:
        raise argparse.ArgumentTypeError(f"{word!r} is no amount of dollars, such as 12345 or 12345.67")
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))


def _basis_points(word: str) -> int:
    """A part of the wager in hundredths of a percent."""
    if not (word.isascii() and word.isdecimal() and len(word) <= 5 and int(word) <= 10_000):
        raise argparse.ArgumentTypeError(f"{word!r} is no rate; 7000 means 70 %, 10000 is the most")
    return int(word)


def _option(word: str) -> tuple[str, str]:
    """A choice of the licensee's, as NAME=CHOICE."""
    name, _, choice = word.partition("=")
    return name, choice
