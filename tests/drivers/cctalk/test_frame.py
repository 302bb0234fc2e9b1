"""ccTalk frames against the standard's own bytes, and against any noise."""

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from drivers.cctalk import frame as frame_code
from drivers.cctalk.frame import HOST, LONGEST, SHORTEST, UNTOLD, CcTalkMessage, Checksum, Parser, decode, encode

VECTORS = [
    (Checksum.SIMPLE, "02 00 01 F2 0B", CcTalkMessage(2, 1, 242)),
    (Checksum.SIMPLE, "01 03 02 00 4E 61 BC 8F", CcTalkMessage(1, 2, 0, bytes.fromhex("4E 61 BC"))),
    (Checksum.SIMPLE, "03 01 01 A4 A5 B2", CcTalkMessage(3, 1, 164, b"\xa5")),
    (Checksum.SIMPLE, "01 00 03 00 FC", CcTalkMessage(1, 3, 0)),
    (Checksum.SIMPLE, "03 00 01 A0 5C", CcTalkMessage(3, 1, 160)),
    (Checksum.SIMPLE, "03 09 01 A7 00 00 00 00 00 00 00 00 05 47", CcTalkMessage(3, 1, 167, bytes(8) + b"\x05")),
    (Checksum.SIMPLE, "01 01 03 00 08 F3", CcTalkMessage(1, 3, 0, b"\x08")),
    (Checksum.SIMPLE, "03 00 01 A6 56", CcTalkMessage(3, 1, 166)),
    (Checksum.SIMPLE, "03 04 01 A7 DF D7 0A 01 90", CcTalkMessage(3, 1, 167, bytes.fromhex("DF D7 0A 01"))),
    (Checksum.SIMPLE, "01 06 03 00 50 61 79 6F 75 74 74", CcTalkMessage(1, 3, 0, b"Payout")),
    (Checksum.SIMPLE, "01 03 03 00 4E 46 05 60", CcTalkMessage(1, 3, 0, (345_678).to_bytes(3, "little"))),
    (Checksum.SIMPLE, "01 02 03 00 80 80 FA", CcTalkMessage(1, 3, 0, b"\x80\x80")),
    (Checksum.CRC, "28 00 46 01 3F", CcTalkMessage(40, UNTOLD, 1)),
    (Checksum.CRC, "01 00 30 00 37", CcTalkMessage(1, UNTOLD, 0)),
]

PRINTED = """
02 00 01 F5 08                                  generic specification: what are you?
01 0D 02 00 43 6F 69 6E 20 41 63 63 65 70 74 6F 72 16   a coin acceptor
01 08 03 00 61 A2 39 42 70 E6 4C 0B C9          SCH2: a cipher key
03 00 01 A3 59                                  Flow: test hopper
03 08 01 A1 5B DA AA 6F 9A 5D C5 06 43          pump the random numbers
01 08 03 00 69 EE 8F 1C 25 FA AB 08 20          a cipher key
01 08 03 00 B9 FE 5F AC 75 0A 7B 98 A0          another
03 09 01 A7 63 D9 2A 95 BA D4 35 82 03 09       three coins, in cipher
01 01 03 00 01 FA                               event 1
03 00 01 C0 3C                                  build code
03 00 01 A9 53                                  address mode
01 01 03 00 4A B1                               in RAM, by the connector, may be changed
03 04 01 DA 31 32 33 34 54                      a PIN
03 04 01 DB 31 32 33 34 53                      a new PIN
03 00 01 AC 50                                  stop
01 01 03 00 00 FB                               nothing remains
03 09 01 A7 00 00 00 00 00 00 00 00 01 4B       Aventador: one coin
01 04 03 00 00 00 07 03 EE                      seven paid, three not
"""

checksums = st.sampled_from(Checksum)
octets = st.integers(0, 255)
messages = st.builds(CcTalkMessage, octets, st.integers(1, 255), octets, st.binary(max_size=255))
noise = st.binary(max_size=40)


def hear(stream: bytes, checksum: Checksum) -> list[CcTalkMessage]:
    parser = Parser(checksum)
    return parser.feed(stream) + parser.silence()


def as_heard(message: CcTalkMessage, checksum: Checksum) -> CcTalkMessage:
    """A CRC frame does not say who speaks."""
    source = UNTOLD if checksum is Checksum.CRC else message.source
    return CcTalkMessage(message.destination, source, message.header, message.data)


@pytest.mark.parametrize(("checksum", "octets", "message"), VECTORS)
def test_the_published_bytes_are_written_and_read(checksum: Checksum, octets: str, message: CcTalkMessage) -> None:
    """Both directions agree with the examples of the standard and of the makers."""
    assert encode(message, checksum) == bytes.fromhex(octets)
    assert decode(bytes.fromhex(octets), checksum) == message


@pytest.mark.parametrize("line", PRINTED.strip().splitlines())
def test_every_frame_in_print_is_read_and_written_the_same(line: str) -> None:
    """The standard's and the manuals' own frames, alone and one after the other."""
    frame = bytes.fromhex(line.partition("  ")[0])
    message = decode(frame, Checksum.SIMPLE)
    assert message is not None
    assert encode(message, Checksum.SIMPLE) == frame
    assert hear(frame * 2, Checksum.SIMPLE) == [message] * 2


