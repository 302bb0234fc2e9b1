"""Bytes from a broker are anybody's: whatever arrives is a message or Garbled, never anything else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from link.messages import (
    MAX_MESSAGE_BYTES,
    Award,
    Envelope,
    Garbled,
    Hello,
    MessageHeader,
    Payout,
    Presence,
    Release,
    Reply,
    State,
    Validation,
    Wagers,
    decode,
    encode,
)
from link.topics import Address, table_address

NAMES = st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9_-]{0,31}\Z")
COUNTS = st.integers(1, 2**53 - 1)
SEATS = st.lists(st.integers(1, 32), max_size=32).map(tuple)
WORDS = st.text(max_size=200)
MONEY = st.integers(0, 10**12)
PROOFS = st.just("") | st.from_regex(r"\A[0-9]{3,10}:[0-9a-f]{64}\Z")
BY_SEAT = st.dictionaries(st.integers(1, 32), PROOFS, max_size=3)
ENTRIES = st.one_of(
    st.builds(Wagers, COUNTS, MONEY, SEATS, SEATS),
    st.builds(Award, COUNTS, st.integers(1, 32), WORDS, st.integers(0, 10_000), MONEY),
    st.builds(Validation, COUNTS, st.integers(1, 32), MONEY, PROOFS),
    st.builds(Payout, COUNTS, BY_SEAT, BY_SEAT, MONEY),
    st.builds(Release, COUNTS, WORDS, WORDS),
)
ENVELOPES = st.builds(Envelope, st.integers(0, 9), NAMES, NAMES, COUNTS, COUNTS, ENTRIES)
GOOD = Envelope(1, "T1", "j", 1, 1, Wagers(1, 100, (1,)))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(message=ENVELOPES)
def test_a_message_survives_the_journey(message: Envelope) -> None:
    """Encoded and decoded it is the same, and the same message always has the same bytes."""
    payload = encode(message)
    assert decode(payload, Envelope) == message
    assert encode(decode(payload, Envelope)) == payload


@given(payload=st.binary(max_size=300) | JSON.map(lambda value: json.dumps(value).encode()))
def test_anything_else_is_garbled(payload: bytes) -> None:
    """No bytes make the decoder do anything but answer or raise Garbled."""
    for kind in (Envelope, Hello, Presence, Reply, State, MessageHeader):
        try:
            decode(payload, kind)
        except Garbled:
            continue


@given(cut=st.integers(0, 500), message=ENVELOPES, at=st.integers(0, 500), byte=st.integers(0, 255))
def test_a_damaged_message_is_garbled_or_well_formed(message: Envelope, cut: int, at: int, byte: int) -> None:
    """Half a message never counts; one changed byte gives another whole message or none."""
    payload = encode(message)
    if cut < len(payload):
        with pytest.raises(Garbled):
            decode(payload[:cut], Envelope)
    changed = bytearray(payload)
    changed[at % len(payload)] = byte
    try:
        again = decode(bytes(changed), Envelope)
    except Garbled:
        return
    assert decode(encode(again), Envelope) == again


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"seq":1', '"seq":0'),
        ('"seq":1', '"seq":-1'),
        ('"seq":1', '"seq":9223372036854775808'),
        ('"seq":1', '"seq":1.0'),
        ('"seq":1', '"seq":"1"'),
        ('"seq":1', '"seq":true'),
        ('"table":"T1"', '"table":""'),
        ('"table":"T1"', '"table":"T1\\n"'),
        ('"table":"T1"', '"table":"T/1"'),
        ('"table":"T1"', '"table":"+"'),
        ('"journal":"j"', '"journal":"\\ud800"'),
        ('"seats":[1]', '"seats":[0]'),
        ('"seats":[1]', f'"seats":{[1] * 33}'),
        ('"stake_cents":100', '"stake_cents":-100'),
        ('"stake_cents":100', '"stake_cents":1000000000001'),
        ('"type":"Wagers"', '"type":"Gift"'),
        ('"round":1', '"round":1,"tip":5'),
        ('"v":1,', ""),
    ],
)
def test_a_field_out_of_its_range_is_garbled(old: str, new: str) -> None:
    """Nothing that the books could not hold gets past the door."""
    text = encode(GOOD).decode()
    assert old in text
    with pytest.raises(Garbled):
        decode(text.replace(old, new, 1).encode(), Envelope)


def test_a_message_too_long_is_garbled() -> None:
    """The limit is on the bytes, whatever they say."""
    payload = encode(GOOD)
    assert decode(payload.ljust(MAX_MESSAGE_BYTES), Envelope) == GOOD
    with pytest.raises(Garbled, match="bytes"):
        decode(payload.ljust(MAX_MESSAGE_BYTES + 1), Envelope)


@pytest.mark.parametrize("payload", [b'{"x":' + b"[" * 16_000, b'{"x":' * 3_000, b"[" * 16_000, b'{"entry":' * 1_500])
def test_a_message_of_a_thousand_brackets_is_garbled(payload: bytes) -> None:
    """Depth kills no reader: it ends as garbage like any other."""
    for kind in (Envelope, MessageHeader):
        with pytest.raises(Garbled):
            decode(payload, kind)


@pytest.mark.parametrize(
    ("topic", "address"),
    [
        ("pitlink/v1/main/table/T1/entry", Address("main", "T1", "entry")),
        ("pitlink/v2/main/table/T1/entry", None),
        ("pitlink/v1/main/meter/state", None),
        ("pitlink/v1/main/table/T1", None),
        ("pitlink/v1/main/table/T1/entry/x", None),
        ("", None),
    ],
)
def test_a_topic_says_whose_it_is(topic: str, address: Address | None) -> None:
    """Only topics that tables write to, of our version."""
    assert table_address(topic) == address
