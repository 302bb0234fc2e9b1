"""Rows of the rule book on Caribbean stud poker."""

from typing import Final

from games.rulebook.row import Row, Subject

CARIBBEAN_STUD: Final = Subject(
    "Caribbean stud poker",
    (
        Row(
            "S-67",
            ("16.11(b)",),
            "Hand and light are verified and a supervisor validates each progressive payout.",
            kept="live",
        ),
        Row(
            "S-68",
            ("16.11(c)",),
            "It is paid whether or not the dealer qualifies or has the better hand.",
            kept="live",
        ),
        Row(
            "S-69",
            ("16.12(a)-(d)",),
            (
                'Odds are said with "to", never with "for"; ante one to one, bets from 1 to 100 to 1, with a limit of'
                " $5,000 or what the table's minimum could win, if that is more."
            ),
            kept="calculator",
            lacks="the live table has no ante or bet; its sign and panel tell the limit of a bet",
        ),
        Row(
            "S-70",
            ("16.12(e)",),
            (
                "The rule as it was: at least the whole meter, a tenth of it or $5,000 for a straight flush as the "
                "house has it, $500, $100 and $50."
            ),
            kept="live",
        ),
        Row(
            "S-71",
            ("16.12(e)",),
            ("The rule as amended: a straight flush is a tenth of the meter; only so can it be linked."),
            kept="live",
        ),
        Row(
            "S-72",
            ("16.12(f)",),
            ("At least 70 % of every wager goes on the meter; what it starts from is approved."),
            kept="live",
        ),
        Row(
            "S-73",
            ("16.12(g)",),
            (
                "Each is paid of the meter at his turn; royal flushes at a table share equally what it showed at the "
                "first one's."
            ),
            kept="live",
        ),
        Row(
            "S-74",
            ("16.13(a)",),
            'A hole card shown before "No more bets" voids all hands.',
            kept="live",
        ),
        Row(
            "S-75",
            ("16.13(b)",),
            "One card face up in the shoe is set aside, several void all hands.",
            kept="live",
        ),
        Row(
            "S-76",
            ("16.13(c)",),
            "A card drawn by mistake and not shown is the next card.",
            kept="live",
        ),
        Row(
            "S-77",
            ("16.13(d)",),
            (
                "A wrong number of cards voids that player's hand alone; a dealer with four gets a fifth; any other "
                "misdeal to the dealer voids all."
            ),
            kept="live",
        ),
        Row(
            "S-78",
            ("16.13(e)-(g)",),
            (
                "A shuffler that fails means a new shuffle, a dealing shoe that fails a void round; a device leaves "
                "the table before another way is used."
            ),
            kept="live",
        ),
    ),
)
