"""The catalogue of a table's words: every refusal and every sentence has its text, in each language."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from common.words import ENGLISH, LANGUAGES, Plural, Words, read_catalogues
from controller.settings import device_names
from controller.web.text import told
from games.catalogue import GAMES
from games.refusal import because
from games.round import device_events, events
from games.round.state import ClaimState, Phase

ROOT = Path(__file__).parents[3]
CATALOGUES, _ = read_catalogues()
TRANSLATED = [language for language in LANGUAGES if language != ENGLISH]
SOURCES = [*(ROOT / "games").rglob("*.py"), *(ROOT / "controller").rglob("*.py")]
TREES = {path: ast.parse(path.read_text("utf-8")) for path in SOURCES}


def calls(name: str) -> Iterator[tuple[Path, ast.Call]]:
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and name in (getattr(node.func, "id", ""), getattr(node.func, "attr", "")):
                yield path, node


def keys_of(node: ast.Call) -> set[str]:
    """The keys that this call may have, as far as they stand in it."""
    first = node.args[0] if node.args else None
    parts = (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,)
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def places(text: str | Plural) -> set[str]:
    forms = [text] if isinstance(text, str) else [text.other, text.one]
    return {name for form in forms for name in re.findall(r"\{(\w+)", form)}


def test_every_refusal_has_a_text_that_names_its_values() -> None:
    """The other languages are compared with the English one when they are read."""
    texts = CATALOGUES[ENGLISH].pages["refusals"]
    literals = {node.value for tree in TREES.values() for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    found = list(calls("because"))
    assert len(found) > 100
    for path, call in found:
        named = {each.arg for each in call.keywords}
        for key in keys_of(call):
            assert key in texts, f"{path.name}: {key}"
            if None not in named:
                assert places(texts[key]) == named, f"{path.name}: {key}"
    assert texts.keys() <= literals


def test_every_sentence_of_the_panel_has_a_text() -> None:
    """What the server says on the panel, in replays and on slips."""
    pages = ("panel", "events", "sign", "band")
    known = {key for page in pages for key in CATALOGUES[ENGLISH].pages[page]}
    said = {key for path, call in calls("say") if "web" in path.parts for key in keys_of(call)}
    assert len(said) > 150
    assert said <= known


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_name_at_a_table_is_translated(language: str) -> None:
    """Nothing falls back to English words in the middle of another language."""
    names, games = CATALOGUES[language].names, [game for game in GAMES.values() if game.progressive]
    wagers = {wager.name for game in games for wager in game.wagers}
    assert names["wager"].keys() >= wagers
    assert names["irregularity"].keys() >= {known.name for game in games for known in game.irregularities}
    assert names["claim"].keys() == {state.value for state in ClaimState}
    assert names["phase"].keys() == {phase.value for phase in Phase}
    known = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, device_events.Fact)]
    assert names["event"].keys() >= {kind.__name__ for kind in known} - {"Fact"}
    assert names["device"].keys() == {name for key, name in vars(device_names).items() if key.isupper()}


def test_a_refusal_is_said_in_the_language_of_the_screen() -> None:
    """With names, money and plurals as that language writes them."""
    why = because("envy_to_pay", "20.10(c)", seat=3, amount=1_000_00, hand="straight_flush", holder=5)
    said = {each: told(why, Words(CATALOGUES[each], "panel", "USD")).reason for each in LANGUAGES}
    assert said == {
        "en": "seat 3: envy bonus $1,000 for the straight flush at seat 5 is to be paid",
        "es": "puesto 3: por pagar la envidia $1,000 por escalera de color del puesto 5",
        "zh": "3 号座：应付旁注奖 $1,000（5 号座的同花顺）",  # noqa: RUF001
    }
    count = because("count_differs", lights=1, chips=2)
    assert told(count, Words(CATALOGUES["es"], "panel", "USD")).reason == "1 luz pero 2 fichas: llame al supervisor"


def test_several_values_are_alternatives() -> None:
    """Stakes, hands and roles are joined as each language joins them."""
    why = because("other_role", person="Ann", role="dealer", wanted=("supervisor", "technician"))
    said = {each: told(why, Words(CATALOGUES[each], "panel", "USD")).reason for each in LANGUAGES}
    assert said["en"] == "Ann is a dealer: a supervisor or technician does this"
    assert said["es"] == "Ann es crupier: esto lo hace supervisor o técnico"
