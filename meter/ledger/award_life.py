"""Life of an award at the meter as a table: its states, what happens to it, and where that leads."""

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from meter.ledger.awards import needs_approval
from meter.ledger.balances import LinkBalances, LinkTerms


class AwardState(Enum):
    """How far an award has come; the value is what people read."""

    UNCLAIMED = "not claimed"
    CLAIM_HELD = "claim held for two persons"
    WAITING = "waiting for its turn"
    FIXED = "fixed, to be validated"
    TO_APPROVE = "validated, waiting for an approval"
    VALIDATED = "validated, to be paid"
    PAYOUT_HELD = "payout held for two persons"
    SETTLED = "paid or given back"


class AwardEvent(Enum):
    """What happens to an award; a payout that counts was proved by two persons, in time, and approved where it must."""

    CLAIM_DOUBTED = "claimed without a wager, twice or too early"
    CLAIMED = "claimed"
    TURN_CAME = "its turn came"
    TURN_LOST = "put behind another claim"
    VALIDATED = "validated, and the meter agrees"
    VALIDATION_REFUSED = "validated, and the meter does not agree"
    APPROVED = "approved by two persons"
    PAID = "paid"
    PAYOUT_DOUBTED = "paid, and not proved, too early, not approved or another amount"
    RELEASED = "rejected by its table"
    DECIDED = "decided or settled by two persons"


AwardLife: TypeAlias = Mapping[AwardEvent, Mapping[AwardState, frozenset[AwardState]]]


def _to(*states: AwardState) -> frozenset[AwardState]:
    return frozenset(states)


_FIXED_STATES: Final = (AwardState.FIXED, AwardState.TO_APPROVE, AwardState.VALIDATED)
_OPEN: Final = (AwardState.CLAIM_HELD, AwardState.WAITING, *_FIXED_STATES)

AWARD_LIFE: Final[AwardLife] = {
    AwardEvent.CLAIM_DOUBTED: {AwardState.UNCLAIMED: _to(AwardState.CLAIM_HELD)},
    AwardEvent.CLAIMED: {AwardState.UNCLAIMED: _to(AwardState.FIXED, AwardState.WAITING)},
    AwardEvent.TURN_CAME: {AwardState.WAITING: _to(AwardState.FIXED)},
    AwardEvent.TURN_LOST: dict.fromkeys(_FIXED_STATES, _to(AwardState.WAITING)),
    AwardEvent.VALIDATED: dict.fromkeys(_FIXED_STATES, _to(*_FIXED_STATES)),
    AwardEvent.VALIDATION_REFUSED: dict.fromkeys(_FIXED_STATES, _to(AwardState.FIXED)),
    AwardEvent.APPROVED: {
        AwardState.FIXED: _to(AwardState.FIXED),
        AwardState.TO_APPROVE: _to(AwardState.VALIDATED),
    },
    AwardEvent.PAID: dict.fromkeys((AwardState.FIXED, AwardState.VALIDATED), _to(AwardState.SETTLED)),
    AwardEvent.PAYOUT_DOUBTED: dict.fromkeys(_FIXED_STATES, _to(AwardState.PAYOUT_HELD)),
    AwardEvent.RELEASED: dict.fromkeys(_OPEN, _to(AwardState.SETTLED)),
    AwardEvent.DECIDED: {
        AwardState.CLAIM_HELD: _to(AwardState.FIXED, AwardState.WAITING, AwardState.SETTLED),
        **dict.fromkeys((AwardState.WAITING, *_FIXED_STATES, AwardState.PAYOUT_HELD), _to(AwardState.SETTLED)),
    },
}
"""A validation of every share leads on; of a share among several the award stays fixed. A payout carries the proofs of
its validators, so that it may follow a fixed award at once."""


def award_state(pot: LinkBalances, terms: LinkTerms, key: tuple[str, str, int]) -> AwardState:
    """How far the award that this entry claimed has come; one that is not open was settled, or never claimed."""
    if any(doubted.key == key for doubted in pot.doubted):
        return AwardState.CLAIM_HELD
    if pot.claim(*key):
        return AwardState.WAITING
    award = pot.award(*key)
    if award is None:
        return AwardState.SETTLED
    if any(payout.key == key for payout in pot.reported):
        return AwardState.PAYOUT_HELD
    if not award.is_validated:
        return AwardState.FIXED
    return AwardState.TO_APPROVE if needs_approval(terms, award) else AwardState.VALIDATED


def diagram() -> str:
    """The table as a mermaid state diagram."""
    ways: dict[tuple[str, str], list[str]] = {}
    for event, sources in AWARD_LIFE.items():
        for source, targets in sources.items():
            for target in sorted(targets, key=lambda state: state.value):
                if target is not source:
                    ways.setdefault((source.name, target.name), []).append(event.name.lower().replace("_", " "))
    rows = [f"  {source} --> {target}: {' | '.join(events)}" for (source, target), events in ways.items()]
    names = [f'  state "{state.value}" as {state.name}' for state in AwardState]
    return "\n".join(["stateDiagram-v2", *names, *rows]) + "\n"
