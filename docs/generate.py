"""Rewrites the parts of the documents that come from the code; `./dev docs` runs it, a test checks that it was run."""

import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Final

import msgspec
from msgspec import inspect

from controller.meter_link.session import LINK_TABLE
from controller.settings.circuits import electric_plan
from controller.settings.table import load
from controller.settings.wiring_drawing import drawing
from controller.settings.wiring_plan import plan
from flashing.card.image import SPARE_MB
from flashing.card.layout import FAT, LINUX, MB, SECTOR, BaseLayout, Partition, planned
from flashing.fleet.rollout import BOARD_LIFE, BoardStage
from flashing.state import FLASH_LIFE, FlashEnd, FlashStep
from games.catalogue import GAMES
from games.game import Game
from games.paytable import PayLine, PayTable, Percent
from games.round import phases
from link import messages as link
from meter.ledger import award_life

DOCS: Final = Path(__file__).parent
_TABLE: Final = DOCS.parent / "config" / "table.toml"
_BLOCK: Final = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _diagram(table: phases.PhaseTable) -> str:
    """Only the states and ways: how they are coloured is the reader's business."""
    lines = phases.diagram(table).splitlines()
    kept = [line for line in lines if "-->" in line or line.strip().startswith(("stateDiagram", "direction"))]
    return "```mermaid\n" + "\n".join(kept) + "\n```\n"


def _drawn(table: Mapping[type, Mapping[Enum, Enum]]) -> str:
    """The ways between different phases of a small table; the events of one way stand together."""
    ways: dict[tuple[str, str], list[str]] = {}
    for event, phases_after in table.items():
        for phase, later in phases_after.items():
            if phase is not later:
                ways.setdefault((phase.value, later.value), []).append(event.__name__)
    lines = [f"  {phase} --> {later}: {', '.join(events)}" for (phase, later), events in ways.items()]
    return "\n".join(["```mermaid", "stateDiagram-v2", "  direction LR", *lines, "```", ""])


def _board_life() -> str:
    """The stages of a board in a rollout, and what is seen on the way from one to another."""
    ways: dict[tuple[str, str], list[str]] = {}
    for stage, seen in BOARD_LIFE.items():
        for what, later in seen.items():
            ways.setdefault((stage.value, later.value), []).append(what.value)
    lines = [f"  {stage} --> {later}: {'; '.join(seen)}" for (stage, later), seen in ways.items()]
    ordered = f"  {BoardStage.WAITING} --> {BoardStage.ORDERED}: its turn has come, and it reports"
    return "\n".join(["```mermaid", "stateDiagram-v2", "  direction LR", ordered, *lines, "```", ""])


def _flash_life() -> str:
    """The steps of a flash, and what becomes of each; the ends are drawn as such."""
    ways: dict[tuple[str, str], list[str]] = {}
    for event, steps in FLASH_LIFE.items():
        for step, later in steps.items():
            if step is not later:
                ways.setdefault((step.value, later.value), []).append(event.value)
    lines = [f"  {step} --> {later}: {', '.join(events)}" for (step, later), events in ways.items()]
    ends = [f"  {end} --> [*]" for end in FlashEnd]
    begin = f"  [*] --> {next(iter(FlashStep))}: the bundle is sound"
    return "\n".join(["```mermaid", "stateDiagram-v2", "  direction LR", begin, *lines, *ends, "```", ""])


def _names() -> str:
    """Every name that a Hello or an Award may have, with what is claimed of the meter."""
    head = (
        "| `game` | most `seats` | most `decks` | `pay_table` | `stake_cents` | `hand`: what is claimed of the meter |"
    )
    rows = (_name_row(game, table) for game in GAMES.values() if game.progressive for table in game.progressive.tables)
    return "\n".join((head, "|---|---|---|---|---|---|", *rows)) + "\n"


def _name_row(game: Game, table: PayTable) -> str:
    hands = "; ".join(_claim(line) for line in table.lines if line.deducted)
    alone = "" if table.linkable else " (for one game alone)"
    cells = (f"`{game.name}`", game.most_seats, game.most_decks, f"`{table.name}`{alone}", table.stake_cents, hands)
    return f"| {' | '.join(map(str, cells))} |"


def _claim(line: PayLine) -> str:
    if isinstance(line.pay, Percent):
        return f"`{line.hand}` {line.pay.bp} bp"
    return f"`{line.hand}` {getattr(line.pay, 'cents', 0)} cents"


def _ranges() -> str:
    """What each field of a table's messages may be, and which of them need not be said."""
    kinds: dict[str, list[str]] = {}
    for name, field in _fields():
        kinds.setdefault(_range(field.type), []).append(f"`{name}`")
    rows = [f"| {words} | {', '.join(fields)} |" for words, fields in kinds.items() if words]
    optional = [f"`{name}` ({_default(field)})" for name, field in _fields() if not field.required]
    return "\n".join(
        ("| range | fields |", "|---|---|", *rows, f"| may be left out (then) | {', '.join(optional)} |", "")
    )