def test_the_one_misprint_of_a_manual_is_not_believed() -> None:
    """The Flow manual prints a sum that is wrong."""
    assert decode(bytes.fromhex("01 01 03 00 80 BA"), Checksum.SIMPLE) is None


@pytest.mark.parametrize(("covered", "crc"), [("49D5F2", 0xA6B3), ("2FBD9D", 0x90B2), ("D953D1", 0x7BB5)])
def test_the_crc_is_the_one_of_the_standard(covered: str, crc: int) -> None:
    """The published CRC examples, low byte and high byte in their places."""
    assert frame_code._crc(bytes.fromhex(covered)) == (bytes((crc & 0xFF,)), bytes((crc >> 8,)))


@given(messages, checksums)
def test_what_is_written_is_read(message: CcTalkMessage, checksum: Checksum) -> None:
    """Every message survives the way over the wire, and fits the standard's limits."""
    frame = encode(message, checksum)
    assert SHORTEST <= len(frame) <= LONGEST
    assert decode(frame, checksum) == as_heard(message, checksum)


@given(messages, checksums, st.data())
def test_one_wrong_byte_is_never_a_message(message: CcTalkMessage, checksum: Checksum, data: st.DataObject) -> None:
    """Neither checksum lets a single damaged byte through."""
    frame = bytearray(encode(message, checksum))
    place = data.draw(st.integers(0, len(frame) - 1))
    frame[place] ^= data.draw(st.integers(1, 255))
    assert decode(bytes(frame), checksum) is None


@given(st.lists(messages, max_size=5), checksums)
def test_frames_in_a_row_are_all_heard(sent: list[CcTalkMessage], checksum: Checksum) -> None:
    """An echo and an answer, or five talkers: none is lost and the order stays."""
    stream = b"".join(encode(message, checksum) for message in sent)
    assert Parser(checksum).feed(stream) == [as_heard(message, checksum) for message in sent]


@given(st.lists(st.one_of(noise, messages), max_size=6), checksums, st.lists(st.integers(0, 400), max_size=8))
def test_where_a_stream_is_cut_does_not_matter(
    parts: list[bytes | CcTalkMessage], checksum: Checksum, cuts: list[int]
) -> None:
    """The serial port may hand over bytes in any portions."""
    stream = b"".join(part if isinstance(part, bytes) else encode(part, checksum) for part in parts)
    parser, heard = Parser(checksum), []
    edges = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    for start, end in itertools.pairwise(edges):
        heard += parser.feed(stream[start:end])
    assert heard + parser.silence() == hear(stream, checksum)
    assert not parser.is_waiting


@given(noise, messages, noise, checksums)
def test_noise_does_not_hide_a_frame(before: bytes, message: CcTalkMessage, after: bytes, checksum: Checksum) -> None:
    """A whole frame is found in any noise, unless the noise itself is a sound frame that reaches into it."""
    frame = encode(message, checksum)
    stream = before + frame + after
    for start in range(len(before)):
        size = stream[start + 1] + SHORTEST
        assume(start + size <= len(before) or decode(stream[start : start + size], checksum) is None)
    assert as_heard(message, checksum) in hear(stream, checksum)


@given(st.binary(max_size=300), checksums)
def test_nothing_is_heard_that_was_not_said(stream: bytes, checksum: Checksum) -> None:
    """Every message stands in the stream, sound and whole, one behind the other."""
    rest = stream
    for message in hear(stream, checksum):
        frames = [rest[at : at + len(message.data) + SHORTEST] for at in range(len(rest))]
        place = next(at for at, frame in enumerate(frames) if decode(frame, checksum) == message)
        rest = rest[place + len(frames[place]) :]


@given(messages, messages, checksums, st.data())
def test_half_a_frame_does_not_hide_the_next(
    broken: CcTalkMessage, message: CcTalkMessage, checksum: Checksum, data: st.DataObject
) -> None:
    """A frame cut short is given up, and the whole one behind it is heard."""
    torn = encode(broken, checksum)
    half = torn[: data.draw(st.integers(1, len(torn) - 1))]
    stream = half + encode(message, checksum)
    for start in range(len(half)):
        size = stream[start + 1] + SHORTEST
        assume(decode(stream[start : start + size], checksum) is None)
    assert hear(stream, checksum)[0] == as_heard(message, checksum)


def test_a_frame_is_held_back_until_it_is_whole() -> None:
    """No byte early: the last one decides."""
    frame = encode(CcTalkMessage(HOST, 3, 0, b"\x01\x02"), Checksum.SIMPLE)
    parser = Parser(Checksum.SIMPLE)
    assert [parser.feed(frame[at : at + 1]) for at in range(len(frame) - 1)] == [[]] * (len(frame) - 1)
    assert parser.is_waiting
    assert parser.feed(frame[-1:]) == [CcTalkMessage(HOST, 3, 0, b"\x01\x02")]
    assert not parser.is_waiting
