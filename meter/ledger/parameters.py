"""A link's parameters: its terms, what its tables may deal, and its announced last day (R89)."""

import hashlib
from collections.abc import Mapping
from datetime import date, datetime
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from games.money import Cents, dollars
from meter.ledger.accounts import UNITS_PER_CENT, Account
from meter.ledger.adjustments import TRANSFER_SEEDS
from meter.ledger.balances import LinkBalances, LinkTerms

NOTICE_DAYS: Final = 30
_PACES: Final = ("shortest_round_ms", "shortest_claim_ms", "shortest_payout_ms")


def day_of(wall_ms: int) -> date:
    """The calendar day of a moment, by this machine's time zone."""
    return datetime.fromtimestamp(wall_ms / 1_000).astimezone().date()


def days_left(terms: LinkTerms, today: date) -> int | None:
    """How many days are left until the announced end, or None where none is announced."""
    return (date.fromisoformat(terms.ends_on) - today).days if terms.ends_on else None


def ending_notice(terms: LinkTerms, today: date) -> str | None:
    """What players are told of the end, or None."""
    left = days_left(terms, today)
    if left is None:
        return None
    if left < 0:
        return f"this progressive was to end on {terms.ends_on}"
    return f"this progressive ends on {terms.ends_on}, " + ("today" if left == 0 else f"in {left} day(s)")


def announcement_fault(old: LinkTerms, new: LinkTerms, today: date) -> str | None:
    """Why this end cannot be announced today, or None; one that is put off or taken back needs no notice."""
    left, before = days_left(new, today), days_left(old, today)
    if left is None or left >= NOTICE_DAYS or (before is not None and before <= left):
        return None
    return f"ends_on = {new.ends_on} is less than {NOTICE_DAYS} days away"


def closing_fault(terms: LinkTerms, today: date) -> str | None:
    """Why a link whose end was announced cannot be closed today, or None."""
    left = days_left(terms, today)
    return f"it was announced to end on {terms.ends_on}, not before" if left and left > 0 else None


class OfferedGame(Struct, frozen=True, omit_defaults=True):
    """A game that tables of a link may deal, pays in the words of a sign; decks None is the game's usual number."""

    name: str
    pay_tables: tuple[str, ...]
    stakes_cents: tuple[Cents, ...]
    pays: Mapping[str, str] = {}
    decks: int | None = None


class JoinTerms(Struct, frozen=True):
    """Who may join a link, and with what; how fast they may play and which configurations they may have, where said."""

    tables: tuple[str, ...] = ()
    games: tuple[OfferedGame, ...] = ()
    # Left out where a house says nothing of them, so that offers of before have the names they had.
    shortest_round_ms: int | UnsetType = UNSET
    approved: tuple[str, ...] | UnsetType = UNSET
    shortest_claim_ms: int | UnsetType = UNSET
    shortest_payout_ms: int | UnsetType = UNSET

    @property
    def digest(self) -> str:
        """Names this offer: SHA-256 of its canonical JSON."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()


class Parameters(Struct, frozen=True):
    """What rules on a link at one time."""

    terms: LinkTerms
    offer: JoinTerms


def terms_fault(pot: LinkBalances, old: LinkTerms, new: LinkTerms) -> str | None:
    """Why these terms cannot follow the old ones, or None."""
    if old.rehearsal != new.rehearsal:
        return "a rehearsal cannot become a live link, nor a live link a rehearsal; open another link"
    if new.limit_cents and new.limit_cents * UNITS_PER_CENT < pot.balances.get(Account.METER, 0):
        return f"a limit of {dollars(new.limit_cents)} is below the {dollars(pot.amount_cents)} on the meter"
    return None


def seeds_fault(pot: LinkBalances, old: LinkTerms, new: LinkTerms) -> str | None:
    """Why the overflow cannot become the house's, or None; not asked of old records, for older programs let it."""
    if not old.overflow_seeds_next or new.overflow_seeds_next or not pot.cents(Account.OVERFLOW):
        return None
    seeds = dollars(pot.cents(Account.OVERFLOW))
    return f"{seeds} of overflow are to seed the next jackpot, and are the players': {TRANSFER_SEEDS}"


def differences(old: LinkTerms, new: LinkTerms) -> str:
    """What changes, as old -> new."""
    names = [field.name for field in msgspec.structs.fields(LinkTerms)]
    changed = ((name, getattr(old, name), getattr(new, name)) for name in names)
    return ", ".join(f"{name} {was} -> {is_now}" for name, was, is_now in changed if was != is_now)


def counted_otherwise(was: Parameters, now: Parameters, game: str) -> str:
    """By what an entry of this game that was made on the old ones would count otherwise now, as old -> new.

    Neither what the house put in at the start nor the last day is any of it, nor who else may join, and with what.
    """
    old, new = (replace(each.terms, base_cents=0, ends_on="") for each in (was, now))
    said = [
        differences(old, new),
        *(_pace_change(was.offer, now.offer, name) for name in _PACES),
        "" if _pays(was.offer, game) == _pays(now.offer, game) else f"what {game} pays from the meter",
    ]
    return ", ".join(filter(None, said))


def _pace_change(was: JoinTerms, now: JoinTerms, name: str) -> str:
    pace, is_now = getattr(was, name), getattr(now, name)
    return "" if pace == is_now else f"{name} {_said(pace)} -> {_said(is_now)}"


def _said(pace_ms: int | UnsetType) -> str:
    return "unsaid" if pace_ms is UNSET else str(pace_ms)


def _pays(offer: JoinTerms, name: str) -> Mapping[str, str] | None:
    return next((game.pays for game in offer.games if game.name == name), None)
