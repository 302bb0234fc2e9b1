"""Calls for people: what waits for them on a link since its last records, said in the log and raised on the floor."""

from common.log import Log
from meter.ledger.awards import contest
from meter.ledger.link_state import Head
from meter.ledger.pot import Pot
from meter.service.alarms import (
    Watch,
    contested_alarm,
    doubted_alarm,
    held_alarm,
    payout_alarm,
    stopped_alarm,
    waiting,
)


class Calls:
    """Of one link; its state says the same to everybody else."""

    def __init__(self, link: str, *, log: Log, watch: Watch) -> None:
        self._link, self._log, self._watch = link, log, watch

    def moved(self, before: Head, after: Head) -> None:
        """Says what waits for people from now on, and ends what does not any more."""
        self._held(before.pot, after.pot)
        self._claims(before.pot, after)
        if after.stopped != before.stopped:
            self._log.warning("link_stopped" if after.stopped else "link_reopened", reason=after.stopped)
            if after.stopped:
                self._watch.raised(stopped_alarm(self._link, after.stopped))
        self._end(before.pot, after)

    def _held(self, before: Pot, after: Pot) -> None:
        known = {held.key for held in before.held}
        for held in (held for held in after.held if held.key not in known):
            advice = "two persons decide whether it counts: DecideHeld"
            self._log.warning("wagers_held", table=held.table, seq=held.seq, reason=held.reason, advice=advice)
            self._watch.raised(held_alarm(self._link, held))

    def _claims(self, before: Pot, after: Head) -> None:
        pot = after.pot
        for doubted in (doubted for doubted in pot.doubted if doubted not in before.doubted):
            self._log.warning("award_held", table=doubted.table, seq=doubted.award.seq, reason=doubted.reason)
            self._watch.raised(doubted_alarm(self._link, doubted))
        for payout in (payout for payout in pot.reported if payout not in before.reported):
            self._log.warning("payout_kept_aside", table=payout.table, seq=payout.seq, paid_cents=payout.paid_cents)
            self._watch.raised(payout_alarm(self._link, payout))
        contested = contest(pot)
        if contested and not pot.in_order and contested != contest(before):
            tables = sorted({award.table for award in contested})
            self._log.warning("claims_contested", tables=tables, advice="management enters the order: OrderClaims")
            self._watch.raised(contested_alarm(self._link, after))

    def _end(self, before: Pot, after: Head) -> None:
        """What is decided is news when it happens again."""
        for kind, table in waiting(before) - waiting(after.pot):
            self._watch.over(kind, self._link, table)
        if not contest(after.pot) or after.pot.in_order:
            self._watch.over("claims contested", self._link, "")
        if not after.stopped:
            self._watch.over("link stopped", self._link, "")
