"""docs/link.md is the protocol: its examples are messages, its topics are ours, and it forgets no field."""

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from controller.meter_link.client import MOST_LATE_REPLIES
from games.catalogue import GAMES
from link import messages as link
from link import topics
from meter.booking.admission import entry_refusal, join_refusal
from meter.settings import AllowedGame
from tests.support.meter import meter_bench
from tests.support.meter.meter_bench import with_cards

TEXT = (Path(__file__).parents[2] / "docs" / "link.md").read_text(encoding="utf-8")
AnyMessage = (
    link.Hello
    | link.Envelope
    | link.Presence
    | link.TableLights
    | link.Reply
    | link.State
    | link.Gone
    | link.SignInAsked
    | link.SignInAnswer
    | link.TableAlarm
)
KINDS: dict[str, type[AnyMessage]] = {kind.__name__: kind for kind in get_args(AnyMessage)}
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
    assert entries == {kind.__name__ for kind in get_args(link.Entry)}


def states() -> list[link.State]:
    """Every example of a State."""
    return [link.decode(text.encode(), link.State) for kind, text in EXAMPLES if kind == "State"]


def test_the_example_of_the_state_adds_up() -> None:
    """amount = base + contribution - deducted + refill + adjusted, in the document as everywhere."""
    for state in states():
        explained = state.base_cents + state.contribution_cents - state.deducted_cents + state.refill_cents
        assert state.amount_cents == explained + state.adjusted_cents
        assert state.contribution_cents == state.in_cents * state.rate_bp // 10_000


def test_the_example_of_a_meter_that_is_shut_down_forbids_nobody_to_play() -> None:
    """It says what the one before says, and that nobody is there; the same with another health is a stop."""
    told, left = states()
    words = "the meter was shut down"
    gone = {"alive": False, "notice": words, "notices": (words, *told.notices), "at_ms": left.at_ms}
    assert left == replace(told, **gone)
    assert not told.forbids_play
    assert not left.forbids_play
    assert replace(left, health="stopped").forbids_play
    assert replace(left, health="closed").forbids_play


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
    of_a_table = (
        *(topics.hello_topic, topics.entry_topic, topics.presence_topic, topics.lights_topic, topics.reply_topic),
        *(topics.sign_in_topic, topics.sign_in_answer_topic, topics.alarm_topic),
    )
    named = [topic("main", "T1") for topic in of_a_table]
    for topic in (*named, topics.state_topic("main"), topics.staff_topic("main")):
        assert TEXT.count(f"| `{topic}` |") == 1


def test_every_field_is_explained() -> None:
    """Each field of what the meter says stands in backticks or in an example."""
    for kind in (*KINDS.values(), link.FixedAward, link.CouponAnswer, link.Redemption, link.PendingAward, link.Win):
        for field in msgspec.structs.fields(kind):
            assert f'"{field.name}"' in TEXT or f"`{field.name}`" in TEXT, f"{kind.__name__}.{field.name}"


def said(kind: str, **fields: object) -> bytes:
    """The document's first example of a message or an entry, with other fields."""
    for name, text in EXAMPLES:
        message = json.loads(text)
        if name == kind:
            return json.dumps(message | fields).encode()
        if message.get("entry", {}).get("type") == kind:
            return json.dumps(message | {"entry": message["entry"] | fields}).encode()
    raise LookupError(kind)


def taken(payload: bytes) -> bool:
    """Whether this is a Hello or an Envelope to our decoder."""
    try:
        link.decode(payload, link.Envelope if b'"entry"' in payload else link.Hello)
    except link.Garbled:
        return False
    return True


RANGES = re.findall(r"^\| (text of|whole number|list of)(.*?) \| (`.*`) \|$", TEXT, re.MULTILINE)


