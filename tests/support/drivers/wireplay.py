"""Wireplay: plays levels on wires to a recogniser exactly as a Watch would, without pins, loop or clock."""

import random
from collections.abc import Sequence
from typing import Any

Edge = tuple[float, int, bool]
"""When (milliseconds), on which line, to which level."""
REREAD_S = 0.1


def pulses(line: int, spans: Sequence[tuple[float, float]]) -> list[Edge]:
    """Edges of a line that is active in each of these spans."""
    return [edge for start, end in spans for edge in ((start, line, True), (end, line, False))]


def play(
    recogniser: Any,
    edges: Sequence[Edge],
    *,
    lines: int = 1,
    until_ms: float | None = None,
    delay: random.Random | None = None,
    most_delay_ms: float = 0.0,
    lost: frozenset[int] = frozenset(),
    retest_at_ms: float | None = None,
) -> list[tuple[float, Any]]:
    """Everything the recogniser said and when (ms).

    Edges come late by a random delay, in order and with the time at which they were; some are lost.
    """
    wire = sorted((at / 1000, line, level) for at, line, level in edges)
    end = until_ms / 1000 if until_ms is not None else (wire[-1][0] if wire else 0.0) + 12.0
    retest_at = None if retest_at_ms is None else retest_at_ms / 1000
    heard = _heard(wire, delay, most_delay_ms / 1000, lost)
    said = [(0.0, signal) for signal in recogniser.start(_levels(wire, lines, -0.001), 0.0)]
    now, rings_at = 0.0, REREAD_S
    while True:
        due = recogniser.due
        rings_at = max(now, min(rings_at, due)) if due is not None else rings_at
        if retest_at is not None and retest_at <= min(rings_at, heard[0][0] if heard else end):
            recogniser.retest(_levels(wire, lines, retest_at), retest_at)
            retest_at = None
        elif heard and heard[0][0] <= rings_at:
            now, (at, line, level) = heard.pop(0)
            said += [(now, signal) for signal in recogniser.edge(line, level, at)]
        elif rings_at > end:
            return [(round(at * 1000, 3), signal) for at, signal in said]
        else:
            now, rings_at = rings_at, rings_at + REREAD_S
            said += [(now, signal) for signal in recogniser.look(_levels(wire, lines, now), now)]
            assert recogniser.due is None or recogniser.due > now, "a look that decides nothing would spin"


def _heard(
    wire: list[Edge], delay: random.Random | None, most: float, lost: frozenset[int]
) -> list[tuple[float, Edge]]:
    heard: list[tuple[float, Edge]] = []
    for number, edge in enumerate(wire):
        late = edge[0] + (delay.uniform(0.0, most) if delay else 0.0)
        late = max(late, heard[-1][0]) if heard else late
        if number not in lost:
            heard.append((late, edge))
    return heard


def _levels(wire: list[Edge], lines: int, at: float) -> list[bool]:
    levels = [False] * lines
    for when, line, level in wire:
        if when <= at:
            levels[line] = level
    return levels
