"""The pay tables of a round as pitlink settle is told them (docs/settle.md)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cli.json_input import BadJson, choice, entries
from games.compliance.pay_limits import pay_faults
from games.game import Wager
from games.paytable import Pay, PayTable, pay_of, raised
from games.settlement import PlayedRound

_PAY: Final = 'cents such as 6000, a part of the meter such as "12 %" or odds such as "5 3/4 to 1" belong'


def pay_tables(played: PlayedRound, said: Any, options: Mapping[str, Any]) -> dict[str, PayTable]:
    """The pay table of every wager that has one, with what the house pays above it; raises BadJson."""
    pays = entries(options.get("pays"), "options.pays", [wager.name for wager in played.game.wagers if wager.tables])
    return {
        name: raised(table, _pays(f"options.pays.{name}", table, pays.get(name)))
        for name, table in _tables(played, said, options.get("pay_tables"))
    }


def _tables(played: PlayedRound, said: Any, said_apart: Any) -> Iterator[tuple[str, PayTable]]:
    """As said for a wager, or for all if it has such a table, or the first."""
    wagers = {wager.name: wager for wager in played.game.wagers if wager.tables}
    apart = entries(said_apart, "options.pay_tables", wagers)
    made = {name for seat in played.seats for name in seat.wagers}
    common = _common(said, [wagers[name] for name in wagers if name in made] or list(wagers.values()), wagers)
    for name, wager in wagers.items():
        names = wager.pay_table_names
        usual = common if common in names else names[0]
        table = wager.pay_table(choice(apart.get(name, usual), f"options.pay_tables.{name}", names), played.stake_cents)
        assert table is not None
        yield name, table


def _common(said: Any, made: Sequence[Wager], wagers: Mapping[str, Wager]) -> str:
    """The name that was said: a table of the progressive wager or, where nobody made that, of any wager made."""
    progressive = [wager for wager in wagers.values() if wager.is_progressive]
    meant = progressive if progressive[0] in made else [*made, *progressive]
    names = tuple(dict.fromkeys(name for wager in meant for name in wager.pay_table_names))
    return choice(meant[0].table_called(said) if isinstance(said, str) else said, "pay_table", names)


def _pays(where: str, table: PayTable, told: Any) -> dict[str, Pay]:
    """What the house pays otherwise than this table lists, where the rule lets it."""
    pays: dict[str, Pay] = {}
    for hand, written in entries(told, where, [line.hand for line in table.lines]).items():
        pay = pay_of(written)
        if pay is None:
            raise BadJson(f"{written!r:.40} where {_PAY}", f"{where}.{hand}")
        pays[hand] = pay
    for fault in pay_faults(where, table, pays):
        raise BadJson(f"{fault} [{fault.rule}]", fault.key)
    return pays
