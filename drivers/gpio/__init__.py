"""Acceptors, lights, buttons and keys on the pins of a board, through gpiozero."""
