"""Link client of a table: sends entries from the journal until the meter acknowledges them."""

import asyncio
import secrets
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Final, TypeVar

import msgspec
from msgspec import UNSET

from common.clock import Clock, next_beat
from common.log import Log
from controller.meter_link.display import LinkView, MeterDisplay
from controller.meter_link.loss_watchdog import CHECK_S, HEAR_S, LoopStall, LossWatchdog, rest
from controller.meter_link.session import (
    BooksFell,
    Connected,
    DeadlinePassed,
    Disconnected,
    HelloSaid,
    JoinAccepted,
    JoinRefused,
    LinkEvent,
    LinkSession,
    MeterBeat,
    MeterStopped,
    ReplyHeard,
    after,
    presence,
)
from controller.table.loop import TableLoop
from drivers.mqtt.client import Message, Outbound, Outgoing
from games.round.claim_refusals import is_news
from games.round.device_events import NOT_YET
from games.round.events import (
    AwardFixed,
    AwardsFreed,
    AwardsHeld,
    CouponAccepted,
    CouponRefused,
    LinkLost,
    LinkRestored,
    ValidationAccepted,
    ValidationRefused,
    WagersRegistered,
)
from games.round.outputs import is_at_rest
from games.round.state import RoundState
from link import messages as link
from link import topics
from link.messages import CouponAnswer, Envelope, FixedAward, Hello, Redemption, Reply, State

RESEND_S: Final = 3.0
MOST_IN_FLIGHT: Final = 200
MOST_LATE_REPLIES: Final = 5
HAS_STOPPED: Final = "the meter has stopped"
WENT_BACK: Final = "the meter's books went back"
_T = TypeVar("_T", Reply, State)


