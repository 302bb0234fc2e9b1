"""Clauses: as texts write them (28.10(h)4ii(1)), as names of tests do (28_10_h_4_ii_1), and whose rows they are."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from games.rulebook.row import Row

# A section and its paragraphs: ("28.10", "h", "4", "ii", "1").
Clause: TypeAlias = tuple[str, ...]

_SECTION: Final = re.compile(r"(?<![\w.$:])(\d{1,2}\.\d{1,2}[A-Z]?)(?!\w|\.\d)")
# What may follow at each depth; the section itself is depth 1.
_DEEPER: Final = {
    1: re.compile(r"\(([a-z])\)"),
    2: re.compile(r"(\d{1,2})(?!\d)"),
    3: re.compile(r"([ivx]+)(?![a-z])"),
    4: re.compile(r"\((\d)\)"),
}
_LETTER: Final = re.compile(r"(?:,? ?| and )\(([a-z])\)")
_ROMAN: Final = frozenset({"i", "ii", "iii", "iv", "v"})


def clauses_in(text: str) -> Iterator[Clause]:
    """Every clause that a text names; (a)-(c), 1-3 and (a)(b) name several."""
    for found in _SECTION.finditer(text):
        yield from _from((found[1],), text[found.end() :])


def _from(clause: Clause, rest: str) -> Iterator[Clause]:
    """The clause that begins so, and its siblings that follow it."""
    depth = len(clause)
    if depth in _DEEPER and (deeper := _DEEPER[depth].match(rest)):
        yield from _from((*clause, deeper[1]), rest[deeper.end() :])
        return
    yield clause
    if depth > 1 and (end := re.match(rf"-{_DEEPER[depth - 1].pattern}", rest)):
        yield from _through(clause, end[1])
    elif depth > 1 and (sibling := _LETTER.match(rest)):
        yield from _from((clause[0], sibling[1]), rest[sibling.end() :])


def _through(clause: Clause, end: str) -> Iterator[Clause]:
    """The clauses after this one up to and with the last."""
    *stem, first = clause
    if first.isdigit():
        yield from ((*stem, str(number)) for number in range(int(first) + 1, int(end) + 1))
    else:
        yield from ((*stem, chr(letter)) for letter in range(ord(first) + 1, ord(end) + 1))


def clauses_of_test(name: str, sections: Iterable[str]) -> Iterator[Clause]:
    """The clauses that a test's name begins with: test_28_7_b_2_…, also several, and a_to_o."""
    words, known = name.removeprefix("test_").split("_"), frozenset(sections)
    clause: Clause = ()
    while words and (after := _read(clause, words, known)):
        if len(after) <= len(clause):
            yield clause
        clause, words = after, words[2 if len(after) == 1 else 1 :]
    yield from (clause,) if clause else ()
    if len(clause) == 2 and (end := re.match(r"to_([a-z])_", "_".join(words))):
        yield from _through(clause, end[1])


def _read(clause: Clause, words: list[str], sections: frozenset[str]) -> Clause | None:
    """The clause that the next words make of this one, deeper or beside it; None where the sentence begins."""
    word, section = words[0], ".".join(words[:2]).upper()
    match len(clause):
        case _ if section in sections:
            return (section,)
        case 1 if re.fullmatch("[a-z]", word):
            return (*clause, word)
        case 2 | 4 if word.isdigit():
            return (*clause, word)
        case 3 if word in _ROMAN and not _is_next_letter(clause, words):
            return (*clause, word)
        case 4 if word in _ROMAN:
            return (*clause[:3], word)
        case 2 | 3 if re.fullmatch("[b-z]", word):  # an "a" here is an article
            return (clause[0], word)
        case _:
            return None


def _is_next_letter(clause: Clause, words: list[str]) -> bool:
    """h_3_i_4: paragraph (i)4 after (h)3, not (h)3i."""
    return words[0] == chr(ord(clause[1]) + 1) and len(words) > 1 and words[1].isdigit()


class Index:
    """Which rows a clause belongs to: those whose own clause is the longest beginning of it."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows: dict[Clause, list[str]] = {}
        for row in rows:
            for clause in dict.fromkeys(clause for text in row.clauses for clause in clauses_in(text)):
                self._rows.setdefault(clause, []).append(row.id)

    @property
    def sections(self) -> frozenset[str]:
        """Every section that some row is about."""
        return frozenset(clause[0] for clause in self._rows)

    def rows(self, clause: Clause) -> tuple[str, ...]:
        """The rows that this clause belongs to."""
        stems = (clause[:depth] for depth in range(len(clause), 0, -1))
        return next((tuple(self._rows[stem]) for stem in stems if stem in self._rows), ())
