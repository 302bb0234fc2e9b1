"""Rows of the rule book on the ranking of hands and the games of the poker room."""

from typing import Final

from games.rulebook.row import Row, Subject

POKER_ROOM: Final = Subject(
    "Poker",
    (
        Row(
            "S-63",
            ("14.3(a)", "14.3(b)", "14.3(c)"),
            (
                "The ace is high, or low before a two, and no straight goes around it; suits are equal; among three "
                "cards three of a kind beat a straight and a straight a flush."
            ),
            kept="live",
        ),
        Row(
            "S-64",
            ("14.3(d)", "14.3(g)"),
            (
                "Equal hands are told apart by the highest card that the other lacks, or share; cards speak for "
                "themselves."
            ),
            kept="calculator",
            lacks="a poker table has no device; its page (pitlink poker-room) answers the dealer",
        ),
        Row(
            "S-65",
            ("14.9(i)2", "14.11(f)2"),
            (
                "What is left of a division, up to a dollar, goes to the high hand, and among equals by suit: spades,"
                " hearts, diamonds, clubs."
            ),
            kept="calculator",
            lacks="a poker table has no device; its page (pitlink poker-room) answers the dealer",
        ),
        Row(
            "S-66",
            ("14.3(e)", "14.3(f)", "14.9", "14.10", "14.11", "14.12", "14.13", "14.13A"),
            (
                "Seven- and five-card stud, hold 'em, Omaha and draw: how many may play, who opens, who acts first, "
                "who wins which part of the pot, and the kill."
            ),
            kept="calculator",
            lacks="a poker table has no device; its page (pitlink poker-room) answers the dealer",
        ),
    ),
)
