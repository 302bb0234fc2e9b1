"""Award settlement: once, by its table or by two persons; a later word moves nothing."""

from typing import Final, TypeVar

from msgspec.structs import replace

from games.money import Cents, dollars
from meter.ledger.awards import (
    claim_part,
    fix_amount,
    is_contested,
    open_part,
    pay,
    release,
    set_amount,
    then,
    withdraw,
)
from meter.ledger.balances import Booking, LinkBalances, LinkTerms, NotTaken
from meter.ledger.open_items import DoubtedAward, OpenAward, ReportedPayout, SettledAward

MANAGEMENT_DECIDES: Final = "management decides who comes first [28.11(i)]"

PEOPLE_DECIDE: Final = "two persons decide whether it counts (DecideHeld)"

_Named = TypeVar("_Named", SettledAward, ReportedPayout, DoubtedAward)


def claim(pot: LinkBalances, terms: LinkTerms, award: OpenAward, fixed_cents: Cents) -> Booking:
    """A hand claims its part of the meter, or so much of it."""
    return claim_part(pot, terms, award) if award.percent_bp else fix_amount(pot, award, fixed_cents)


def doubt(pot: LinkBalances, doubted: DoubtedAward) -> Booking:
    """Keeps a claim aside; nothing is fixed for it."""
    return Booking((), replace(pot, doubted=(*pot.doubted, doubted)))


def count_doubted(pot: LinkBalances, terms: LinkTerms, doubted: DoubtedAward) -> Booking:
    """Two persons found the claim to be right: it has its turn now."""
    return claim(_without_doubt(pot, doubted.key), terms, doubted.award, doubted.fixed_cents)


def drop_doubted(pot: LinkBalances, doubted: DoubtedAward) -> Booking:
    """Two persons found the claim to be none: what its table says of it moves nothing."""
    return _noted(Booking((), _without_doubt(pot, doubted.key)), doubted.key, paid=False, cents=0)


def table_validated(
    pot: LinkBalances, key: tuple[str, str, int], seat: int, *, by: str, refused: str
) -> Booking | NotTaken:
    """A supervisor validated a seat's part of an award; refused is why the meter does not agree.

    An award that waits again, is held or was settled by people needs no validation now.
    """
    award = pot.award(*key)
    if award is None:
        is_known = pot.claim(*key) or _named(pot.settled, key) or _named(pot.doubted, key)
        return Booking((), pot) if is_known else _not_open(key)
    others = {other: name for other, name in award.validators.items() if other != seat}
    validators = others if refused else {**others, seat: by}
    checked = replace(award, validators=validators, refused=refused)
    return Booking((), replace(pot, awards=tuple(checked if other == award else other for other in pot.awards)))


def table_paid(
    pot: LinkBalances, terms: LinkTerms, key: tuple[str, str, int], paid_cents: Cents, held: str
) -> Booking | NotTaken:
    """The table has paid: as it was fixed (0), or another amount (R72).

    Another amount, and a payout that is held, wait for two persons.
    """
    settled = _named(pot.settled, key)
    if settled:
        return _heard_late(pot, settled, paid=True, cents=paid_cents or settled.amount_cents)
    award, doubted = pot.award(*key), _named(pot.doubted, key)
    if doubted:
        return NotTaken(f"{doubted.reason}; {PEOPLE_DECIDE}", held=True)
    if award is None:
        return _waiting(pot, key) if pot.claim(*key) else _not_open(key)
    if is_contested(pot, award):
        others = ", ".join(sorted({claim.table for claim in pot.claims} - {award.table}))
        return NotTaken(f"a percentage is claimed at table {others}, too: {MANAGEMENT_DECIDES}", held=True)
    if _named(pot.reported, key):
        return Booking((), pot, doubt=f"a second payout of entry {key[2]}, while the first waits to be settled")
    if not held and paid_cents in (0, award.amount_cents):
        return pay(pot, terms, award)
    reported = ReportedPayout(*key, paid_cents or award.amount_cents, award.amount_cents, held)
    return Booking((), replace(pot, reported=(*pot.reported, reported)))


def table_rejected(pot: LinkBalances, terms: LinkTerms, key: tuple[str, str, int]) -> Booking | NotTaken:
    """The table has rejected the award, or the claim that waits for its turn."""
    settled = _named(pot.settled, key)
    if settled:
        return _heard_late(pot, settled, paid=False, cents=0)
    award, waiting = pot.award(*key), pot.claim(*key)
    if _named(pot.doubted, key):
        return Booking((), _without_doubt(pot, key))
    if _named(pot.reported, key):
        return Booking((), pot, doubt=f"entry {key[2]} is rejected, and its payout waits to be settled")
    if waiting is not None:
        return withdraw(pot, terms, waiting)
    return release(pot, terms, award) if award else _not_open(key)


