"""The staff directory at the meter: people, secrets of their PINs, changes by two persons."""
