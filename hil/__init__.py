"""The bench for metal: a guest machine with simulated pins, or a board on wires, under the same tests."""
