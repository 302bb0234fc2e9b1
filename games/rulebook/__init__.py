"""The rule book: every row of it, part by part."""

from collections.abc import Mapping
from typing import Final

from games.rulebook.blackjack import BLACKJACK
from games.rulebook.caribbean_stud import CARIBBEAN_STUD
from games.rulebook.general import GENERAL
from games.rulebook.pai_gow import PAI_GOW, PAI_GOW_PROGRESSIVE
from games.rulebook.poker_room import POKER_ROOM
from games.rulebook.row import Keeper, Row, Subject
from games.rulebook.second_reading import SECOND_READING, WITHOUT_ROWS
from games.rulebook.texas_holdem import TEXAS_HOLDEM
from games.rulebook.three_card import SIX_CARD, THREE_CARD

__all__ = ["PARTS", "ROWS", "WITHOUT_ROWS", "Keeper", "Row", "Subject"]

PARTS: Final = (
    GENERAL,
    TEXAS_HOLDEM,
    THREE_CARD,
    SIX_CARD,
    BLACKJACK,
    POKER_ROOM,
    CARIBBEAN_STUD,
    PAI_GOW,
    PAI_GOW_PROGRESSIVE,
    SECOND_READING,
)

ROWS: Final[Mapping[str, Row]] = {row.id: row for part in PARTS for row in part.rows}
