"""Themes of the sign: a folder with theme.toml and its pictures and fonts; a broken one gives way to the default."""

import re
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias
from xml.parsers import expat

import msgspec
from msgspec import Meta, Struct

DEFAULT: Final = "regent"
SHIPPED: Final = (DEFAULT, "meridian", "ivory")
LARGEST_FILE_BYTES: Final = 2_000_000
KINDS: Final = {
    ".woff2": "font/woff2",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
    ".jpg": "image/jpeg",
}
_MAGIC: Final = {".woff2": b"wOF2", ".png": b"\x89PNG", ".webp": b"RIFF", ".jpg": b"\xff\xd8\xff"}
_LEAST_AMOUNT_CONTRAST: Final = 7.0
_LEAST_CONTRAST: Final = 4.5
NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,31}", re.ASCII)

Colour: TypeAlias = Annotated[str, Meta(pattern=r"\A#[0-9a-f]{6}\Z")]
FileName: TypeAlias = Annotated[str, Meta(pattern=r"\A([a-z0-9][a-z0-9._-]{0,63})?\Z")]
Family: TypeAlias = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9 -]{1,40}\Z")]
Weight: TypeAlias = Annotated[int, Meta(ge=100, le=900)]
Stretch: TypeAlias = Annotated[int, Meta(ge=50, le=200)]


class Colours(Struct, frozen=True, forbid_unknown_fields=True):
    """The ground from its centre to its edge, the reels likewise, and what is written on them."""

    edge: Colour
    centre: Colour
    reel_edge: Colour
    reel_centre: Colour
    reel_line: Colour
    amount: Colour
    symbol: Colour
    text: Colour
    muted: Colour
    accent: Colour
    line: Colour
    band: Colour


class FontFile(Struct, frozen=True, forbid_unknown_fields=True):
    """One font of the theme's folder, or one that is shipped; a variable one has a range of weights."""

    family: Family
    file: FileName
    weight: Annotated[str, Meta(pattern=r"\A[1-9]00( [1-9]00)?\Z")] = "400"
    stretch: Annotated[str, Meta(pattern=r"\A\d{2,3}%( \d{2,3}%)?\Z")] = "100%"


class Face(Struct, frozen=True, forbid_unknown_fields=True):
    """A family at one weight and width."""

    family: Family
    weight: Weight = 400
    stretch: Stretch = 100


class Type(Struct, frozen=True, forbid_unknown_fields=True):
    """What titles, digits and rows are set in; a reel is so many hundredths of the digits' size wide."""

    titles: Face
    digits: Face
    rows: Face
    reel_width: Annotated[int, Meta(ge=50, le=90)] = 66
    glow: bool = False


class Motion(Struct, frozen=True, forbid_unknown_fields=True):
    """How long a digit rolls and how far the next one is behind; seconds between two attract loops, 0 for none."""

    roll_ms: Annotated[int, Meta(ge=200, le=2000)] = 600
    behind_ms: Annotated[int, Meta(ge=0, le=200)] = 60
    attract_s: Annotated[int, Meta(ge=0, le=600)] = 45
    rays: bool = True


class ThemeFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What theme.toml says."""

    title: Annotated[str, Meta(min_length=1, max_length=40)]
    colours: Colours
    type: Type
    frame: Literal["double", "line", "bar", "none"] = "none"
    logo: FileName = ""
    background: FileName = ""
    font: tuple[FontFile, ...] = ()
    motion: Motion = Motion()


class Theme(Struct, frozen=True):
    """A theme that can be shown, with the bytes of its files by name."""

    name: str
    file: ThemeFile
    assets: dict[str, bytes]


def read_themes(house_folder: Path | None) -> tuple[dict[str, Theme], list[str]]:
    """The shipped themes and the house's own, and what is wrong with those that are left out."""
    themes, faults = {}, list[str]()
    with as_file(files("controller.web.sign")) as here:
        for name in SHIPPED:
            themes[name] = _read(here / "themes" / name, here / "fonts")
        for folder in _folders(house_folder, faults):
            try:
                themes[folder.name] = _read(folder, here / "fonts")
            except ThemeFaultError as fault:
                faults.append(f"theme {folder.name}: {fault}")
    return themes, faults


class ThemeFaultError(Exception):
    """A theme cannot be shown; says why."""


