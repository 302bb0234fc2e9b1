"""Text helpers that every page and every step share."""


def spoken(name: str) -> str:
    """A hand or an irregularity as people say it."""
    return name.replace("_", " ").replace("akq", "A-K-Q")


def with_rule(words: str, rule: str) -> str:
    """Words with the clause that they rest on, once."""
    return words if not rule or rule in words else f"{words} [{rule}]"


def many(number: int | None, noun: str) -> str:
    """So many of something."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
