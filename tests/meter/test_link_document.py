"""docs/link.md is the protocol: its examples are messages, its topics are ours, and it forgets no field."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from meter import link

TEXT = (Path(__file__).parents[2] / "docs" / "link.md").read_text(encoding="utf-8")
KINDS = {kind.__name__: kind for kind in (link.Hello, link.Envelope, link.Presence, link.Reply, link.State, link.Gone)}
EXAMPLES = re.findall(r"^```json (\w+)\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("kind", "text"), EXAMPLES)
def test_every_example_is_a_whole_message(kind: str, text: str) -> None:
    """It decodes as what it is called, names every field, and comes out of our own encoder the same."""
    message = link.decode(text.encode(), KINDS[kind])
    assert json.loads(link.encode(message)) == json.loads(text)


def test_every_message_and_every_entry_has_an_example() -> None:
    """Nobody has to guess what a message looks like."""
    assert {kind for kind, _ in EXAMPLES} == KINDS.keys()
    entries = {json.loads(text)["entry"]["type"] for kind, text in EXAMPLES if kind == "Envelope"}
    assert entries == {"Wagers", "Award", "Payout", "Release"}


def test_the_example_of_the_state_adds_up() -> None:
    """amount = base + contribution - deducted + refill + adjusted, in the document as everywhere."""
    (text,) = (text for kind, text in EXAMPLES if kind == "State")
    state = link.decode(text.encode(), link.State)
    explained = state.base_cents + state.contribution_cents - state.deducted_cents + state.refill_cents
    assert state.amount_cents == explained + state.adjusted_cents
    assert state.contribution_cents == state.in_cents * state.rate_bp // 10_000


def test_the_example_of_the_will_is_the_will_and_a_state_without_figures() -> None:
    """Whoever reads it as a State finds a meter that is gone; what it does not say has its default."""
    (text,) = (text for kind, text in EXAMPLES if kind == "Gone")
    assert link.decode(text.encode(), link.Gone) == link.Gone(link.VERSION, "main")
    state = link.decode(text.encode(), link.State)
    assert (state.alive, state.health, state.number) == (False, "stopped", 0)


def test_every_field_that_the_will_leaves_out_is_named_beside_it() -> None:
    """Nobody takes a figure for said that was not."""
    (words,) = re.findall(r"^The will has no (.*?)\n\n", TEXT, re.DOTALL | re.MULTILINE)
    left_out = set(link.State.__struct_fields__) - set(link.Gone.__struct_fields__)
    assert set(re.findall(r"`(\w+)`", words.partition(":")[0])) == left_out


def test_the_topics_are_those_of_the_code() -> None:
    """The table of topics has each of them once."""
    topics = [
        topic("main", "T1") for topic in (link.hello_topic, link.entry_topic, link.presence_topic, link.reply_topic)
    ]
    for topic in (*topics, link.state_topic("main")):
        assert TEXT.count(f"| `{topic}` |") == 1


def test_every_field_is_explained() -> None:
    """Each field of what the meter says stands in backticks or in an example."""
    for kind in (*KINDS.values(), link.FixedAward, link.PendingAward, link.Win):
        for field in msgspec.structs.fields(kind):
            assert f'"{field.name}"' in TEXT or f"`{field.name}`" in TEXT, f"{kind.__name__}.{field.name}"


def test_the_limits_are_those_of_the_code() -> None:
    """Size and numbers that a reader would build on."""
    assert f"{link.MAX_MESSAGE_BYTES:,} bytes" in TEXT
    assert f'"v": {link.VERSION}' in TEXT
