"""docs/threats.md: every test that it names exists, and every row has an answer; and validation from the network."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from common.unix_http import PAGES
from games.round.state import ClaimState
from tests.support.panel_page import Page, certificate, claimed, give_pins, page_at, validated
from tests.support.paper_floor import paper_floor
from tests.support.staff_pins import DAN, SUE
from tests.support.web_clients import network_pages

ROOT = Path(__file__).parents[2]
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
STRIDE = {
    "Spoofing",
    "Tampering",
    "Repudiation",
    "Information disclosure",
    "Denial of service",
    "Elevation of privilege",
}
LAST_ROWS = {"2.1": 12, "2.2": 3, "2.3": 3, "2.4": 5, "2.5": 7, "2.6": 3, "2.7": 6, "2.8": 7, "2.9": 3, "2.10": 4}
LAST_ROWS |= {"3.1": 1, "3.2": 4, "3.3": 4, "3.4": 5, "3.5": 3, "3.7": 1, "4.1": 5, "4.2": 2, "4.3": 3}
DELETED = "4.1.4"
FINDING = re.compile(r"(?:finding_|Finding |test_15_)([1-9])(?!\d)")


def rows() -> Iterator[list[str]]:
    """Every line of a table of the document, by cells."""
    for line in (ROOT / "docs" / "threats.md").read_text().splitlines():
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def named_in(path: Path) -> Iterator[tuple[str, str]]:
    """The tests of a file: name, and name with docstring."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name, f"{node.name} {ast.get_docstring(node) or ''}"


def test_every_test_that_the_document_names_exists() -> None:
    """A renamed test is missed here."""
    named = set(TEST.findall((ROOT / "docs" / "threats.md").read_text()))
    missing = {
        (file, name) for file, name in named if not (ROOT / file).exists() or name not in dict(named_in(ROOT / file))
    }
    assert named
    assert missing == set()


def test_every_row_of_stride_names_a_test_or_says_gap() -> None:
    """And every kind of threat has rows."""
    found = [row for row in rows() if row[0] in STRIDE]
    assert {row[0] for row in found} == STRIDE
    assert [row for row in found if not TEST.search(row[-1]) and not row[-1].startswith("gap: ")] == []


def test_every_row_of_asvs_level_2_is_answered_once() -> None:
    """V2, V3 and V4: met, not applicable or gap, with words or a test."""
    answers = [(row[0], row[-1]) for row in rows() if re.fullmatch(r"\d\.\d+\.\d+", row[0])]
    wanted = [f"{part}.{number}" for part, last in LAST_ROWS.items() for number in range(1, last + 1)]
    assert [number for number, _ in answers] == [number for number in wanted if number != DELETED]
    unclear = [row for row in answers if not re.match(r"(met|not applicable|gap)\b.{0,20}: .", row[1])]
    assert unclear == []


def test_every_finding_of_the_penetration_test_has_a_test() -> None:
    """Findings 1 to 9, named by tests as finding_N, Finding N or test_15_N."""
    found = {
        number
        for path in (ROOT / "tests").rglob("test_*.py")
        if path != Path(__file__)
        for _, words in named_in(path)
        for number in FINDING.findall(words)
    }
    assert found == set("123456789")


async def test_nobody_validates_from_the_network_unless_the_house_says_so(tmp_path: Path) -> None:
    """A supervisor elsewhere, with the right PIN: the claim stays open until she comes to the table's own screen."""
    panel = {"port": 0, "tls": {"host": "127.0.0.1", "port": 0, **certificate(tmp_path)}}
    async with paper_floor(tmp_path, panel=panel) as floor:
        bench = floor.tables["T1"]
        give_pins(bench)
        assert bench.assembly is not None
        tls, upstream = bench.settings.panel.tls, bench.assembly.control.with_name(PAGES)
        assert tls is not None
        async with (
            network_pages(tls, upstream) as (url, browser),
            page_at(f"http://127.0.0.1:{bench.assembly.port}") as own,
        ):
            await own.sign_in_as(DAN)
            await claimed(bench, own)
            elsewhere, seen = await Page(browser, url).load(), await own.offer("validate", 3)
            status, answer = await elsewhere.act("validate", seen, signed=SUE, seat=3)
            assert (status, "at the table's own screen" in answer["error"]) == (403, True)
            assert bench.state.claims[0].state is not ClaimState.VALIDATED
            await validated(bench, own)
