"""How seats, amounts and cards are written in every question."""

from typing import Annotated, TypeAlias

from msgspec import Meta

Seat: TypeAlias = Annotated[int, Meta(ge=1, le=11)]
Amount: TypeAlias = Annotated[int, Meta(ge=0, le=100_000_000_000)]
SomeAmount: TypeAlias = Annotated[int, Meta(ge=1, le=100_000_000_000)]
Words: TypeAlias = tuple[str, ...]
