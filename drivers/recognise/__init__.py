"""Recognisers: what happened at a device, out of its edges and levels; pure, time is an argument."""
