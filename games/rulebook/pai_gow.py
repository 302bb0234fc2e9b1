"""Rows of the rule book on pai gow poker and its progressive."""

from typing import Final

from games.rulebook.row import Row, Subject

PAI_GOW: Final = Subject(
    "Pai gow poker",
    (
        Row(
            "S-79",
            ("11.2",),
            ("One deck and one joker; a second deck takes turns with it only where a device shuffles."),
            kept="calculator",
            lacks="the cards are told of one deck and one joker; the live table sees no deck",
        ),
        Row(
            "S-80",
            ("11.3(a)", "11.3(b)", "11.3(c)", "11.3(e)"),
            (
                "The joker is an ace or fills a straight or a flush; a natural royal flush has none; ace to five is "
                "the second-highest straight and the highest straight flush."
            ),
            kept="live",
        ),
        Row(
            "S-81",
            ("11.3(d)", "11.3(f)", "11.3(g)", "11.3(h)"),
            (
                "The house may rank ace to five lowest; the bonus knows hands of seven cards, table B tells jokers in"
                " straight flushes apart, and insurance takes the joker for an ace."
            ),
            kept="live",
        ),
        Row(
            "S-82",
            ("11.4", "11.8C"),
            (
                "Dice, a generator of one to seven, or a button say where the deal begins, counted counterclockwise "
                "from the dealer as one."
            ),
            kept="live",
        ),
        Row(
            "S-83",
            ("11.5", "11.6"),
            (
                "Cards are shown, washed and shuffled; the cut is offered in order and lies ten cards from either end"
                " at least."
            ),
            kept="calculator",
            lacks="the live table has no shuffle and no cut",
        ),
        Row(
            "S-84",
            ("11.7(a)-(c)",),
            'Only seated players wager, by chips, and nothing after "No more bets".',
            kept="live",
        ),
        Row(
            "S-85",
            ("11.7(d)",),
            ("The progressive needs a pai gow wager, is made by chip or coupon, and its light is the player's to see."),
            kept="live",
        ),
        Row(
            "S-86",
            ("11.8", "11.8A", "11.8B"),
            (
                "Seven cards go to each position, the empty ones too, and four remain; otherwise the round is void, "
                "or the deck leaves the table."
            ),
            kept="calculator",
            lacks="the live table counts the stub of 11.17 only; four cards left are for the dealer to see",
        ),
        Row(
            "S-87",
            ("11.9(e)",),
            "Who has a progressive wager or a seven-card bonus cannot surrender.",
            kept="live",
        ),
        Row(
            "S-88",
            ("11.9(f)", "11.9(i)"),
            (
                "Hands are shown and wagers paid from the far right, when all are shown; the pai gow wager comes "
                "before the progressive."
            ),
            kept="live",
            lacks="the dealer settles the pai gow wager; pitlink showdown does it",
        ),
        Row(
            "S-89",
            ("11.9(g)", "11.9(h)", "11.9(a)-(d)"),
            (
                "When a pai gow wager wins, loses or pushes, copies and foul hands included; a lost hand stays if its"
                " progressive wins."
            ),
            kept="calculator",
            lacks="the live table shows the house way; who wins the pai gow wager is for the dealer to see",
        ),
        Row(
            "S-90",
            ("11.9(j)",),
            (
                "Five percent vigorish, exact or up to the next quarter; the dealer sets the hand anew to the type "
                "that the progressive, or the seven-card bonus, pays most for."
            ),
            kept="live",
        ),
        Row(
            "S-91",
            ("11.9(k)",),
            "Cards are picked up so that each hand can be laid out again.",
            for_people=(
                "the order in which hands gather cards is the dealer's; a claim keeps its cards in the journal"
            ),
            kept="people",
            told_by="the licensee's dealing procedures",
        ),
        Row(
            "S-92",
            ("11.9(l)",),
            "Where the rack does not pay, the cards stay until the papers are done.",
            kept="live",
        ),
        Row(
            "S-93",
            ("11.10(a)-(o)", "11.10"),
            (
                "A player may bank, alone or halved with the house, on one area and never twice running; vigorish is "
                "on what is won."
            ),
            kept="live",
        ),
        Row(
            "S-94",
            ("11.10(p)",),
            "With a player's bank the progressive keeps its own rules and the house pays it.",
            kept="live",
        ),
        Row(
            "S-95",
            ("11.11(a)-(o)", "11.11"),
            (
                "Which mishap reshakes the dice, voids one hand or all, or has a hand set anew; the progressive has "
                "no exception here."
            ),
            kept="live",
        ),
        Row(
            "S-96",
            ("11.12",),
            "A player may wager on two adjacent areas, and each is played for itself.",
            kept="live",
        ),
        Row(
            "S-97",
            ("11.13",),
            (
                "A wager on the generator's number pays 5 1/2 to 6 to 1 in whole dollars, before any card; where no "
                "number is drawn there is none."
            ),
            kept="live",
        ),
    ),
)

