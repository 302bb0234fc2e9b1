"""A refusal to settle: a value with a reason that a dealer understands."""

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct


class Refused(Struct, frozen=True):
    """What is wrong, in words of the pit, where it stands in the round, and the clause that says so."""

    problem: str
    where: str
    rule: str = ""

    def __str__(self) -> str:
        return f"{self.problem} [{self.rule}]" if self.rule else self.problem


Refusals: TypeAlias = Iterator[Refused]
