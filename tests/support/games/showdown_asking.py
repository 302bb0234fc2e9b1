"""How tests ask the dealer's assist: a question as a dictionary, answered as the command would."""

from typing import Any

import msgspec

from games.showdown.input import InputFault
from games.showdown.questions import find_question


def ask(game: str, question: str = "showdown", **told: Any) -> Any:
    """The answer as the JSON will say it, or the fault itself."""
    found = find_question(game, question)
    assert not isinstance(found, InputFault), found
    raw = {"game": game, "question": question, **told}
    given = found.answer(msgspec.convert(raw, found.asked, str_keys=True))
    return given if isinstance(given, InputFault) else msgspec.json.decode(msgspec.json.encode(given))


def words(cards: str) -> list[str]:
    """Cards as a question lists them."""
    return cards.split()


def player(cards: str, paid: int = 100_00, **more: Any) -> dict[str, Any]:
    """A player of the poker room with these cards, who paid so many cents."""
    return {"cards": words(cards), "paid_cents": paid, **more}
