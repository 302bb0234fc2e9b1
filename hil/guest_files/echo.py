"""The least that a program can do with a pin: a loop that puts an input's level on an output."""

from pathlib import Path

import gpiod
from gpiod.line import Direction, Edge, Value

IN, OUT = 0, 1  # lines that no table uses
CHIP = f"/dev/{Path('/run/bench-lines').resolve().name}"

config = {IN: gpiod.LineSettings(edge_detection=Edge.BOTH), OUT: gpiod.LineSettings(direction=Direction.OUTPUT)}
with gpiod.request_lines(CHIP, {(line,): settings for line, settings in config.items()}, "bench-echo") as request:
    while True:
        for event in request.read_edge_events():
            is_rising = event.event_type is event.Type.RISING_EDGE
            request.set_value(OUT, Value.ACTIVE if is_rising else Value.INACTIVE)
