"""What a house may pay: more than the rule lists where it lists the least, otherwise exactly that."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from games.compliance.cases import Fault, Faults
from games.paytable import Fixed, Odds, Pay, PayLine, PayTable, Percent, words

# Clauses that say "no less than" (for 11.16(a) and (c), its (d) does); every other names the pay itself.
_LEAST: Final = frozenset(
    {
        "28.11(f)",
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
            yield Fault(where, words(pay), problem, f"choose among {known}", table.lines[0].rule)
        else:
            yield from _row_faults(where, line, pay)


def _row_faults(where: str, line: PayLine, pay: Pay) -> Faults:
    listed, most = line.pay, _MOST.get(line.rule)
    if type(pay) is not type(listed):
        problem = f"{words(pay)} cannot be held against the {words(listed)} of the rule"
        yield Fault(where, words(pay), problem, f"write at least {words(listed)}", line.rule)
    elif _size(pay) < _size(listed):
        yield Fault(where, words(pay), f"{words(pay)} is too little", f"pay at least {words(listed)}", line.rule)
    elif pay != listed and line.rule not in _LEAST:
        problem = f"{words(pay)} is not what the rule pays"
        yield Fault(where, words(pay), problem, f"pay exactly {words(listed)}", line.rule)
    elif most and _size(pay) > _size(most):
        yield Fault(where, words(pay), f"{words(pay)} is too much", f"pay at most {words(most)}", line.rule)
    elif isinstance(pay, Percent) and pay.bp > _WHOLE_METER_BP:
        yield Fault(where, words(pay), "no meter holds more than all of it", "pay at most 100 % of it", line.rule)


def _size(pay: Pay) -> Fraction:
    match pay:
        case Percent(bp=bp):
            return Fraction(bp)
        case Fixed(cents=cents):
            return Fraction(cents)
        case Odds(to_one=odds):
            return odds
