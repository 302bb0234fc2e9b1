"""The MQTT codec: packets of the standard, whole wherever the stream is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.mqtt import codec
from drivers.mqtt.codec import MalformedPacket, PacketReader, Publication

publications = st.builds(
    Publication,
    topic=st.text(st.characters(codec="utf-8"), min_size=1, max_size=40),
    payload=st.binary(max_size=300) | st.integers(0, 20_000).map(bytes),
    retain=st.booleans(),
    qos=st.just(0),
)


@given(said=st.lists(publications, max_size=8), cuts=st.lists(st.integers(0, 70_000), max_size=8))
def test_every_packet_is_read_as_it_was_written(said: list[Publication], cuts: list[int]) -> None:
    """Half a length, half a topic or many packets at once: nothing is lost, nothing changes its place."""
    stream, reader = b"".join(map(codec.publish, said)), PacketReader()
    ends = sorted({min(cut, len(stream)) for cut in cuts} | {len(stream)})
    pieces = [stream[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    assert [codec.published(*packet) for piece in pieces for packet in reader.feed(piece)] == said


def test_packets_have_the_bytes_of_the_standard() -> None:
    """MQTT 3.1.1, chapters 3.1, 3.3 and 3.8: flags, lengths and fields in their places."""
    will = Publication("w", b"gone", retain=True, qos=1)
    connect = codec.connect("me", keepalive_s=5, will=will, username="u", password="p")
    assert connect == b"\x10\x1d\x00\x04MQTT\x04\xee\x00\x05\x00\x02me\x00\x01w\x00\x04gone\x00\x01u\x00\x01p"
    assert codec.connect("me", keepalive_s=0) == b"\x10\x0e\x00\x04MQTT\x04\x02\x00\x00\x00\x02me"
    assert codec.subscribe(7, ["a", "b/+"]) == b"\x82\x0c\x00\x07\x00\x01a\x00\x00\x03b/+\x00"
    assert codec.publish(Publication("t", b"x", retain=True, qos=1), 258) == b"\x33\x06\x00\x01t\x01\x02x"
    assert codec.publish(Publication("t", bytes(200)))[:3] == b"\x30\xcb\x01"


@pytest.mark.parametrize(
    "packet", [(0x30, b""), (0x30, b"\x00\x05talk"), (0x30, b"\x00\x01\xff"), (0x32, b"\x00\x01t\x00\x01")]
)
def test_a_message_that_is_none_is_refused(packet: tuple[int, bytes]) -> None:
    """No topic, a topic cut off, letters that are none, or a quality that nobody asked for."""
    with pytest.raises(MalformedPacket):
        codec.published(*packet)


def test_a_length_without_an_end_is_refused() -> None:
    """A stream that is no MQTT does not fill the memory."""
    reader = PacketReader()
    assert reader.feed(b"\x30\xff\xff\xff") == []
    with pytest.raises(MalformedPacket):
        reader.feed(b"\xff")


def test_a_broker_that_refuses_says_why() -> None:
    """Chapter 3.2.2.3, in words; an unknown code is named."""
    assert codec.connect_refusal(b"\x00\x00") == ""
    assert "password" in codec.connect_refusal(b"\x00\x04")
    assert "code 9" in codec.connect_refusal(b"\x00\x09")
