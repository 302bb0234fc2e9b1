"""What cannot be answered: a fault is a value, with the place it stands at."""

from msgspec import Struct


class Fault(Struct, frozen=True):
    """One thing wrong with the question, in words a dealer understands, and where it stands."""

    problem: str
    where: str