def read_picture(path: Path) -> bytes:
    """The bytes of a picture or font that is what its name says; raises ThemeFaultError."""
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= LARGEST_FILE_BYTES else b""
    except OSError as error:
        raise ThemeFaultError(f"{path.name}: {error.strerror}") from error
    if size > LARGEST_FILE_BYTES:
        raise ThemeFaultError(f"{path.name}: {size} bytes, {LARGEST_FILE_BYTES} are allowed")
    if not _is_what_it_says(path.suffix, data):
        raise ThemeFaultError(f"{path.name}: not a sound file of its kind; allowed are {', '.join(KINDS)}")
    return data


def style_sheet(themes: dict[str, Theme]) -> str:
    """Every theme as custom properties under its name, with its fonts."""
    return "\n".join(line for theme in themes.values() for line in _rules(theme))


def _rules(theme: Theme) -> Iterator[str]:
    file, at = theme.file, f"/sign/theme/{theme.name}"
    for font in file.font:
        yield (
            f'@font-face {{ font-family: "{font.family}"; font-weight: {font.weight}; font-stretch: {font.stretch}; '
            f'font-display: block; src: url("{at}/{font.file}") format("woff2"); }}'
        )
    yield f'[data-theme="{theme.name}"] {{'
    for name, colour in msgspec.structs.asdict(file.colours).items():
        yield f"  --{name.replace('_', '-')}: {colour};"
    for name, face in (("titles", file.type.titles), ("digits", file.type.digits), ("rows", file.type.rows)):
        yield f'  --{name}: "{face.family}", "Noto Sans SC", system-ui, sans-serif;'
        yield f"  --{name}-weight: {face.weight}; --{name}-stretch: {face.stretch}%;"
    yield f"  --reel-width: {file.type.reel_width / 100}em;"
    yield f"  --glow: {'0 0 .12em color-mix(in srgb, var(--accent) 45%, transparent)' if file.type.glow else 'none'};"
    if file.background:
        yield f'  --background: url("{at}/{file.background}");'
    yield "}"


def _folders(house_folder: Path | None, faults: list[str]) -> list[Path]:
    if house_folder is None:
        return []
    try:
        return sorted(folder for folder in house_folder.iterdir() if folder.is_dir() and NAME.fullmatch(folder.name))
    except OSError as error:
        faults.append(f"themes folder {house_folder}: {error.strerror}")
        return []


def _read(folder: Path, shipped_fonts: Path) -> Theme:
    try:
        file = msgspec.toml.decode((folder / "theme.toml").read_bytes(), type=ThemeFile)
    except OSError as error:
        raise ThemeFaultError(f"theme.toml: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ThemeFaultError(f"theme.toml: {error}") from error
    if faint := list(_faint(file.colours)):
        raise ThemeFaultError(f"theme.toml: {'; '.join(faint)}")
    names = [name for name in (file.logo, file.background, *(font.file for font in file.font)) if name]
    places = {name: folder / name if (folder / name).exists() else shipped_fonts / name for name in names}
    return Theme(folder.name, file, {name: read_picture(place) for name, place in places.items()})


def _is_what_it_says(suffix: str, data: bytes) -> bool:
    if suffix != ".svg":
        return suffix in _MAGIC and data.startswith(_MAGIC[suffix])
    try:
        expat.ParserCreate().Parse(data, True)
    except expat.ExpatError:
        return False
    return b"<svg" in data


def _faint(colours: Colours) -> Iterator[str]:
    """What cannot be read from afar, against the worst surface that it stands on."""
    grounds = (colours.edge, colours.centre, colours.band)
    reels = (colours.reel_edge, colours.reel_centre)
    for name, colour, behind, least in (
        ("amount", colours.amount, (*grounds, *reels), _LEAST_AMOUNT_CONTRAST),
        ("symbol", colours.symbol, grounds, _LEAST_CONTRAST),
        ("text", colours.text, grounds, _LEAST_CONTRAST),
        ("muted", colours.muted, grounds, _LEAST_CONTRAST),
        ("accent", colours.accent, grounds, _LEAST_CONTRAST),
    ):
        found = min(contrast(colour, ground) for ground in behind)
        if found < least:
            yield f"colours.{name}: contrast {found:.1f}, at least {least} is needed"


def contrast(one: str, other: str) -> float:
    """The contrast of two colours after WCAG 2."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
