"""The board: how a version gets onto it, stays whole, and goes back; how one board takes over from another."""
