"""The round at a table: state, events, effects, and the one step from one state to the next."""
