"""A link's parameters: its terms, and what its tables may deal; the ledger knows which ones rule since when."""

import hashlib
from collections.abc import Mapping

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from games.money import Cents, dollars
from meter.ledger.accounts import UNITS_PER_CENT, Account
from meter.ledger.adjustments import TRANSFER_SEEDS
from meter.ledger.pot import Pot, Terms


class OfferedGame(Struct, frozen=True, omit_defaults=True):
    """A game that tables of a link may deal, pays in the words of a sign; decks None is the game's usual number."""

    name: str
    pay_tables: tuple[str, ...]
    stakes_cents: tuple[Cents, ...]
    pays: Mapping[str, str] = {}
    decks: int | None = None


class Offer(Struct, frozen=True):
    """Who may join a link, and with what; how fast they may play and which configurations they may have, where said."""

    tables: tuple[str, ...] = ()
    games: tuple[OfferedGame, ...] = ()
    # Left out where a house says nothing of them, so that offers of before have the names they had.
    shortest_round_ms: int | UnsetType = UNSET
    approved: tuple[str, ...] | UnsetType = UNSET

    @property
    def digest(self) -> str:
        """Names this offer: SHA-256 of its canonical JSON."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()


class Parameters(Struct, frozen=True):
    """What rules on a link at one time."""

    terms: Terms
    offer: Offer


def terms_fault(pot: Pot, old: Terms, new: Terms) -> str | None:
    """Why these terms cannot follow the old ones, or None."""
    if old.rehearsal != new.rehearsal:
        return "a rehearsal cannot become a live link, nor a live link a rehearsal; open another link"
    if new.limit_cents and new.limit_cents * UNITS_PER_CENT < pot.balances.get(Account.METER, 0):
        return f"a limit of {dollars(new.limit_cents)} is below the {dollars(pot.amount_cents)} on the meter [R84]"
    return None


def seeds_fault(pot: Pot, old: Terms, new: Terms) -> str | None:
    """Why the overflow cannot become the house's, or None; not asked of old records, for older programs let it."""
    if not old.overflow_seeds_next or new.overflow_seeds_next or not pot.cents(Account.OVERFLOW):
        return None
    seeds = dollars(pot.cents(Account.OVERFLOW))
    return f"{seeds} of overflow are to seed the next jackpot, and are the players': {TRANSFER_SEEDS} [R85]"


def differences(old: Terms, new: Terms) -> str:
    """What changes, as old -> new."""
    names = [field.name for field in msgspec.structs.fields(Terms)]
    changed = ((name, getattr(old, name), getattr(new, name)) for name in names)
    return ", ".join(f"{name} {was} -> {is_now}" for name, was, is_now in changed if was != is_now)


def counted_otherwise(was: Parameters, now: Parameters, game: str) -> str:
    """By what an entry of this game that was made on the old ones would count otherwise now, as old -> new.

    Neither what the house put in at the start nor the last day is any of it, nor who else may join, and with what.
    """
    old, new = (replace(each.terms, base_cents=0, ends_on="") for each in (was, now))
    pace, is_now = was.offer.shortest_round_ms, now.offer.shortest_round_ms
    said = [
        differences(old, new),
        "" if pace == is_now else f"shortest_round_ms {_said(pace)} -> {_said(is_now)}",
        "" if _pays(was.offer, game) == _pays(now.offer, game) else f"what {game} pays from the meter",
    ]
    return ", ".join(filter(None, said))


def _said(pace_ms: int | UnsetType) -> str:
    return "unsaid" if pace_ms is UNSET else str(pace_ms)


def _pays(offer: Offer, name: str) -> Mapping[str, str] | None:
    return next((game.pays for game in offer.games if game.name == name), None)
