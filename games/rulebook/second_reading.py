"""Rows of the rule book that a second reading of the text added."""

from typing import Final

from games.rulebook.row import Row, Subject

SECOND_READING: Final = Subject(
    "Added after a second reading",
    (
        Row(
            "S-112",
            ("28.10(a)2i",),
            (
                "A folded player's cards stay; his bonus and his progressive are settled at the end of the round, "
                "after every seat with a flop wager."
            ),
            kept="live",
            lacks="the bonus, whose odds are not in our text, is settled by hand",
        ),
        Row(
            "S-113",
            ("28.10(h)", "28.11(i)", "16.12(g)", "11.9(i)"),
            (
                "The machine keeps the order of everything that moves the meter, also when a lower seat was claimed, "
                "fixed or validated first."
            ),
            kept="live",
        ),
        Row(
            "S-114",
            ("2.18(b)-(i)",),
            (
                "Multiple action: doubles, splits and insurance go by each wager, and each wager is decided by one of "
                "the dealer's hands in turn."
            ),
            kept="live",
            lacks="doubles and splits of the base wagers are counted by pitlink showdown, not by the live table",
        ),
        Row(
            "S-115",
            ("2.19(e)", "2.19(h)"),
            (
                "The blackjack progressive pays the highest entitlement of the hand as it grew: two aces are not final "
                "while a third may come."
            ),
            kept="live",
        ),
        Row(
            "S-116",
            ("11.9(b)", "11.9(e)"),
            "Who sets a hand, and by when; a player with a seven-card bonus may not surrender either.",
            kept="calculator",
            lacks="the live table bars the surrender; it does not know who sets a hand, nor by when",
        ),
        Row(
            "S-117",
            ("11.16(d)", "11.18(d)"),
            "Notice of a payout limit, and of any decrease of it, stands at the table.",
            kept="live",
        ),
        Row(
            "S-118",
            ("11.1", "11.16(a)"),
            "The definition asks for a straight or higher and the schedule pays three of a kind: the schedule counts.",
            kept="live",
        ),
        Row(
            "S-119",
            ("20.12A(a)2", "20.12A(a)6"),
            "Ace to five is a straight in the 6 card bonus, as ten to ace is.",
            kept="live",
        ),
        Row(
            "S-120",
            ("11.10(c)",),
            "The first offer of the bank goes around the table until it returns to the dealer.",
            kept="live",
        ),
        Row(
            "S-121",
            ("14.2", "14.4", "14.5"),
            (
                "Poker room: two decks of 52 cards, sorted after two hours and changed after four; two players inspect "
                "them, and a cut takes ten cards."
            ),
            kept="calculator",
            lacks="a poker table has no device; its page (pitlink poker-room) answers the dealer",
        ),
        Row(
            "S-122",
            ("1.18", "28.6(c)"),
            "A coupon is valid once, at whichever seat, table and round of the link.",
            kept="live",
        ),
    ),
)

# What our text names without a demand: a section, and what to know of it.
WITHOUT_ROWS: Final = {
    "17.1": "Double down stud: the text has its definitions only, so there is no rule to keep and the product does not "
    "settle it.",
}
