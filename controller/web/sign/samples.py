"""Samples of every state of a sign, for the page that previews themes."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from common.words import Words
from controller.web.sign.card import parts_bp
from controller.web.sign.view import SignView, sign_view
from controller.web.view import TableView
from games.catalogue import GAMES
from games.money import Cents
from games.paytable import Percent
from games.round.state import WHOLE_METER_BP, Claim, ClaimState
from games.round.table_rules import TableRules
from link.messages import VERSION, State, Win

_AMOUNT: Final[Cents] = 9_907_03
_RESET: Final[Cents] = 5_000_00
_ROYAL: Final = ("As", "Ks", "Qs", "Js", "Ts", "8d", "8c")
_CARDS: Final = {"four_aces_same_color": ("As", "Ac", "As", "Ac")}


class Samples(Struct, frozen=True):
    """The themes by name, a view of each state, and what is not shown as the house wants it."""

    themes: tuple[str, ...]
    views: dict[str, SignView]
    faults: tuple[str, ...]


def sample_views(table: TableView, rules: TableRules, words: Words) -> dict[str, SignView]:
    """Every state of this table's sign, with invented amounts."""
    idle = replace(
        table, phase="open", claims=(), rehearsal=False, number_drawn=None, link=replace(table.link, up=True)
    )
    meter = _meter(rules, _AMOUNT)
    after = _meter(rules, _RESET)
    cut_off = replace(idle, link=replace(idle.link, up=False), seats=())
    wins = (Win("T2", 4, _best(rules).hand, 1_234_56),)
    tables = {
        "open": (idle, meter, ()),
        "news": (idle, meter, wins),
        "verifying": (replace(idle, phase="settling", claims=(_best(rules),)), meter, ()),
        "won": (replace(idle, phase="settling", claims=(_won(rules, ClaimState.VALIDATED),)), after, ()),
        "paid": (replace(idle, phase="settling", claims=(_won(rules, ClaimState.PAID),)), after, ()),
        "closed": (replace(idle, phase="closed"), meter, ()),
        "lost": (cut_off, meter, ()),
        "most": (idle, _meter(rules, 9_999_999_99), ()),
    }
    bp = parts_bp(rules)
    return {name: sign_view(one, two, words, wins=won, parts_bp=bp) for name, (one, two, won) in tables.items()}


def _meter(rules: TableRules, cents: Cents) -> State:
    """A jackpot that this table shares with another game."""
    other = next(name for name in GAMES if name != rules.game.name)
    return State(VERSION, "sample", alive=True, number=1, amount_cents=cents, tables=2, games=(rules.game.name, other))


def _best(rules: TableRules) -> Claim:
    """The hand that wins the whole jackpot, being verified."""
    whole = Percent(WHOLE_METER_BP)
    hand = next(line.hand for line in rules.pay_table.lines if line.pay == whole)
    held = rules.game.hand_size + rules.community_size
    return Claim(
        seat=2,
        hand=hand,
        cards=_CARDS.get(hand, _ROYAL[:held]),
        percent_bp=WHOLE_METER_BP,
        state=ClaimState.FIXED,
        is_fixed=True,
        amount_cents=_AMOUNT,
    )


def _won(rules: TableRules, state: ClaimState) -> Claim:
    return replace(_best(rules), state=state, validated_by="-")