@pytest.mark.parametrize(("what", "words", "fields"), RANGES)
def test_what_is_in_range_is_taken_and_what_is_not_is_garbled(what: str, words: str, fields: str) -> None:
    """At both ends of each range that the document gives."""
    low, high = ([int(each.replace(",", "")) for each in re.findall(r"[\d,]*\d", words)] + [0])[:2]
    good: list[object] = [low, high]
    bad: list[object] = [low - 1, high + 1, "1", None]
    if what == "text of":
        good, bad = ["", "x" * low], ["x" * (low + 1), 1]
    elif what == "list of":
        good, bad = [[], [high] * low], [[1] * (low + 1), [high - 1], 1]
    for kind, field in re.findall(r"`(\w+)\.(\w+)`", fields):
        for value in good:
            assert taken(said(kind, **{field: value})), (kind, field, value)
        for value in bad:
            assert not taken(said(kind, **{field: value})), (kind, field, value)


def test_what_may_be_left_out_may_be_and_nothing_else() -> None:
    """Each field of a table's messages, one after the other."""
    (words,) = re.findall(r"^\| may be left out \(then\) \| (.*) \|$", TEXT, re.MULTILINE)
    optional = set(re.findall(r"`(\w+)\.(\w+)`", words))
    for kind in (link.Hello, *get_args(link.Entry)):
        for field in kind.__struct_fields__:
            message = json.loads(said(kind.__name__))
            (message if kind is link.Hello else message["entry"]).pop(field, None)
            is_taken = taken(json.dumps(message).encode())
            assert is_taken is ((kind.__name__, field) in optional), f"{kind.__name__}.{field}"


def test_what_must_not_be_empty_is_refused_so_and_nothing_else_is() -> None:
    """Texts and lists of the entries; an empty serial is out of its range."""
    (words,) = re.findall(r"Must not be empty: (.*?);", TEXT)
    entries = [json.loads(text)["entry"] for kind, text in EXAMPLES if kind == "Envelope"]
    for entry in entries:
        for field in [
            field for field, value in entry.items() if isinstance(value, str | list) and field not in ("type", "serial")
        ]:
            empty = link.decode(said(entry["type"], **{field: type(entry[field])()}), link.Envelope)
            refusal = entry_refusal(meter_bench.link(), meter_bench.hello(), empty.entry)
            is_named = f"`{entry['type']}.{field}`" in words or field == "hand"  # which must be one of the names
            assert (refusal is not None) is is_named, (entry["type"], field)


def test_every_name_of_the_document_joins_and_claims() -> None:
    """Whoever says what the table of names has is taken for what he is, by a link that allows it."""
    rows = re.findall(r"^\| `([a-z-]+)` \| (\d+) \| \d+ \| `(\w+)`.*? \| (\d+) \| (.*) \|$", TEXT, re.MULTILINE)
    assert {game for game, *_ in rows} == set(GAMES)
    for game, seats, pay_table, stake, hands in rows:
        allowed = AllowedGame(game, (pay_table,), (int(stake),))
        house = replace(meter_bench.link(), games=(allowed,))
        hello = meter_bench.hello(game=game, pay_table=pay_table, stake_cents=int(stake), seats=int(seats))
        assert join_refusal(house, hello, None) is None
        for hand, amount, kind in re.findall(r"`(\w+)` (\d+) (bp|cents)", hands):
            part_bp, cents = (int(amount), 0) if kind == "bp" else (0, int(amount))
            assert entry_refusal(house, hello, with_cards(link.Award(1, 1, hand, part_bp, cents))) is None, (
                game,
                pay_table,
                hand,
            )


def test_a_table_stops_after_as_many_low_replies_as_the_document_says() -> None:
    """So that every maker's table is as patient as ours."""
    assert MOST_LATE_REPLIES == 5
    assert "stop at the fifth in a row" in TEXT


def test_the_limits_are_those_of_the_code() -> None:
    """Size and numbers that a reader would build on."""
    assert f"{link.MAX_MESSAGE_BYTES:,} bytes" in TEXT
    assert f"{link.MAX_STAFF_BYTES:,} bytes" in TEXT
    assert f'"v": {link.VERSION}' in TEXT
    assert f"at most {link.MOST_WORDS} letters" in TEXT
