"""Base games as dealer's assist: who wins what, with the clause beside each result."""
