"""Rewrites the parts of the documents that come from the code; `./dev docs` runs it, a test checks that it was run."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.settings import load
from controller.wiring_drawing import drawing
from controller.wiring_plan import plan
from games import phases

DOCS: Final = Path(__file__).parent
_TABLE: Final = DOCS.parent / "config" / "table.toml"
_BLOCK: Final = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _diagram(table: phases.PhaseTable) -> str:
    """Only the states and ways: how they are coloured is the reader's business."""
    lines = phases.diagram(table).splitlines()
    kept = [line for line in lines if "-->" in line or line.strip().startswith(("stateDiagram", "direction"))]
    return "```mermaid\n" + "\n".join(kept) + "\n```\n"


BLOCKS: Final[dict[str, Callable[[], str]]] = {
    **{
        name.replace("_", "-"): lambda table=table: _diagram(table)  # type: ignore[misc]  # bound at once
        for name, table in phases.PHASE_TABLES.items()
    },
    "wiring": lambda: f"```\n{plan(load(_TABLE))}\n```\n",
}
DRAWINGS: Final[dict[str, Callable[[], str]]] = {"wiring.svg": lambda: drawing(load(_TABLE))}


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
