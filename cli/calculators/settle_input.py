"""The JSON of pitlink settle as a played round (docs/settle.md)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from cli.calculators.json_input import BadJson, cents, choice, entries, flag, text, texts, whole
from games.cards import Card, CardFault, parse_cards
from games.catalogue import GAMES
from games.catalogue.blackjack import insurance_table
from games.compliance.pay_limits import pay_faults
from games.game import Game, Irregularity, Wager
from games.money import Cents, dollars
from games.paytable import Pay, PayTable, pay_of, raised
from games.settlement import Fault, PlayedRound, Seat, settled_early

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


_ROUND: Final = (
    "game",
    "pay_table",
    "stake_cents",
    "options",
    "meter",
    "seats",
    "community",
    "dealer",
    "irregularity",
)
_SEAT: Final = ("wagers", "amounts", "coupon", "folded", "cards", "numbers", "displayed_cents", "player")


def played_round(told: Any) -> PlayedRound:
    """The round that a parsed JSON value tells; raises BadJson where it tells none."""
    told = entries(told, "input", _ROUND)
    game = _game(told.get("game"))
    options = entries(told.get("options"), "options", _option_names(game))
    choices = _choices(game, options)
    stake = _stake(game, told.get("stake_cents"))
    seats = tuple(_seats(game.wagers_under(choices), told.get("seats"), stake))
    meter = entries(told.get("meter"), "meter", ("amount_cents", "reset_cents"))
    has_progressive = any("progressive" in seat.wagers for seat in seats)
    played = PlayedRound(
        game=game,
        tables={},
        stake_cents=stake,
        meter_cents=_on_meter(meter, "amount_cents", needed=has_progressive),
        reset_cents=_on_meter(meter, "reset_cents", needed=has_progressive),
        seats=seats,
        community=_cards(told.get("community"), "community"),
        dealer=_cards(told.get("dealer"), "dealer"),
        choices=choices,
    )
    tables = pay_tables(played, told.get("pay_table"), options) | _insurance(played, options)
    played = replace(played, tables=tables)
    return _with_irregularity(_with_options(played, options), told.get("irregularity"))


def _game(told: Any) -> Game:
    if isinstance(told, str) and told in GAMES:
        return GAMES[told]
    raise BadJson(f"which game? one of {', '.join(GAMES)}", "game")


def _stake(game: Game, told: Any) -> Cents:
    """The stake of the table's progressive wager; the lower one, if nobody said."""
    stakes = game.progressive.stakes if game.progressive else ()
    stake = stakes[0] if told is None else cents(told, "stake_cents")
    if stake not in stakes:
        offer = " or ".join(f"{each} ({dollars(each)})" for each in stakes)
        raise BadJson(f"{stake} is no stake of {game.title}; it has {offer}", "stake_cents")
    return stake


def _on_meter(meter: Mapping[str, Any], key: str, *, needed: bool) -> Cents:
    if key not in meter and not needed:
        return 0
    return cents(meter.get(key), f"meter.{key}")


def _choices(game: Game, options: Mapping[str, Any]) -> dict[str, str]:
    return {
        option.name: choice(options.get(option.name), f"options.{option.name}", option.choices)
        for option in game.options
        if option.settles
    }


def _insurance(played: PlayedRound, options: Mapping[str, Any]) -> dict[str, PayTable]:
    """What insurance pays in multiple action; 2.9 is not in our text, so that the house says it."""
    insured = {wager.name for seat in played.seats for wager in played.wagers_at(seat) if wager.dealer_hand}
    if not insured:
        return {}
    if options.get("insurance_to_one") is None:
        raise BadJson("what does the house pay for insurance, so much to one?", "options.insurance_to_one")
    to_one = whole(options["insurance_to_one"], "options.insurance_to_one", low=1, high=100)
    return dict.fromkeys(insured, insurance_table(to_one))


def _seats(wagers: Sequence[Wager], told: Any, stake: Cents) -> Iterator[Seat]:
    if told is None:
        raise BadJson("which seats played?", "seats")
    seats = entries(told, "seats")
    for key in sorted(seats, key=lambda key: (len(key), key)):
        if not re.fullmatch("[1-9][0-9]?", key, re.ASCII):
            raise BadJson(f"{key[:40]!r} is no seat number", "seats")
        yield _seat(wagers, int(key), entries(seats[key], f"seats.{key}", _SEAT), stake)


