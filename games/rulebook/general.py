"""Rows of the rule book on inventory, links and signs."""

from typing import Final

from games.rulebook.row import Row, Subject

GENERAL: Final = Subject(
    "General, equipment, table inventory",
    (
        Row(
            "S-1",
            ("1.20(a)",),
            (
                "A table begins the day with a recorded stock of chips, and chips come to it or leave it only in the "
                "listed ways."
            ),
            for_people="the stock of a rack is counted and signed for on paper; no device of ours sees it",
            kept="people",
            told_by="the inventory slip of the table",
        ),
        Row(
            "S-2",
            ("1.20(a)7",),
            "Every chip wagered on the progressive ends in the table's own rack, never in the drop box.",
            kept="live",
        ),
        Row(
            "S-3",
            ("1.39B(a)",),
            (
                "One meter may serve a single table or several, of one game or of different ones, and grows by the "
                "wagers of all of them."
            ),
            kept="live",
        ),
        Row(
            "S-4",
            ("1.39B(e)1",),
            "No progressive goes on the floor before the games and the outcomes that win it are approved.",
            kept="live",
        ),
        Row(
            "S-5",
            ("1.39B(d)3",),
            "Games on one meter have the same edge, the same prizes from it and the same odds.",
            kept="live",
        ),
        Row(
            "S-6",
            ("28.11(g)",),
            (
                "While hold 'em bonus is linked to Caribbean stud, a straight, three of a kind or two pair never "
                "lowers the meter."
            ),
            kept="live",
        ),
        Row(
            "S-7",
            ("1.13G(h)", "1.13Q(f)"),
            "When Caribbean stud and hold 'em bonus share a meter, a sign at each of their tables says so.",
            kept="live",
        ),
    ),
)
