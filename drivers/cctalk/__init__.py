"""ccTalk: frames, the wire and the hopper that speaks it."""
