"""The edges: everything that touches metal, wires or the network."""
