"""The evidence for one claim, on one screen: the hand, that seat's light, the count, the meter, and who said so."""

from collections.abc import Iterator

from msgspec import Struct

from common.words import Words
from controller.web.replay import Frame, Replay
from controller.web.text import IN_ENGLISH
from controller.web.view import PaymentView
from games.money import Cents


class LightChange(Struct, frozen=True):
    """When a light began to say something, and because of what."""

    at: str
    since_ms: int
    light: str
    because: str


class ClaimEvidence(Struct, frozen=True):
    """What a supervisor looks at before he confirms."""

    seat: int
    payment: PaymentView
    community: tuple[str, ...]
    claimed_by: str
    claimed_at: str
    lights: tuple[LightChange, ...]
    count: str
    explanation: str
    meter: str
    contest: tuple[str, ...]
    seal: str


def evidence(
    replay: Replay,
    seat: int,
    words: Words = IN_ENGLISH,
    *,
    community: tuple[str, ...],
    meter_cents: Cents | None,
    contest: tuple[str, ...],
) -> ClaimEvidence | None:
    """The evidence for the seat's latest claim, or None if it has none."""
    last = replay.frames[-1]
    claims = [line for line in last.payments if line.wager == "progressive" and line.seat == seat]
    payment = max(claims, key=lambda line: line.state != "rejected", default=None)
    if payment is None:
        return None
    claimed = next(frame for frame in reversed(replay.frames) if _claims(frame, seat))
    explained = next((frame for frame in replay.frames if frame.kind == "MismatchExplained"), None)
    return ClaimEvidence(
        seat=seat,
        payment=payment,
        community=community,
        claimed_by=claimed.by,
        claimed_at=claimed.at,
        lights=tuple(_history(replay.frames, seat)),
        count=last.count.words,
        explanation=f"{explained.by}: {explained.details['reason']}" if explained else "",
        meter=_meter(payment, meter_cents, words),
        contest=contest if payment.is_open else (),
        seal=last.hash,
    )


def _claims(frame: Frame, seat: int) -> bool:
    """Whether the seat's cards were told here: a hand that was shown because others envy it wins for its own, too."""
    is_told = frame.kind in ("HandClaimed", "HandShown")
    return is_told and frame.refusal is None and frame.details["seat"] == seat


def _history(frames: tuple[Frame, ...], seat: int) -> Iterator[LightChange]:
    shown = ""
    for frame in frames:
        if frame.lights[seat] != shown:
            shown = frame.lights[seat]
            yield LightChange(frame.at, frame.since_ms, shown, frame.event)


def _meter(payment: PaymentView, meter_cents: Cents | None, words: Words) -> str:
    if payment.deducted and payment.meter_before_cents:
        return words.say("meter_moved", before=payment.meter_before_cents, after=payment.meter_after_cents)
    now = words.say("meter_unknown") if meter_cents is None else words.say("meter_now", amount=meter_cents)
    return now if payment.deducted else words.say("meter_untouched", now=now)
