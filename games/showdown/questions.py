"""Every question the dealer's assist answers: how it is written, and which function answers it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from games.showdown import caribbean
from games.showdown.blackjack import ButtonAsked, MultipleActionAsked, bonus_button, multiple_action
from games.showdown.caribbean import CaribbeanShowdown
from games.showdown.input import InputFault
from games.showdown.irregularity import IrregularityAsked, irregularity
from games.showdown.pai_gow import deck as ask_deck
from games.showdown.pai_gow import showdown as pai_gow_showdown
from games.showdown.pai_gow.questions import BankQuestion, SettingAsked, StartAsked, bank, setting, start
from games.showdown.pai_gow.table import PaiGowShowdown
from games.showdown.poker import questions as ask_poker
from games.showdown.poker.betting_order import FORCED_BETS, ButtonOpening, StudOpening, button_opening, stud_opening
from games.showdown.poker.deck import DeckAsked, deck
from games.showdown.poker.games import POKER_GAMES
from games.showdown.poker.streets import RoundAsked, round_of


class Question(Struct, frozen=True):
    """A kind of question and its answer; asked is the type it is read into."""

    asked: type[Struct]
    answer: Callable[[Any], Struct | InputFault]  # the table pairs each type with the function that takes it


_POKER: Final = {
    "showdown": Question(ask_poker.PokerShowdown, ask_poker.showdown),
    "round": Question(RoundAsked, round_of),
}
_DECK: Final = {"deck": Question(DeckAsked, deck)}
_STUD: Final = {"opening": Question(StudOpening, stud_opening)}
_BUTTON: Final = {"opening": Question(ButtonOpening, button_opening)}
_IRREGULARITY: Final = {"irregularity": Question(IrregularityAsked, irregularity)}

QUESTIONS: Final[Mapping[str, Mapping[str, Question]]] = {
    **{name: _POKER | _DECK | (_STUD if name in FORCED_BETS else _BUTTON) for name in POKER_GAMES},
    "mambo-stud": _STUD | _DECK,
    "blackjack": {"bonus": Question(ButtonAsked, bonus_button)},
    "multiple-action-blackjack": {"showdown": Question(MultipleActionAsked, multiple_action)},
    "caribbean-stud": {
        "showdown": Question(CaribbeanShowdown, caribbean.showdown),
        **_IRREGULARITY,
    },
    "pai-gow-poker": {
        "showdown": Question(PaiGowShowdown, pai_gow_showdown.showdown),
        "setting": Question(SettingAsked, setting),
        "start": Question(StartAsked, start),
        "bank": Question(BankQuestion, bank),
        "deck": Question(ask_deck.PaiGowDeckAsked, ask_deck.deck),
        "cut": Question(ask_deck.CutAsked, ask_deck.cut),
        "left": Question(ask_deck.LeftAsked, ask_deck.left),
        "stub": Question(ask_deck.StubAsked, ask_deck.stub),
        **_IRREGULARITY,
    },
}


def find_question(game: object, question: object) -> Question | InputFault:
    """The question of that name about that game, or what could be asked instead."""
    if game == "double-down-stud":
        return InputFault(
            "the text has only the definitions of double down stud (17.1), so nothing can be asked", "game"
        )
    if not isinstance(game, str) or game not in QUESTIONS:
        return InputFault(f"write one of {', '.join(QUESTIONS)}", "game")
    known = QUESTIONS[game]
    if not isinstance(question, str) or question not in known:
        return InputFault(f"of {game} can be asked: {', '.join(known)}", "question")
    return known[question]
