"""Themes: folders that a house writes itself, and what is shown when one is broken."""

import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from controller.web.sign.themes import DEFAULT, SHIPPED, contrast, read_themes, style_sheet
from tests.support.table.paper_floor import paper_floor

OWN = (files("controller.web.sign") / "themes" / "ivory" / "theme.toml").read_text()


def house(folder: Path, text: str = OWN, *, name: str = "own") -> Path:
    """A folder with one theme of the house."""
    (folder / name).mkdir()
    (folder / name / "theme.toml").write_text(text)
    return folder


def test_a_house_puts_its_own_theme_beside_the_shipped_ones(tmp_path: Path) -> None:
    """With a logo, a background and colours of its own; fonts may be the shipped ones."""
    text = OWN.replace('frame = "line"', 'frame = "none"\nlogo = "logo.svg"\nbackground = "felt.png"')
    house(tmp_path, text)
    (tmp_path / "own" / "logo.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    (tmp_path / "own" / "felt.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    themes, faults = read_themes(tmp_path)
    assert (list(themes), faults) == ([*SHIPPED, "own"], [])
    sheet = style_sheet(themes)
    assert '--background: url("/sign/theme/own/felt.png");' in sheet
    assert themes["own"].assets.keys() >= {"logo.svg", "felt.png", "jost-500.woff2"}


def test_every_file_that_the_style_sheet_names_is_served() -> None:
    """No theme asks the network for a font or a picture."""
    themes, _ = read_themes(None)
    named = re.findall(r'url\("([^"]+)"\)', style_sheet(themes))
    assert named
    for address in named:
        _, sign, theme, name, file = address.split("/")
        assert (sign, theme) == ("sign", "theme")
        assert file in themes[name].assets


@pytest.mark.parametrize(
    ("breaks", "says"),
    [
        (lambda text: text.replace("[colours]", "[colours"), "theme.toml"),
        (lambda text: text.replace('frame = "line"', 'frame = "gold"'), "gold"),
        (lambda text: text.replace('title = "Ivory"', 'tittle = "Ivory"'), "tittle"),
        (lambda text: text.replace('text = "#1d2a2a"', 'text = "#e8e0d0"'), "colours.text: contrast 1."),
        (lambda text: text.replace('amount = "#10302c"', 'amount = "red; }"'), "colours.amount"),
        (lambda text: text.replace("jost-500.woff2", "missing.woff2"), "missing.woff2: No such file"),
        (lambda text: text.replace("jost-500.woff2", "../theme.toml"), "font"),
        (lambda text: text.replace('frame = "line"', 'logo = "theme.toml"'), "not a sound file of its kind"),
    ],
)
def test_a_broken_theme_is_left_out_and_says_why(tmp_path: Path, breaks: Callable[[str], str], says: str) -> None:
    """Whatever is wrong with it, the shipped ones remain."""
    house(tmp_path, breaks(OWN))
    themes, (fault,) = read_themes(tmp_path)
    assert tuple(themes) == SHIPPED
    assert fault.startswith("theme own: ")
    assert says in fault


async def test_a_broken_theme_and_logo_change_nothing_at_the_table(tmp_path: Path) -> None:
    """The table opens and its sign is Regent; what is wrong is said."""
    house(tmp_path, "title = 3")
    (tmp_path / "logo.svg").write_text("<svg>")
    sign = {"theme": "own", "themes": str(tmp_path), "logo": str(tmp_path / "logo.svg")}
    async with paper_floor(tmp_path, sign=sign) as floor:
        bench = floor.tables["T1"]
        await bench.deal(3)
        assert bench.lit == [3]
        assert bench.assembly is not None
        shown = bench.assembly.web_server.sign
        await bench.until(lambda: shown.view().amount == "$10,000.70", "the meter's word did not come")
        assert [fault.split(":")[0] for fault in shown.faults] == [
            "theme own",
            "logo logo.svg",
            "theme own cannot be shown; regent is shown instead",
        ]


def test_the_amount_of_every_theme_can_be_read_from_afar() -> None:
    """Contrast 7 for the amount, 4.5 for the rest, against the worst ground; black on white is 21."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    for theme in read_themes(None)[0].values():
        colours = theme.file.colours
        assert contrast(colours.amount, colours.reel_centre) >= 7
        assert contrast(colours.muted, colours.centre) >= 4.5
    assert DEFAULT in SHIPPED
