"""Who may write and read which topic of a link: what the broker's access list is made of."""

from msgspec import Struct

from link.topics import (
    alarm_topic,
    entry_topic,
    hello_topic,
    lights_topic,
    presence_topic,
    reply_topic,
    sign_in_answer_topic,
    sign_in_topic,
    staff_topic,
    state_topic,
)


class Access(Struct, frozen=True):
    """Topics that somebody may write to, and topics that he may read."""

    writes: tuple[str, ...]
    reads: tuple[str, ...]


def table_access(link: str, table: str) -> Access:
    """What a table may say and hear: its own topics and what the meter tells everybody."""
    return Access(
        writes=(
            hello_topic(link, table),
            entry_topic(link, table),
            presence_topic(link, table),
            lights_topic(link, table),
            sign_in_topic(link, table),
            alarm_topic(link, table),
        ),
        reads=(reply_topic(link, table), state_topic(link), staff_topic(link), sign_in_answer_topic(link, table)),
    )


def meter_access(link: str) -> Access:
    """What the meter may say and hear on one link: the other side of every table."""
    tables = table_access(link, "+")
    return Access(writes=tables.reads, reads=tables.writes)


def observer_access(link: str) -> Access:
    """What somebody who looks on may hear: everything that is no secret of the staff; he says nothing."""
    tables = table_access(link, "+")
    staffs = {
        staff_topic(link),
        sign_in_topic(link, "+"),
        sign_in_answer_topic(link, "+"),
        alarm_topic(link, "+"),
    }
    return Access(writes=(), reads=tuple(topic for topic in (*tables.writes, *tables.reads) if topic not in staffs))