class MeterClient:
    """Keeps the meter told; a listener on the table's pipe."""

    def __init__(
        self, table: TableLoop, hello: Hello, *, link_name: str, loss_s: float, clock: Clock, log: Log
    ) -> None:
        self._table, self._hello, self._link, self._log = table, hello, link_name, log
        self._loss_s, self._clock = loss_s, clock
        state = table.state
        self._session = LinkSession(loss_s, refused=state.link_refused)
        self._said: LinkLost | None = LinkLost(state.link_down or NOT_YET, refused=state.link_refused)
        self._work = asyncio.Event()
        self._network_fault = ""
        self._sent_at: dict[int, float] = {}
        self._replies: list[tuple[float, Reply]] = []  # and when each was heard
        self._display = MeterDisplay()
        self.held = ""
        self.ignored = 0
        self._booked = table.journal.booked_seq()
        self._fallen = 0
        self._head: tuple[int, float] | None = None
        self._waiting = 0
        self._hold_up = LoopStall()
        self._loss_watchdog = LossWatchdog(self._next_deadline, clock, self._judge_loss)
        self._observers: list[Callable[[], None]] = []

    @property
    def state(self) -> State | None:
        """The meter as it may be shown; None while nothing of it was heard."""
        return self._display.state

    @property
    def topics(self) -> tuple[str, ...]:
        """What this client must hear."""
        return topics.reply_topic(self._link, self._hello.table), topics.state_topic(self._link)

    @property
    def will(self) -> Outgoing:
        """What the broker says for this table when it dies."""
        return presence(self._link, self._hello.table, alive=False)

    def observe(self, changed: Callable[[], None]) -> None:
        """Calls changed after every message, connection and loss."""
        self._observers.append(changed)

    def wake(self) -> None:
        """The outbox has something new."""
        self._work.set()

    def view(self) -> LinkView:
        """The link as people see it."""
        amount, notice = (self.state.amount_cents, self.state.notice) if self.state else (0, "")
        notice = self.held or (notice if self.state and self.state.alive else "")
        down = self._table.state.link_down
        return LinkView(self._link, not down, down, amount, notice, self._waiting, self._network_fault)

    def heard(self, message: Message) -> None:
        """A message for this table or for everybody."""
        reply_topic, state_topic = self.topics
        if message.topic == state_topic:
            self._heard_state(_decoded(message.payload, State), retained=message.retained)
        elif message.topic == reply_topic:
            self._heard_reply(_decoded(message.payload, Reply))
        self._tell()

    def went_up(self) -> None:
        """Connected: the first word is a hello."""
        self._hear(Connected())
        self._network_fault = ""
        self._note()
        self._tell()

    def went_down(self, reason: str) -> None:
        """Not connected any more."""
        self._hear(Disconnected())
        self._replies.clear()  # whatever they say, the meter says it again on the next connection
        self._network_fault = reason
        self._log.warning("link_down", reason=reason)
        self._note()
        self._tell()

    async def run(self, mqtt: Outbound) -> None:
        """Sends what waits and watches the meter, for ever."""
        await self._loss_watchdog.beside(self._serve(mqtt))

    async def _serve(self, mqtt: Outbound) -> None:
        while True:
            await self._settle_replies()
            if self._session.is_joined:
                await self._send_waiting(mqtt)
            if self._session.must_greet(self._clock.now(), min(self._loss_s, 1.0)):
                self._greet(mqtt)
            if self._was_held_up():
                self._work.clear()  # the pause must let the loop hear
                await rest(self._work, self._clock, HEAR_S)
            else:
                self._judge_link(may_open=self._may_open(), stuck=self._why_stuck())
                now = self._clock.now()
                await rest(self._work, self._clock, next_beat(now, CHECK_S) - now)

    def _hear(self, event: LinkEvent) -> None:
        self._session = after(self._session, event, self._clock.now())

    def _next_deadline(self, now: float) -> float:
        return self._session.next_deadline(now)

    def _note(self) -> None:
        """Something was heard."""
        self._work.set()
        self._loss_watchdog.wake()

    def _tell(self) -> None:
        for changed in self._observers:
            changed()

    def _greet(self, mqtt: Outbound) -> None:
        self._hear(HelloSaid(secrets.token_hex(8)))
        next_seq = self._table.state.link_seq + 1
        hello = msgspec.structs.replace(self._hello, next_seq=next_seq, idle=self._is_idle(), nonce=self._session.nonce)
        here = presence(self._link, hello.table, alive=True)
        mqtt.publish(here.topic, here.payload, retain=True, qos=1)
        mqtt.publish(topics.hello_topic(self._link, hello.table), msgspec.json.encode(hello), qos=1)

    def _is_idle(self) -> bool:
        """Whether those who stopped the link may take it that nothing more comes from here; nobody else need know."""
        is_stopped = self.state is not None and self.state.health == "stopped"
        return is_stopped and self._table.is_idle and is_at_rest(self._table.rules, self._table.state)

    async def _send_waiting(self, mqtt: Outbound) -> None:
        journal = self._table.journal
        waiting, self._waiting = await self._table.on_journal(
            lambda: (journal.waiting(MOST_IN_FLIGHT), journal.waiting_in_all())
        )
        now = self._clock.now()
        if not waiting or self._head is None or self._head[0] != waiting[0].seq:
            self._head = (waiting[0].seq, now) if waiting else None
        for letter in waiting:
            if now - self._sent_at.get(letter.seq, -RESEND_S) < RESEND_S:
                continue
            self._sent_at[letter.seq] = now
            hello = self._hello
            envelope = Envelope(link.VERSION, hello.table, hello.journal, letter.seq, letter.at_ms, letter.entry)
            mqtt.publish(topics.entry_topic(self._link, hello.table), msgspec.json.encode(envelope), qos=1)

    def _heard_state(self, state: State | None, *, retained: bool) -> None:
        if state is None or state.v != link.VERSION or state.link != self._link:
            self.ignored += 1
            return
        judge = self._take_kept if retained else self._judge_state
        judge(state)
        self._note()

    def _take_kept(self, state: State) -> None:
        """It may be all that is left of a meter that died with its broker, or that stopped before we could hear it."""
        self._display.keep(state)
        if state.forbids_play and not self._session.is_joined:
            self._hear(JoinRefused(state.notice or HAS_STOPPED))

    def _judge_state(self, state: State) -> None:
        if not self._table.rules.why_cut_off(self._table.state):
            self._display.was_played_for()
        elif self._display.is_behind(state) and self._is_taken_back():
            self._display.begin_again()
        if self._display.is_behind(state):
            self._doubt(state)
        elif self._display.show(state):
            if state.alive:
                self._hear(MeterBeat())
            elif state.forbids_play:
                self._hear(JoinRefused(state.notice or HAS_STOPPED))
            else:
                self._hear(MeterStopped(state.notice or HAS_STOPPED))

    def _is_taken_back(self) -> bool:
        """Whether this table is shut, because the books went back, and a meter has taken it into those."""
        return self._display.went_back and self._session.is_joined and self._table.state.link_refused

    def _doubt(self, state: State) -> None:
        if not self._display.went_back:  # or else it was said
            self._hear(BooksFell(f"{WENT_BACK} to record {state.number}: call accounting"))

    def _heard_reply(self, reply: Reply | None) -> None:
        if reply is None or reply.v != link.VERSION or reply.journal != self._hello.journal:
            self.ignored += 1
            return
        self._replies.append((self._clock.now(), reply))
        self._work.set()

    async def _settle_replies(self) -> None:
        while self._replies:
            heard_at, reply = self._replies.pop(0)
            if not reply.refusal:
                self._hear(ReplyHeard("" if reply.nonce is UNSET else reply.nonce))
                if self._session.is_stranger:
                    self.ignored += 1
                    continue
            why_not = reply.refusal or self._disagreement(reply.booked_seq)
            if why_not:
                self._hear(JoinRefused(why_not))
                self._loss_watchdog.wake()
            elif reply.booked_seq >= self._booked:  # or else it is of long ago, or of a meter that lost records
                if not self._session.is_joined:  # whatever was sent before may be lost
                    self._sent_at, self._head = {}, None
                self._hear(JoinAccepted(heard_at))
                await self._take(reply)

    async def _take(self, reply: Reply) -> None:
        self.held = reply.held
        if reply.held and reply.held != self._table.state.held:
            await self._table.ask(AwardsHeld(reply.held))
        await self._book(reply)
        if not reply.held and self._table.state.held:
            await self._table.ask(AwardsFreed())

    async def _book(self, reply: Reply) -> None:
        self._booked = reply.booked_seq
        await self._table.on_journal(lambda: self._table.journal.mark_booked(reply.booked_seq))
        self._sent_at = {seq: at for seq, at in self._sent_at.items() if seq > reply.booked_seq}
        state = self._table.state
        if state.wagers_seq and not state.registered and state.wagers_seq <= reply.booked_seq:
            await self._table.ask(WagersRegistered(state.wagers_seq))
        for award in reply.awards:
            fixed = AwardFixed(
                award.seq,
                award.amount_cents,
                award.meter_before_cents,
                award.meter_after_cents,
                award.house_funded_cents,
            )
            if is_news(self._table.state, fixed):
                await self._table.ask(fixed)
            for news in tuple(checks(self._table.state, award, reply.booked_seq)):
                await self._table.ask(news)
        for answer in () if reply.coupons is UNSET else reply.coupons:
            await self._answer_coupon(answer)

    async def _answer_coupon(self, answer: CouponAnswer) -> None:
        """The meter's word on a coupon that still waits for it; it repeats what the table knows already."""
        asked = next((asked for asked in self._table.state.asked_coupons.values() if asked.seq == answer.seq), None)
        if asked is None:
            return
        if answer.accepted:
            await self._table.ask(CouponAccepted(answer.seq))
        else:
            await self._table.ask(CouponRefused(answer.seq, _redeemed_before(asked.serial, answer.first)))

    def _disagreement(self, booked_seq: int) -> str:
        """Why these cannot be this journal's books; a number that falls once is late, again and again a loss."""
        self._fallen = self._fallen + 1 if booked_seq < self._booked else 0
        if booked_seq > self._table.state.link_seq:
            return "the meter has entries this journal never wrote: call accounting"
        if self._fallen >= MOST_LATE_REPLIES:
            return "the meter has lost entries it had booked: call accounting"
        return ""

    def _was_held_up(self) -> bool:
        """Whether the loop or the journal was late; what we did not send meanwhile, nobody can have booked."""
        now = self._clock.now()
        is_over = self._hold_up.is_over(now)
        if is_over and self._head is not None:
            self._head = (self._head[0], now)
        return is_over

    def _judge_loss(self) -> None:
        """Only the one who knows what waits may open the table."""
        self._judge_link(may_open=False, stuck="")

    def _judge_link(self, *, may_open: bool, stuck: str) -> None:
        news = self._news(may_open=may_open, stuck=stuck)
        if news is None:
            return
        if isinstance(news, LinkRestored):
            self._log.info("link_restored")
        elif news.reason.startswith(WENT_BACK):
            self._display.went_back = True
        self._table.post(news)

    def _news(self, *, may_open: bool, stuck: str) -> LinkLost | LinkRestored | None:
        """What has changed since it was said last, once, however long the table takes to write it down.

        stuck is why the meter, although it is there, is of no use, or nothing. Even one that is of use opens no table
        that must not open yet.
        """
        now = self._clock.now()
        if self._session.is_due(now):
            self._hear(DeadlinePassed())
        reason = self._session.why_lost(now, table_is_down=self._said is not None) or stuck
        if not reason and self._session.is_joined and self._said and may_open:
            self._said = None
            return LinkRestored()
        lost = LinkLost(reason, refused=self._session.refused)
        if reason in ("", NOT_YET) or lost == self._said:
            return None
        self._said = lost
        return lost

    def _may_open(self) -> bool:
        """Whether all that was owed to the meter is booked (R46), and no amount can fall before the players (R82)."""
        return self._waiting == 0 and not self._display.went_back

    def _why_stuck(self) -> str:
        """What the meter does not book although it was told again and again, or nothing."""
        patience_s = self._loss_s + 2 * RESEND_S
        if not self._session.is_joined or self._head is None or self._clock.now() - self._head[1] <= patience_s:
            return ""
        return f"the meter does not book entry {self._head[0]}"


def checks(state: RoundState, award: FixedAward, booked_seq: int) -> Iterator[ValidationAccepted | ValidationRefused]:
    """What the meter says here of validations that it has booked, as far as the table does not know it yet."""
    for claim in state.claims_to(award.seq):
        if not 0 < claim.validation_seq <= booked_seq or claim.is_agreed:
            continue
        if claim.seat not in award.validated:
            yield ValidationRefused(claim.seat, award.refused or "the meter asks for another validation")
        elif not award.waits or award.waits != claim.waits:
            yield ValidationAccepted(claim.seat, award.waits)


def _redeemed_before(serial: str, first: Redemption | None) -> str:
    """Where and when a coupon was redeemed, in a dealer's words."""
    if first is None:
        return f"coupon {serial}: the meter does not take it; give it back to the player"
    at = datetime.fromtimestamp(first.at_ms / 1000, UTC)
    where = f"table {first.table}, seat {first.seat}, round {first.round}"
    return f"coupon {serial} was redeemed already: {where}, on {at:%Y-%m-%d} at {at:%H:%M} UTC; it is void"


def _decoded(payload: bytes, kind: type[_T]) -> _T | None:
    try:
        return link.decode(payload, kind)
    except link.Garbled:
        return None
