"""Rows of the rule book on Texas hold 'em bonus poker."""

from typing import Final

from games.rulebook.row import Row, Subject

TEXAS_HOLDEM: Final = Subject(
    "Texas hold 'em bonus poker",
    (
        Row(
            "S-8",
            ("1.13Q(a)",),
            "A table has no more than seven player positions.",
            kept="live",
        ),
        Row(
            "S-9",
            ("1.13Q(b)4", "1.13Q(b)5", "1.13Q(g)"),
            (
                "The layout has a bonus area unless that wager is not offered, and marks flop, turn and river; the "
                "progressive may be offered without the bonus."
            ),
            kept="live",
            lacks="areas and marks of the layout are its maker's",
        ),
        Row(
            "S-10",
            ("1.13Q(e)1",),
            (
                "Each position has its own acceptor, whose light goes on when a chip was put in and taken, and not "
                "before."
            ),
            kept="live",
        ),
        Row(
            "S-11",
            ("1.13Q(e)2",),
            "A sign tells every winning hand of the progressive and what it pays.",
            kept="live",
        ),
        Row(
            "S-12",
            ("1.13Q(e)3",),
            "The controller's panel has a lock-out button; once the dealer has pressed it, no acceptor takes a chip.",
            kept="live",
        ),
        Row(
            "S-13",
            ("1.13Q(e)4",),
            (
                "A return device gives every accepted chip back to one place at the rack before a hand is dealt; "
                "while it cannot, nothing is dealt."
            ),
            kept="live",
        ),
        Row(
            "S-14",
            ("28.1",),
            "The progressive hand is the player's two cards with the flop; turn and river have no part in it.",
            kept="live",
        ),
        Row(
            "S-15",
            ("28.6(a)", "28.6(c)"),
            (
                "The wager is one $1 chip in the player's own acceptor or a coupon, beside an ante; words and cash "
                "are no wager."
            ),
            kept="live",
        ),
        Row(
            "S-16",
            ("28.6(b)",),
            'After "No more bets" and the lock-out nothing is wagered, raised or taken back.',
            kept="live",
        ),
        Row(
            "S-17",
            ("28.6(c)",),
            (
                "A player looks at his light to know that his wager counts: it says so beyond doubt; no other bet has"
                " a bearing on it."
            ),
            kept="live",
        ),
        Row(
            "S-18",
            ("28.7(b)", "28.8(b)3", "28.9(b)2"),
            (
                "Announced and locked first, then the chips come out of the return device, are held against the "
                "lights, go into the rack, and only then is anything dealt."
            ),
            kept="live",
        ),
        Row(
            "S-19",
            ("28.10(h)", "28.11(i)"),
            (
                "Players are settled one by one from the dealer's far right; a part of the meter is a part of what it"
                " shows at that player's turn."
            ),
            kept="live",
        ),
        Row(
            "S-20",
            ("28.11(i)",),
            (
                "Royal flushes at one table share in equal parts what the meter showed when the first of them was to "
                "be paid."
            ),
            kept="live",
        ),
        Row(
            "S-21",
            ("28.11(i)",),
            (
                "When tables of a link win parts of the meter at the same time, people look at the recordings and "
                "decide who was first; the order of messages does not."
            ),
            kept="live",
        ),
        Row(
            "S-22",
            ("28.10(h)4ii(1)-(3)", "28.10(h)4ii"),
            (
                "Nothing is paid before the hand and that seat's light were verified and a supervisor has validated "
                "it; the cards stay until it is paid."
            ),
            kept="live",
        ),
        Row(
            "S-23",
            ("28.10(a)2",),
            "Who folds loses the ante and not the progressive: his cards wait for its settlement.",
            kept="live",
        ),
        Row(
            "S-24",
            ("28.10(h)4", "28.10(h)5"),
            "At each player the main wagers come first, then the bonus, then the progressive, and then his cards go.",
            kept="calculator",
            lacks="the live table settles neither the main wagers nor the bonus, whose odds are not in our text",
        ),
        Row(
            "S-25",
            ("28.11(f)",),
            (
                "For $1 at least: the whole meter for a royal flush, a tenth of it for a straight flush, $500 for "
                "four of a kind, $100 for a full house, $50 for a flush, all of it off the meter."
            ),
            kept="live",
        ),
        Row(
            "S-25a",
            ("28.11(g)",),
            (
                "A house may choose one of four tables for lesser hands; only pays that the table marks come off the "
                "meter, and beside Caribbean stud only table A is paid, or none."
            ),
            kept="live",
        ),
        Row(
            "S-25b",
            ("28.11(h)",),
            "At least 70 % of every wager goes on the meter; what it starts from is the licensee's to set.",
            kept="live",
        ),
        Row(
            "S-25c",
            ("28.12(a)",),
            "A dealer's card shown too early makes all hands void, but the progressive is settled all the same.",
            kept="live",
        ),
        Row(
            "S-25d",
            ("28.12(b)",),
            (
                "One card found face up is set aside, several void the hands; found after everybody had two cards, "
                "the progressive is settled with the flop even so."
            ),
            kept="live",
        ),
    ),
)