PAI_GOW_PROGRESSIVE: Final = Subject(
    "Pai gow poker: progressive and bonus wagers",
    (
        Row(
            "S-98",
            ("11.14(a)",),
            "The wager is $1 or $5, as the licensee chose.",
            kept="live",
        ),
        Row(
            "S-99",
            ("11.14(b)",),
            (
                "Announced and locked first, then chips are held against lights and go into the rack, before the "
                "first card or stack."
            ),
            kept="live",
        ),
        Row(
            "S-100",
            ("11.14(c)",),
            (
                "The light is verified first, then the hand, then a supervisor validates what the meter pays, "
                "whatever became of the pai gow wager."
            ),
            kept="live",
        ),
        Row(
            "S-101",
            ("11.14(d)",),
            (
                "The $1 pays of seventeen hand types, from the whole meter for a natural royal flush or five aces "
                "with a pair to $2 for three of a kind."
            ),
            kept="live",
        ),
        Row(
            "S-102",
            ("11.14(d)",),
            "The $5 pays: the same parts of the meter, five times the amounts.",
            kept="live",
        ),
        Row(
            "S-103",
            ("11.14(e)",),
            "At least 21 % of a $1 wager and 27 % of a $5 wager goes on the meter.",
            kept="live",
        ),
        Row(
            "S-104",
            ("11.14(e)",),
            "Payouts of $50 or more at the $1 wager, $250 at $5, and every straight flush come off the meter.",
            kept="live",
        ),
        Row(
            "S-105",
            ("11.14(f)",),
            "The licensee funds no less than $10,000, at first and at each reset.",
            kept="live",
        ),
        Row(
            "S-106",
            ("11.14(g)",),
            (
                "A part of the meter is of what it shows when it is paid; nobody shares, so a second whole award is "
                "the reset amount."
            ),
            kept="live",
        ),
        Row(
            "S-107",
            ("11.15(a)-(d)",),
            (
                "Bonus from $1, envy from $5, insurance beside it; not at a table with three- or seven-card bonus; "
                "premium hands and envy are paid last."
            ),
            kept="live",
        ),
        Row(
            "S-108",
            ("11.16(a)-(c)",),
            "The odds of the bonus, the amounts of envy, and five tables of insurance.",
            kept="live",
        ),
        Row(
            "S-109",
            ("11.16(d)", "11.18(d)"),
            (
                "A house may cap these bonus wagers, from $40,000 and $50,000 up or from what the least wagers could "
                "win, if that is more; no cap touches the progressive."
            ),
            kept="live",
        ),
        Row(
            "S-110",
            ("11.17",),
            (
                "Three cards first, their bonus settled, then four more; the stub is counted every five rounds unless"
                " the shuffler counts."
            ),
            kept="live",
        ),
        Row(
            "S-111",
            ("11.18(b)", "11.18(c)"),
            ("The odds of the three-card bonus and of the seven-card bonus, tables A and B."),
            kept="live",
        ),
    ),
)
