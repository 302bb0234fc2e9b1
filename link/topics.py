"""Topics of the link protocol: where tables and the meter publish (documented in docs/link.md)."""

from msgspec import Struct

from link.messages import VERSION


def entry_topic(link: str, table: str) -> str:
    """Where a table sends its entries."""
    return f"pitlink/v{VERSION}/{link}/table/{table}/entry"


def hello_topic(link: str, table: str) -> str:
    """Where a table asks to join."""
    return f"pitlink/v{VERSION}/{link}/table/{table}/hello"


def presence_topic(link: str, table: str) -> str:
    """Where a table's presence is retained (its last will says gone)."""
    return f"pitlink/v{VERSION}/{link}/table/{table}/presence"


def lights_topic(link: str, table: str) -> str:
    """Where a table's lights are retained, for the floor."""
    return f"pitlink/v{VERSION}/{link}/table/{table}/lights"


def reply_topic(link: str, table: str) -> str:
    """Where the meter answers one table."""
    return f"pitlink/v{VERSION}/{link}/meter/reply/{table}"


def state_topic(link: str) -> str:
    """Where the meter's state is retained (its last will says gone)."""
    return f"pitlink/v{VERSION}/{link}/meter/state"


def staff_topic(link: str) -> str:
    """Where the meter's staff directory is retained, signed."""
    return f"pitlink/v{VERSION}/{link}/meter/staff"


def sign_in_topic(link: str, table: str) -> str:
    """Where a table asks whether somebody may sign in, and reports who did."""
    return f"pitlink/v{VERSION}/{link}/table/{table}/sign-in"


def alarm_topic(link: str, table: str) -> str:
    """Where a table tells the floor of wrong PINs."""
    return f"pitlink/v{VERSION}/{link}/table/{table}/alarm"


def sign_in_answer_topic(link: str, table: str) -> str:
    """Where the meter answers that."""
    return f"pitlink/v{VERSION}/{link}/meter/sign-in/{table}"


class Address(Struct, frozen=True):
    """Whose topic this is and what travels there."""

    link: str
    table: str
    kind: str


def table_address(topic: str) -> Address | None:
    """Reads a topic that a table writes to."""
    match topic.split("/"):
        case ["pitlink", version, link, "table", table, kind] if version == f"v{VERSION}":
            return Address(link, table, kind)
        case _:
            return None
