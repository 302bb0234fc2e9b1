"""Rows of the rule book on blackjack's progressive, bonus and multiple action."""

from typing import Final

from games.rulebook.row import Row, Subject

BLACKJACK: Final = Subject(
    "Blackjack progressive and bonus",
    (
        Row(
            "S-51",
            ("2.18(b)-(j)", "2.18"),
            (
                "Multiple action: two or three wagers against as many hands of the dealer with one up-card; above 21 "
                "loses them all."
            ),
            kept="live",
            lacks="2.9 and 2.12 are not in our text: the dealer decides the wagers themselves against his hands",
        ),
        Row(
            "S-52",
            ("2.19(a)",),
            "The progressive costs $1, at a table that has the equipment.",
            kept="live",
        ),
        Row(
            "S-53",
            ("2.19(b)",),
            (
                "A chip in the acceptor lights the position; one wager for each light and as many chips as lights, "
                'then "no more bets", then both meters, then the deal.'
            ),
            kept="live",
        ),
        Row(
            "S-54",
            ("2.19(c)",),
            (
                "Four aces of one color among the first four cards win the meter; three and two aces among the first "
                "three and two win amounts, more if of one suit."
            ),
            kept="live",
        ),
        Row(
            "S-55",
            ("2.19(d)", "2.19(e)", "2.19(f)"),
            "The dealer's points do not matter, only the highest hand is paid, and it needs a blackjack wager.",
            kept="live",
        ),
        Row(
            "S-56",
            ("2.19(g)",),
            ("Cards and light are verified and a supervisor validates each payout, the smallest too."),
            kept="live",
        ),
        Row(
            "S-57",
            ("2.19(h)",),
            (
                "It is paid of the meter at the time the regular wager is settled; hands of four aces share equally, "
                "and cards stay until the papers are done where the rack does not pay."
            ),
            kept="live",
            lacks="the dealer settles the regular wager; the table pays the progressive in the same tour",
        ),
        Row(
            "S-58",
            ("2.19(i)",),
            (
                "Meter and reset meter together grow by 70 % of a wager at least, and the licensee funds no less than"
                " $5,000."
            ),
            kept="live",
        ),
        Row(
            "S-59",
            ("2.20(a)-(d)",),
            (
                "The bonus wager of $1 or $5 is on a blackjack in two cards, beside a blackjack wager, by chips or "
                "confirmed cash."
            ),
            kept="live",
            lacks="the dealer enters it; whether chips or confirmed cash lie there is his to see",
        ),
        Row(
            "S-60",
            ("2.20(e)", "2.20(f)"),
            (
                "Losing bonuses go after the second card; at the end, from the dealer's left, each winner presses the"
                " button once and is paid what the display shows."
            ),
            kept="live",
            lacks="the dealer collects losing bonuses without a tap; a display of another make is entered by him",
        ),
        Row(
            "S-61",
            ("2.20(g)1",),
            "The cards are verified before a bonus is paid.",
            kept="live",
            lacks="a dealer may name the blackjack without entering its cards",
        ),
        Row(
            "S-62",
            ("2.19(b)",),
            "The meter moves when wagers are registered, not when a chip goes in.",
            kept="live",
        ),
    ),
)
