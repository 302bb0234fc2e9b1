"""The players' sign: what it shows, in which words and in which theme."""
