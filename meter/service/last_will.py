"""What the broker says for a meter that dies, as far as it is true whenever that may be."""

from drivers.mqtt.client import Outgoing
from link import messages as wire
from meter.ledger.link_state import Head


def last_will(link: str, head: Head) -> Outgoing:
    """That nobody is there; of a link that is stopped or closed it takes no place of what the meter said itself (R63).

    Kept by the broker, a will is a meter that is lost: a house that queues would play on where people have stopped.
    """
    gone = wire.encode(wire.Gone(wire.VERSION, link))
    is_open = not head.stopped and not head.closed
    return Outgoing(wire.state_topic(link), gone, retain=is_open, qos=1)
