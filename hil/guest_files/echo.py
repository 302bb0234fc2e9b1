"""The least that a program can do with a pin: an lgpio callback that puts an input's level on an output."""

import signal

import lgpio

IN, OUT = 0, 1  # lines that no table uses

chip = lgpio.gpiochip_open(0)
lgpio.gpio_claim_output(chip, OUT)
lgpio.gpio_claim_alert(chip, IN, lgpio.BOTH_EDGES)
callback = lgpio.callback(
    chip, IN, lgpio.BOTH_EDGES, lambda _chip, _line, level, _ns: lgpio.gpio_write(chip, OUT, level)
)
signal.pause()