def _seat(wagers: Sequence[Wager], number: int, told: Mapping[str, Any], stake: Cents) -> Seat:
    known = {wager.name: wager for wager in wagers}
    where = f"seats.{number}"
    names = texts(told.get("wagers"), f"{where}.wagers")
    if len(set(names)) < len(names):
        raise BadJson("one wager of a kind lies at a seat, not two", f"{where}.wagers")
    amounts = entries(told.get("amounts"), f"{where}.amounts", names)
    numbers = _numbers(told.get("numbers"), f"{where}.numbers")
    shown = told.get("displayed_cents")
    return Seat(
        number=number,
        wagers={name: _amount(known.get(name), amounts, f"{where}.amounts", stake) for name in names}
        | ({"number": sum(numbers.values())} if "number" in names else {}),
        cards=_cards(told.get("cards"), f"{where}.cards"),
        coupon=flag(told.get("coupon"), f"{where}.coupon"),
        folded=flag(told.get("folded"), f"{where}.folded"),
        numbers=numbers,
        displayed_cents=None if shown is None else cents(shown, f"{where}.displayed_cents"),
        player=text(told.get("player"), f"{where}.player"),
    )


def _amount(wager: Wager | None, amounts: Mapping[str, Any], where: str, stake: Cents) -> Cents:
    """What was said, or the stake of the table for a wager that pays; a base wager's amount nobody needs."""
    if wager is not None and wager.name in amounts:
        told = cents(amounts[wager.name], f"{where}.{wager.name}", low=1)
        if wager.is_progressive and told != stake:
            raise BadJson(f"the progressive wager of this table is {dollars(stake)}", f"{where}.{wager.name}")
        return told
    return stake if wager is not None and (wager.tables or wager.stakes) else 0


def _numbers(told: Any, where: str) -> dict[int, Cents]:
    told = entries(told, where, tuple("1234567"))
    return {int(number): cents(amount, f"{where}.{number}", low=1) for number, amount in told.items()}


def _cards(told: Any, where: str) -> tuple[Card, ...]:
    # Whether so many of a card, or a joker, can lie on this table is asked of the whole table later.
    words = texts(told, where)
    cards = parse_cards(words, joker=True, decks=len(words))
    if isinstance(cards, CardFault):
        raise BadJson(cards.problem, where + cards.where)
    return cards


def _option_names(game: Game) -> list[str]:
    """What may be said under options for this game."""
    names = ["settlement", "decks", "pay_tables", "pays"]
    names += [option.name for option in game.options if option.settles]
    names += [cap.option for cap in game.caps if any(game.wager(wager) for wager in cap.wagers)]
    names += ["insurance_to_one"] if any(option.name == "dealer_hands" for option in game.options) else []
    return [*names, "number_drawn"] if game.wager("number") else names


def _with_options(played: PlayedRound, options: Mapping[str, Any]) -> PlayedRound:
    game, drawn = played.game, options.get("number_drawn")
    return replace(
        played,
        decks=whole(options.get("decks", game.most_decks), "options.decks", low=1, high=game.most_decks),
        settlement=choice(options.get("settlement"), "options.settlement", tuple(game.settlement)),
        limits={
            cap.option: cents(options[cap.option], f"options.{cap.option}")
            for cap in game.caps
            if options.get(cap.option) is not None
        },
        number_drawn=None if drawn is None else whole(drawn, "options.number_drawn", low=1, high=7),
    )


def _with_irregularity(played: PlayedRound, told: Any) -> PlayedRound:
    """null, a name, a clause, or an object that names the seats as well."""
    if told is None:
        return played
    told = entries({"name": told} if isinstance(told, str) else told, "irregularity", ("name", "seats"))
    listed = told.get("seats", [])
    if not isinstance(listed, list):
        raise BadJson("seats are a list of numbers", "irregularity.seats")
    seats = frozenset(whole(seat, "irregularity.seats", low=1, high=99) for seat in listed)
    case = _irregularity(played.game, told.get("name"), by_seat=bool(seats))
    return replace(played, faults=(Fault(case, seats, settled_early(played)),))


def _irregularity(game: Game, told: Any, *, by_seat: bool) -> Irregularity:
    """The irregularity of this name, or the only one of this clause; whether seats are named tells some apart."""
    word = told.removeprefix("19:47-") if isinstance(told, str) else ""
    named = [each for each in game.irregularities if each.name == word]
    of_clause = [each for each in game.irregularities if each.rule == word]
    found = named or [each for each in of_clause if (each.voids == "seats") is by_seat] or of_clause
    if len(found) == 1:
        return found[0]
    near = [each for each in game.irregularities if word and each.rule.startswith(word)]
    offer = ", ".join(f"{each.name} [{each.rule}]" for each in near or game.irregularities)
    raise BadJson(f"which irregularity? one of {offer}", "irregularity")