def _fields() -> Iterator[tuple[str, inspect.Field]]:
    for kind in (
        link.Hello,
        link.Envelope,
        link.Wagers,
        link.Award,
        link.Validation,
        link.Payout,
        link.Release,
        link.Coupon,
        link.CouponReturn,
        link.Presence,
    ):
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType)
        yield from ((f"{kind.__name__}.{field.name}", field) for field in info.fields)


def _range(kind: inspect.Type) -> str:
    match kind:
        case inspect.StrType(max_length=int(most)):
            return f"text of at most {most} letters (Unicode code points)"
        case inspect.StrType(pattern=str(pattern)):
            return f"`{pattern.removeprefix(chr(92) + 'A').removesuffix(chr(92) + 'Z')}`"
        case inspect.IntType(ge=int(low), le=int(high)):
            return f"whole number from {low:,} to {high:,}"
        case inspect.VarTupleType(item_type=item, max_length=int(most)):
            return f"list of at most {most}, each a {_range(item)}"
        case inspect.DictType(key_type=key, value_type=value, max_length=int(most)):
            return f"object of at most {most}, each key a {_range(key)}, each value a {_range(value)}"
        case inspect.UnionType(types=types):
            return " or a ".join(filter(None, map(_range, types)))
        case inspect.BoolType():
            return "`true` or `false`"
        case _:
            return ""


def _default(field: inspect.Field) -> str:
    made = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    return "not said" if made is msgspec.NODEFAULT else f"`{msgspec.json.encode(made).decode()}`"


def _layers() -> str:
    """The packages inside each top folder as import-linter is told them: each sees only those behind it."""
    settings = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    inside = {folder: contract["layers"] for contract in contracts for folder in contract.get("containers", ())}
    rows = [f"| `{folder}/` | {', '.join(layers).replace(' | ', ' · ')} |" for folder, layers in inside.items()]
    return "\n".join(("| top folder | packages and files, the highest first |", "|---|---|", *rows, ""))


def _card() -> str:
    """The partitions of a card, with the sizes of one made of a base as large as Raspberry Pi OS Lite."""
    base = BaseLayout(
        b"", Partition(FAT[1], 8192, 512 * MB // SECTOR), Partition(LINUX, 1_056_768, 2304 * MB // SECTOR)
    )
    card = planned(base, 8 * 10**9, SPARE_MB)
    names = (
        ("1 boot, FAT", "firmware, kernel", "read-only"),
        ("2 system", "Raspberry Pi OS", "read-only"),
        ("3 programs", "slot A, slot B", "flashes"),
        ("4 data", "journal, settings, keys", "the table"),
    )
    rows = []
    for number, (words, part) in enumerate(zip(names, card.parts, strict=True)):
        x, shade = 10 + 190 * number, ("#e5e7eb", "#e5e7eb", "#dbeafe", "#dcfce7")[number]
        rows.append(f'<rect x="{x}" y="10" width="184" height="104" rx="6" fill="{shade}" stroke="#111827"/>')
        lines = (words[0], words[1], f"written by: {words[2]}" if number > 1 else words[2], f"{part.size // MB:,} MB")
        for line, word in enumerate(lines):
            weight = ' font-weight="bold"' if not line else ""
            rows.append(f'<text x="{x + 12}" y="{34 + 22 * line}"{weight}>{word}</text>')
    style = 'font-family="DejaVu Sans, Arial, sans-serif" font-size="14"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 774 124" role="img" {style}>'
    return "\n".join((head, "<title>Partitions of a card of 8 GB</title>", *rows, "</svg>", ""))


BLOCKS: Final[dict[str, Callable[[], str]]] = {
    **{
        name.replace("_", "-"): lambda table=table: _diagram(table)  # type: ignore[misc]  # bound at once
        for name, table in phases.PHASE_TABLES.items()
    },
    "layers": _layers,
    "award-life": lambda: f"```mermaid\n{award_life.diagram()}```\n",
    "flash-life": _flash_life,
    "link-session": lambda: _drawn(LINK_TABLE),
    "board-life": _board_life,
    "link-names": _names,
    "link-ranges": _ranges,
    "wiring": lambda: f"```\n{plan(load(_TABLE))}\n\n{electric_plan(load(_TABLE))}\n```\n",
}
DRAWINGS: Final[dict[str, Callable[[], str]]] = {"card.svg": _card, "wiring.svg": lambda: drawing(load(_TABLE))}


def regenerated(text: str) -> str:
    """The document with every generated block made anew."""
    return _BLOCK.sub(lambda match: match[1] + BLOCKS[match["name"]]() + match[3], text)


def fresh() -> dict[Path, str]:
    """Every file that comes from the code, wholly or in part, as the code would have it now."""
    pages = {page: page.read_text(encoding="utf-8") for page in sorted(DOCS.glob("*.md"))}
    made = {page: regenerated(text) for page, text in pages.items() if _BLOCK.search(text)}
    return made | {DOCS / name: draw() for name, draw in DRAWINGS.items()}


def stale() -> list[Path]:
    """The files that no longer say what the code says."""
    return [file for file, text in fresh().items() if not file.exists() or file.read_text(encoding="utf-8") != text]


if __name__ == "__main__":
    for file in stale():
        file.write_text(fresh()[file], encoding="utf-8")
        print(f"rewrote {file.name}")
    sys.exit(0)
