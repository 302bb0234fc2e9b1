"""Rows of the rule book on three card poker: progressive, envy bonus and 6 card bonus."""

from typing import Final

from games.rulebook.row import Row, Subject

THREE_CARD: Final = Subject(
    "Three card poker: progressive and envy bonus",
    (
        Row(
            "S-26",
            ("1.10A(b)5",),
            (
                "The progressive has an area of its own behind pair plus, and a sign or print for its pays and the "
                "envy amounts."
            ),
            for_people="where an area is printed on a layout is the layout maker's and the Commission's business",
            kept="people",
            told_by="the approved layout drawing",
        ),
        Row(
            "S-27",
            ("1.10A(d)1",),
            (
                "Each position has a device that takes the chip or notices it: a slot, or a sensor on which the chip "
                "stays."
            ),
            kept="live",
        ),
        Row(
            "S-28",
            ("1.10A(d)2",),
            'A control device keeps a wager tried after "No more bets" from being recognized.',
            kept="live",
        ),
        Row(
            "S-29",
            ("1.10A(d)3", "1.10A(d)4"),
            "The devices meet the rule on progressive equipment, as does whatever else serves the game's integrity.",
            for_people="whether a device is approved is found by its inspection, not by its own program",
            kept="people",
            told_by="the certificate of the equipment",
        ),
        Row(
            "S-30",
            ("1.10A(d)5",),
            "The use of the system is written down.",
            for_people="procedures are a document of the licensee; docs/ is what we can give for it",
            kept="people",
            told_by="docs/panel.md and the licensee's own procedures",
        ),
        Row(
            "S-31",
            ("20.13(a)",),
            ("The wager is $1 or $5, as the licensee chose for the table; nothing else will do."),
            kept="live",
        ),
        Row(
            "S-32",
            ("20.6(a)4", "20.13(b)"),
            "It needs an ante or a pair plus wager, is made by chip or coupon, and lights that position.",
            kept="live",
        ),
        Row(
            "S-33",
            ("20.13(b)",),
            (
                'First one wager for each light and as many chips as lights, then "No more bets", then the wagers go '
                "on meter and reset meter, then the deal."
            ),
            kept="live",
        ),
        Row(
            "S-34",
            ("20.6(d)",),
            'After "No more bets" nothing is wagered, raised or taken back.',
            kept="live",
        ),
        Row(
            "S-35",
            ("20.11(a)4",),
            (
                "The $1 pays of tables A and B: the whole meter for ace, king, queen of spades, $500 in another suit,"
                " and the lesser hands."
            ),
            kept="live",
        ),
        Row(
            "S-36",
            ("20.11(a)4",),
            "The $5 pays of tables A and B: five times the amounts; a flush has none.",
            kept="live",
        ),
        Row(
            "S-37",
            ("20.13(c)",),
            "Only the highest hand is paid, whatever became of ante and pair plus.",
            kept="live",
        ),
        Row(
            "S-38",
            ("20.10(b)",),
            "Who makes no play wager forfeits the progressive, and stays entitled to envy.",
            kept="live",
        ),
        Row(
            "S-39",
            ("20.13(d)",),
            "Hand and light are verified before a payout; a supervisor validates what the meter pays.",
            kept="live",
        ),
        Row(
            "S-40",
            ("20.13(e)",),
            (
                "It is paid after the player's other wagers; a part of the meter never comes from the rack and holds "
                "the cards until the papers are done, an amount always does."
            ),
            kept="live",
            lacks="the dealer settles ante and pair plus",
        ),
        Row(
            "S-41",
            ("20.13(f)",),
            (
                "Meter and reset meter together grow by 14 % with table A and 20 % with B at least, and the licensee "
                "funds no less than $1,000."
            ),
            kept="live",
        ),
        Row(
            "S-42",
            ("20.13(g)",),
            (
                "A part of the meter is of what it shows when it is paid, not when the wager was made or the cards "
                "were dealt."
            ),
            kept="live",
        ),
        Row(
            "S-43",
            ("20.1", "20.14(a)"),
            (
                "Every player with a progressive wager is paid envy for each suited ace, king, queen that another "
                "player at the table holds, wagered or not; never for his own or the dealer's."
            ),
            kept="live",
        ),
        Row(
            "S-44",
            ("20.14(b)",),
            (
                "Envy is $100 for spades and $25 for another suit, five times that with a $5 wager of the one who "
                "gets it."
            ),
            kept="live",
        ),
        Row(
            "S-45",
            ("20.10(c)",),
            (
                "The licensee chooses to settle player by player or procedure by procedure, from the dealer's right, "
                "envy last."
            ),
            kept="live",
        ),
    ),
)

SIX_CARD: Final = Subject(
    "Three card poker: 6 card bonus",
    (
        Row(
            "S-46",
            ("1.10A(b)6", "1.10A(d)"),
            (
                "The bonus has its own area and its odds are posted; two temporary rules use the same numbers, so a "
                "clause names its document."
            ),
            kept="live",
            lacks="where the area is printed is the layout maker's business",
        ),
        Row(
            "S-47",
            ("20.12A(b)", "20.6(a)4"),
            "It needs a pair plus wager and is made before the first card.",
            kept="live",
        ),
        Row(
            "S-48",
            ("20.10(b)1",),
            "A fold takes ante and pair plus, and leaves the 6 card bonus.",
            kept="live",
        ),
        Row(
            "S-49",
            ("20.11(a)4",),
            ("Four tables of odds, A to D, from 1,000 to 1 for a royal flush to three of a kind."),
            kept="live",
        ),
        Row(
            "S-50",
            ("20.12A(a)", "20.12A(c)", "20.12A(d)", "20.12A"),
            (
                "The best five of the player's three and the dealer's three cards count, the highest hand only, "
                "whatever else was wagered."
            ),
            kept="live",
        ),
    ),
)
