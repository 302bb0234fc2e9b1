"""What a table's entry moves, by arithmetic alone."""

from typing import Final

from msgspec.structs import replace

from games.money import Cents, dollars
from meter.adjustments import hold
from meter.awards import claim_part, is_contested, open_part, pay, release, withdraw
from meter.fixing import fix_amount
from meter.ledger import Booking, HeldWagers, NotTaken, OpenAward, Pot, Terms, contribute
from meter.link import Award, Envelope, Payout, Release, Wagers

MANAGEMENT_DECIDES: Final = "management decides who comes first [28.11(i)]"
MOST_HELD: Final = 100


def entry_booking(pot: Pot, terms: Terms, envelope: Envelope, held: str) -> Booking | NotTaken:
    """What this entry does to the pot; held wagers do nothing yet."""
    match envelope.entry:
        case Wagers(stake_cents=stake, seats=seats, coupons=coupons):
            chips = len(seats) - len(coupons)
            if held:
                return _hold(pot, HeldWagers(*_key(envelope), stake, chips, len(coupons), held))
            return contribute(pot, terms, stake_cents=stake, chips=chips, coupons=len(coupons))
        case Award() as entry:
            claim = OpenAward(*_key(envelope), entry.seat, entry.hand, entry.percent_bp)
            award = replace(claim, at_ms=envelope.at_ms, clock=entry.clock, sharers=entry.sharers)
            return claim_part(pot, terms, award) if entry.percent_bp else fix_amount(pot, award, entry.fixed_cents)
        case Payout(award_seq=seq, amount_cents=paid):
            return _payout_booking(pot, terms, (envelope.table, envelope.journal, seq), paid)
        case Release(award_seq=seq):
            return _release_booking(pot, terms, (envelope.table, envelope.journal, seq))


def out_of_turn(pot: Pot, table: str) -> NotTaken | None:
    """What a table must know whose percentages cannot be paid now, because of another table's; or None."""
    mine = [award for award in (*pot.awards, *pot.claims) if award.percent_bp and award.table == table]
    if any(is_contested(pot, award) for award in mine):
        return NotTaken(f"percentages are claimed at several tables: {MANAGEMENT_DECIDES}", held=True)
    first = open_part(pot)
    if not mine or first is None or first.table == table:
        return None
    words = f"waits for table {first.table}, first by management's decision; an amount said before is void [28.11(i)]"
    return NotTaken(words, held=True)


def _key(envelope: Envelope) -> tuple[str, str, int]:
    return envelope.table, envelope.journal, envelope.seq


def _hold(pot: Pot, wagers: HeldWagers) -> Booking | NotTaken:
    if len(pot.held) >= MOST_HELD:
        return NotTaken(f"{wagers.reason}; {MOST_HELD} entries are held already and wait to be decided")
    return hold(pot, wagers)


def _payout_booking(pot: Pot, terms: Terms, key: tuple[str, str, int], paid_cents: Cents) -> Booking | NotTaken:
    award = pot.award(*key)
    if award is None:
        return _waiting(pot, key) if pot.claim(*key) else _not_open(key)
    if is_contested(pot, award):
        others = ", ".join(sorted({claim.table for claim in pot.claims} - {award.table}))
        return NotTaken(f"a percentage is claimed at table {others}, too: {MANAGEMENT_DECIDES}", held=True)
    if paid_cents and paid_cents != award.amount_cents:  # R72
        return NotTaken(f"{dollars(paid_cents)} was paid, {dollars(award.amount_cents)} is fixed: call accounting")
    return pay(pot, terms, award)


def _waiting(pot: Pot, key: tuple[str, str, int]) -> NotTaken:
    """Why a claim that waits cannot be paid: another table is first, or another seat of its own (R80)."""
    return out_of_turn(pot, key[0]) or NotTaken(
        f"entry {key[2]} has no amount yet: the award before it at table {key[0]} is paid or rejected first [R80]"
    )


def _release_booking(pot: Pot, terms: Terms, key: tuple[str, str, int]) -> Booking | NotTaken:
    award, claim = pot.award(*key), pot.claim(*key)
    if claim is not None:
        return withdraw(pot, terms, claim)
    return release(pot, terms, award) if award else _not_open(key)


def _not_open(key: tuple[str, str, int]) -> NotTaken:
    return NotTaken(f"entry {key[2]} of table {key[0]} is no award that is still open")
