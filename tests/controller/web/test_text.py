"""Words that every page says alike."""

import pytest

from controller.web.text import with_rule


@pytest.mark.parametrize(
    ("words", "rule", "said"),
    [
        ("one a round", "28.6(c)", "one a round [28.6(c)]"),
        ("management decides [28.11(i)]", "28.11(i)", "management decides [28.11(i)]"),
        ("look again", "", "look again"),
    ],
)
def test_a_clause_is_said_once(words: str, rule: str, said: str) -> None:
    """The meter's words carry theirs already."""
    assert with_rule(words, rule) == said
