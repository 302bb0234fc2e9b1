"""What several tests deal."""

from hil.operator import LOCK_OUT, TableOperator


def deal(table: TableOperator, *seats: int) -> None:
    """Chips in, lock-out, counted and registered."""
    for seat in seats:
        assert table.insert_chip(seat), f"seat {seat} takes no chip"
    table.until(lambda state: state["lights"] == len(seats), "not every chip became a wager")
    table.press(LOCK_OUT)
    table.until(lambda state: state["phase"] == "in play", "not registered")
