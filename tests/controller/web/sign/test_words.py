"""The sign's words: what players may read, and odds as a layout prints them."""

from fractions import Fraction

from common.words import ENGLISH, Words, read_catalogues
from controller.web.sign.words import odds, part

CATALOGUES, _ = read_catalogues()
FOR_STAFF = ("meter", "claim", "validat", "pending", "fault", "contest", "supervisor", "management")


def test_no_text_says_the_house_s_internal_words() -> None:
    """Players read of jackpots, wagers, awards and wins."""
    for key, text in CATALOGUES[ENGLISH].pages["sign"].items():
        assert not [word for word in FOR_STAFF if word in str(text).lower()], key


def test_odds_and_parts_are_written_as_on_a_layout() -> None:
    """Halves as one sign, other fractions in full."""
    words = Words(CATALOGUES[ENGLISH], "sign", "USD")
    assert (odds(words, Fraction(8000)), odds(words, Fraction(11, 2))) == ("8,000 to 1", "5½ to 1")
    assert (odds(words, Fraction(1, 2)), odds(words, Fraction(4, 3))) == ("1/2 to 1", "1 1/3 to 1")
    assert (part(words, 1000), part(words, 1250)) == ("10 %", "12.5 %")
