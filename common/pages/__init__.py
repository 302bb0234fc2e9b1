"""Pages for the network, in a process of their own: what they suffer never reaches the daemon."""
