"""Settings of the players' sign: the house's name and logo, the theme, the language."""

from msgspec import Struct

from common.settings import Section
from common.words import ENGLISH, LANGUAGES


class SignSettings(Struct, frozen=True):
    """How the sign of this table looks and speaks; a screen may ask for another theme or language."""

    house: str = ""
    logo: str = ""  # the path of a picture
    theme: str = "regent"
    themes: str = ""  # a folder with the house's own themes
    language: str = ENGLISH


def read_sign(section: Section) -> SignSettings:
    """Reads [sign]; whether a theme or a logo is sound is seen when it is shown, and stops no table."""
    return SignSettings(
        house=section.optional_text("house", pattern=".{1,40}", meaning="the house's name, at most 40 letters") or "",
        logo=section.optional_text("logo", meaning="the path of an SVG, PNG or WebP picture") or "",
        theme=section.text("theme", "regent", pattern="[a-z][a-z0-9-]{0,31}", meaning="the name of a theme's folder"),
        themes=section.optional_text("themes", meaning="the path of a folder with themes") or "",
        language=section.choice("language", tuple(LANGUAGES), ENGLISH),
    )
