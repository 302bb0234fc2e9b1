"""What the house's papers are headed with, and which paper its printers hold."""

from typing import Final

from msgspec import Struct

from common.settings import Section

PAPERS: Final = ("a4", "letter", "receipt")


class PaperSettings(Struct, frozen=True):
    """What the house's papers are headed with, and which paper its printers hold."""

    property: str = ""
    address: str = ""
    paper: str = "a4"


def read_papers(section: Section) -> PaperSettings:
    """Reads [papers]."""
    return PaperSettings(
        property=section.optional_text("property", pattern=".{1,60}", meaning="the house's name") or "",
        address=section.optional_text("address", pattern=".{1,90}", meaning="the house's address on one line") or "",
        paper=section.choice("paper", PAPERS, "a4"),
    )