def people_settled(
    pot: LinkBalances, terms: LinkTerms, key: tuple[str, str, int], paid_cents: Cents | None
) -> Booking | NotTaken:
    """Two persons settle what its table cannot: rejected (None), or paid with so much (0: as it was fixed, R72)."""
    award, waiting, doubted = pot.award(*key), pot.claim(*key), _named(pot.doubted, key)
    if doubted:
        return NotTaken(f"{doubted.reason}; {PEOPLE_DECIDE}")
    if waiting is not None and paid_cents is not None:
        return _waiting(pot, key)
    if waiting is not None:
        return _noted(withdraw(pot, terms, waiting), key, paid=False, cents=0)
    if award is None:
        return _not_open(key)
    if paid_cents is None:
        return _noted(release(pot, terms, award), key, paid=False, cents=0)
    if is_contested(pot, award):
        return NotTaken("enter the order of the claims first [28.11(i)]")
    changed = set_amount(pot, terms, award, paid_cents or award.amount_cents)
    final = changed.pot.award(*key)
    assert final is not None, "it only has another amount"
    return _noted(then(changed, pay(changed.pot, terms, final)), key, paid=True, cents=final.amount_cents)


def out_of_turn(pot: LinkBalances, table: str) -> NotTaken | None:
    """What a table must know whose awards cannot be paid now, because of another table's or a doubt; or None."""
    if table not in pot.claimants:
        return None
    doubted = next((doubted for doubted in pot.doubted if doubted.table == table), None)
    if doubted:
        return NotTaken(f"{doubted.reason}; {PEOPLE_DECIDE}", held=True)
    mine = [award for award in (*pot.awards, *pot.claims) if award.percent_bp and award.table == table]
    if any(is_contested(pot, award) for award in mine):
        return NotTaken(f"percentages are claimed at several tables: {MANAGEMENT_DECIDES}", held=True)
    first = open_part(pot)
    if not mine or first is None or first.table == table:
        return None
    words = f"waits for table {first.table}, first by management's decision; an amount said before is void [28.11(i)]"
    return NotTaken(words, held=True)


def _noted(booking: Booking, key: tuple[str, str, int], *, paid: bool, cents: Cents) -> Booking:
    """Remembers what people settled until the table has said its word, unless it has said it before."""
    pot = booking.pot
    has_spoken = _named(pot.reported, key) is not None
    settled = pot.settled if has_spoken else (*pot.settled, SettledAward(*key, paid, cents))
    reported = tuple(payout for payout in pot.reported if payout.key != key)
    return replace(booking, pot=replace(pot, settled=settled, reported=reported))


def _heard_late(pot: LinkBalances, settled: SettledAward, *, paid: bool, cents: Cents) -> Booking:
    """What a table says of an award that people have settled: it moves nothing, and must not contradict them."""
    heard = replace(pot, settled=tuple(other for other in pot.settled if other != settled))
    if (paid, cents) == (settled.paid, settled.amount_cents):
        return Booking((), heard)
    says, said = _outcome(paid, cents), _outcome(settled.paid, settled.amount_cents)
    return Booking(
        (), heard, doubt=f"entry {settled.seq} was {says} at the table, and {said} by decision of two persons"
    )


def _outcome(paid: bool, cents: Cents) -> str:
    return (f"paid with {dollars(cents)}" if cents else "paid") if paid else "rejected"


def _waiting(pot: LinkBalances, key: tuple[str, str, int]) -> NotTaken:
    """Why a claim that waits cannot be paid: another table is first, or another seat of its own (R80)."""
    return out_of_turn(pot, key[0]) or NotTaken(
        f"entry {key[2]} has no amount yet: the award before it at table {key[0]} is paid or rejected first"
    )


def _not_open(key: tuple[str, str, int]) -> NotTaken:
    return NotTaken(f"entry {key[2]} of table {key[0]} is no award that is still open")


def _without_doubt(pot: LinkBalances, key: tuple[str, str, int]) -> LinkBalances:
    return replace(pot, doubted=tuple(doubted for doubted in pot.doubted if doubted.key != key))


def _named(items: tuple[_Named, ...], key: tuple[str, str, int]) -> _Named | None:
    return next((item for item in items if item.key == key), None)
