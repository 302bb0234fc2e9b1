"""Seeded play: rounds through the simulated metal as fast as they go, and what came of them."""

import random
import time
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from common.auth.proof import prove
from controller.table.meter_entries import order_to_prove
from demo.floor import DemoFloor
from demo.table import SimulatedTable
from games.cards import DECK, DECK_AND_JOKER
from games.game import Wager
from games.money import Cents
from games.round.deal import owes_stub
from games.round.events import (
    BonusDisplayed,
    ClaimValidated,
    CouponRedeemed,
    DealerCardDealt,
    EnvyPaid,
    Event,
    HandClaimed,
    HandsAllShown,
    HandShown,
    NoWinShown,
    PapersCompleted,
    PayoutConfirmed,
    SeatFolded,
    StubCounted,
    WagerPlaced,
)
from games.round.layout import act_of_round, layout
from games.round.state import Claim, ClaimState, RoundState, SideWagers
from games.round.step import RoundStep
from games.round.table_rules import TableRules
from games.settlement.order import Turn
from games.settlement.played_round import FIRST_THREE
from games.settlement.till import row_paid
from games.settlement.walk import Act, AskDisplay, AskMeter, AskSeats, AskSharers, AwaitMeter, Pay, Validate
from games.showdown.pai_gow.deck import stub_size
from meter.staff.keeper import StaffSecret

WAGERS: Final = 0.7
COUPONS: Final = 0.1
SECOND_CHIPS: Final = 0.05
FOLDS: Final = 0.3
SIDE_WAGERS: Final = 0.3
DISPLAYED_CENTS: Final = 25_00  # what the demo's bonus display shows: the rule leaves the amounts to the house
DRAWN: Final = 4  # blackjack's progressive looks at four cards, so the demo's players always draw to them
SUPERVISOR: Final = "Sue"
DEALER: Final = "Dan"


class PaidOut(Struct, frozen=True):
    """One payout of the demo."""

    table: str
    round: int
    seat: int
    hand: str
    amount_cents: Cents
    deducted: bool


class Meter(Struct, frozen=True):
    """Where the meter stands: amount = base + contribution − deducted + refill."""

    base_cents: Cents
    in_cents: Cents
    contribution_cents: Cents
    carry: str
    deducted_cents: Cents
    refill_cents: Cents
    amount_cents: Cents


class DemoResult(Struct, frozen=True):
    """What a headless demo prints."""

    seed: int
    rounds: int
    tables: int
    wagers: int
    coupons: int
    refusals: int
    payouts: list[PaidOut]
    meter: Meter


class RoundCards:
    """The cards of one round: as many as the game deals to each seat, in the order they came."""

    def __init__(self, luck: random.Random, rules: TableRules) -> None:
        self._rules = rules
        deck = (DECK_AND_JOKER if rules.game.joker else DECK) * rules.decks
        cards = luck.sample(deck, len(deck))
        size = DRAWN if rules.game.hand_grows else rules.game.hand_size
        first, last = rules.community_size, rules.community_size + max(rules.seats) * size
        self._community = tuple(cards[:first])
        self._hands = {seat: tuple(cards[first + (seat - 1) * size : first + seat * size]) for seat in rules.seats}
        self._dealer = tuple(cards[last : last + max(rules.game.hand_size, 1 + rules.dealer_hands)])

    @property
    def can_fold(self) -> bool:
        """Whether a player with a progressive wager may fold."""
        return self._rules.game.has_fold and self._rules.wager.fold.effect != "bars"

    @property
    def community(self) -> tuple[str, ...]:
        """The community cards as they are written."""
        return tuple(map(str, self._community))

    @property
    def dealer(self) -> tuple[str, ...]:
        """The dealer's cards as they are written, where a wager looks at them."""
        looked_at = any(wager.sees == "own_and_dealer" for wager in self._rules.layout_wagers)
        return tuple(map(str, self._dealer[: self._rules.game.hand_size])) if looked_at else ()

    @property
    def dealer_hands(self) -> tuple[str, ...]:
        """Multiple action: the dealer's up-card, then the second card of each of his hands."""
        return tuple(map(str, self._dealer[: 1 + self._rules.dealer_hands]))

    def early_wager(self, state: RoundState, seat: int) -> str:
        """A wager of the seat that its first three cards win, before the others come; or nothing."""
        return next((name for name in self._winning(state, seat, early=True)), "")

    def winning_wager(self, state: RoundState, seat: int) -> str:
        """A wager of the seat that its whole hand wins, the progressive first; or nothing."""
        if seat in state.wagers and seat not in state.forfeited and self.wins(seat):
            return self._rules.wager.name
        return next((name for name in self._winning(state, seat, early=False)), "")

    def _winning(self, state: RoundState, seat: int, *, early: bool) -> Iterator[str]:
        lying = state.side.get(seat, SideWagers()).amounts
        for wager in self._rules.layout_wagers:
            is_wanted = wager.name in lying and (wager.sees == "own_first_three") is early
            if is_wanted and wager.sees not in ("no_cards", "dealer_hand") and self._wins_side(seat, wager):
                yield wager.name

    def _wins_side(self, seat: int, wager: Wager) -> bool:
        cards = self._hands[seat] + (self._dealer[: len(self.dealer)] if wager.sees == "own_and_dealer" else ())
        cards = cards[:FIRST_THREE] if wager.sees == "own_first_three" else cards
        hands, table = wager.hands(cards), self._rules.tables.get(wager.name)
        return bool(hands) if table is None else row_paid(wager, table, hands, meter_cents=None) is not None

    def words(self, seat: int) -> tuple[str, ...]:
        """A seat's cards as they are written."""
        return tuple(map(str, self._hands[seat]))

    def wins(self, seat: int) -> bool:
        """Whether the table pays this seat's cards."""
        hands = self._rules.wager.hands((*self._hands[seat], *self._community))
        return row_paid(self._rules.wager, self._rules.pay_table, hands, meter_cents=None) is not None

    def envied_seats(self, state: RoundState) -> list[int]:
        """The seats whose hand others envy and nobody has shown yet."""
        envy, table = self._rules.envy, self._rules.tables.get("envy")
        if envy is None or table is None:
            return []
        unseen = [seat for seat in self._rules.seats if seat not in {*state.cards, *state.folded}]
        return [seat for seat in unseen if row_paid(envy, table, envy.hands(self._hands[seat]), meter_cents=None)]


class Player:
    """Plays one table's rounds; the same seed deals the same cards."""

    def __init__(self, table: SimulatedTable, seed: int, secrets: Mapping[str, StaffSecret]) -> None:
        self._bench, self._seed, self._secrets = table, seed, secrets
        self.wagers = self.coupons = self.refusals = 0
        self.payouts: list[PaidOut] = []
        assert table.assembly is not None
        self._table = table.assembly.table
        self._table.watch(self._count)

    async def play_round(self, number: int) -> None:
        """One whole round: wagers, lock-out, count, registration, deal, claims, end."""
        luck = random.Random(f"{self._seed}/{self._bench.settings.table}/{number}")  # noqa: S311  a demo's cards
        await self._wager(luck)
        assert self._bench.assembly is not None
        number = random.Random(luck.getrandbits(32)).randint(1, 7)  # noqa: S311  the same seed draws the same number
        self._bench.assembly.performer.draw_number = lambda: number
        await self._bench.press_lock_out()
        await self._bench.settle()
        await self._bench.until(lambda: self._bench.state.registered or not self._bench.state.wagers, "not registered")
        draws = self._table.rules.draws_number
        await self._bench.until(lambda: not draws or self._bench.state.number_drawn is not None, "no number was drawn")
        await self._settle(luck, RoundCards(luck, self._table.rules))
        if owes_stub(self._table.rules, self._bench.state):
            hands = self._table.rules.seats[-1] + 1
            await self._table.ask(StubCounted(stub_size(hands), hands, DEALER))
        await self._bench.press_end_of_round()
        await self._bench.until(lambda: self._bench.state.phase.value == "open", "next round not open")

    async def _wager(self, luck: random.Random) -> None:
        for seat in self._table.rules.seats:
            if luck.random() >= WAGERS:
                continue
            if luck.random() < COUPONS and self._table.rules.game.coupons:
                serial = f"{self._bench.settings.table}-{self._bench.state.round}-{seat}"
                await self._table.ask(CouponRedeemed(seat, serial))
            else:
                await self._bench.drop_chip(seat)
            if luck.random() < SECOND_CHIPS:
                await self._table.ask(CouponRedeemed(seat, f"second-{seat}"))
        await self._lay_side_wagers(luck)
        await self._bench.settle()
        await self._bench.until(lambda: not self._bench.state.asked_coupons, "the meter does not answer for a coupon")
        self.wagers += len(self._bench.state.wagers)
        self.coupons += len(self._bench.state.coupons)

    async def _lay_side_wagers(self, luck: random.Random) -> None:
        """Some players lay what the dealer enters: amounts of one to twenty-five dollars, a number for the number."""
        rules, own = self._table.rules, random.Random(luck.getrandbits(32))  # noqa: S311  a demo's wagers
        for wager in [wager for wager in rules.layout_wagers if not wager.dealer_hand]:
            for seat in rules.seats:
                lying = {rules.base_wager.name, *self._bench.state.side.get(seat, SideWagers()).amounts}
                if own.random() < SIDE_WAGERS and (not wager.needs or lying & {*wager.needs.any_of}):
                    cents = own.choice(wager.stakes or (1_00, 5_00, 25_00))
                    number = own.randint(1, 7) if wager.name == "number" else 0
                    await self._table.ask(WagerPlaced(seat, wager.name, cents, number))

    async def _settle(self, luck: random.Random, dealt: "RoundCards") -> None:
        """Losers may fold, winners are claimed and envied hands shown; then the walk goes from turn to turn."""
        await self._insure(luck, dealt)
        for seat in sorted(self._bench.state.side, reverse=True):
            if wager := dealt.early_wager(self._bench.state, seat):
                await self._table.ask(HandClaimed(seat, dealt.words(seat)[:FIRST_THREE], wager=wager))
        for seat in sorted({*self._bench.state.wagers, *self._bench.state.side}, reverse=True):
            if wager := dealt.winning_wager(self._bench.state, seat):
                claim = HandClaimed(seat, dealt.words(seat), dealt.community, wager=wager, dealer=dealt.dealer)
                await self._table.ask(claim)
            elif seat in self._bench.state.wagers and dealt.can_fold and luck.random() < FOLDS:
                await self._table.ask(SeatFolded(seat))
        for seat in dealt.envied_seats(self._bench.state):
            await self._table.ask(HandShown(seat, dealt.words(seat)))
        while (act := act_of_round(self._table.rules, self._bench.state)) or await self._next_hand(dealt):
            if act:
                await self._do(act)

    async def _insure(self, luck: random.Random, dealt: "RoundCards") -> None:
        """Multiple action: the up-card, beside an ace some insurance, then the second card of the first hand."""
        rules = self._table.rules
        if rules.dealer_hands == 1:
            return
        await self._table.ask(DealerCardDealt(dealt.dealer_hands[0], 0, DEALER))
        if dealt.dealer_hands[0].startswith("A"):
            for wager in [wager for wager in rules.layout_wagers if wager.dealer_hand]:
                for seat in rules.seats:
                    lying = {rules.base_wager.name, *self._bench.state.side.get(seat, SideWagers()).amounts}
                    if luck.random() < SIDE_WAGERS and wager.needs and lying & {*wager.needs.any_of}:
                        await self._table.ask(WagerPlaced(seat, wager.name, 1_00))
        await self._table.ask(DealerCardDealt(dealt.dealer_hands[1], 1, DEALER))

    async def _next_hand(self, dealt: "RoundCards") -> bool:
        """Once everything is settled, the dealer plays his next hand, if somebody has a wager on it."""
        hand = len(self._bench.state.dealer_hands)
        if not 1 < hand <= self._table.rules.dealer_hands or not layout(
            self._table.rules, self._bench.state
        ).is_hand_played(hand):
            return False
        await self._table.ask(DealerCardDealt(dealt.dealer_hands[hand], hand, DEALER))
        return True

    async def _do(self, act: Act) -> None:
        """What people do at the turn that has come."""
        match act:
            case AskSeats(seats=seats):
                await self._table.ask(NoWinShown(seats, DEALER))
            case AskSharers():
                await self._table.ask(HandsAllShown(DEALER))
            case Validate(standing=standing):
                seat = standing.turn.holder or standing.turn.seat.number
                await self._validate(seat, standing.turn.wager.name)
            case Pay(standing=standing):
                await self._pay(standing.turn)
            case AskDisplay(standing=standing):
                await self._table.ask(BonusDisplayed(standing.turn.seat.number, DISPLAYED_CENTS))
            case AskMeter() | AwaitMeter():
                rules = self._table.rules
                await self._bench.until(lambda: act_of_round(rules, self._bench.state) != act, "no award is fixed")

    async def _pay(self, turn: Turn) -> None:
        """Pays a turn, once everybody who shares it is validated."""
        seat, state = turn.seat.number, self._bench.state
        if turn.holder:
            for envy in state.envy_due:
                if envy.seat == seat:
                    self._note(seat, f"envy_{envy.hand}", envy.amount_cents)
            await self._table.ask(EnvyPaid(seat, DEALER))
            return
        for claim in state.claims:
            if claim.state is ClaimState.SHARING and not claim.validated_by:
                await self._validate(claim.seat, claim.wager)
        await self._bench.until(self._is_agreed, "the meter does not agree with a validation")
        paid = state.claim(seat, turn.wager.name)
        assert paid is not None
        await self._table.ask(PayoutConfirmed(seat, DEALER, turn.wager.name, self._proof("pay", DEALER, paid)))
        if paid.source == "cage":
            await self._table.ask(PapersCompleted(seat, DEALER))
        self._note(seat, paid.hand, paid.amount_cents, deducted=paid.deducted)

    async def _validate(self, seat: int, wager: str) -> None:
        proof = self._proof("validate", SUPERVISOR, self._bench.state.claim(seat, wager))
        await self._table.ask(ClaimValidated(seat, SUPERVISOR, wager, proof))

    def _proof(self, act: str, name: str, claim: Claim | None) -> str:
        """What this person's PIN proves to the meter, where the claim is paid from it."""
        if claim is None or not claim.deducted:
            return ""
        settings, who = self._bench.settings, self._secrets[name]
        link, table, journal = settings.link.name, settings.table, self._table.journal.id
        order = order_to_prove(act, self._bench.state, claim, link=link, table=table, journal=journal)
        return prove(who.number, who.secret, order)

    def _is_agreed(self) -> bool:
        return all(claim.is_agreed for claim in self._bench.state.open_claims if claim.validation_seq)

    def _note(self, seat: int, hand: str, amount_cents: Cents, *, deducted: bool = False) -> None:
        name, number = self._bench.settings.table, self._bench.state.round
        self.payouts.append(PaidOut(name, number, seat, hand, amount_cents, deducted))

    def _count(self, _event: Event, step: RoundStep) -> None:
        self.refusals += step.refusal is not None


async def play(floor: DemoFloor, *, rounds: int, seed: int) -> DemoResult:
    """Plays rounds at every table in turn, so that the same seed gives the same meter."""
    players = [Player(table, seed, floor.secrets) for table in floor.tables.values()]
    for number in range(1, rounds + 1):
        for player in players:
            await player.play_round(number)
    await _booked(floor)
    return DemoResult(
        seed=seed,
        rounds=rounds,
        tables=len(players),
        wagers=sum(player.wagers for player in players),
        coupons=sum(player.coupons for player in players),
        refusals=sum(player.refusals for player in players),
        payouts=[payout for player in players for payout in player.payouts],
        meter=_meter(floor),
    )


async def _booked(floor: DemoFloor) -> None:
    """Waits until the meter has every entry on disk, has settled every award, and has spoken since."""
    for table in floor.tables.values():
        assert table.assembly is not None
        while await table.assembly.table.waiting():
            table.assembly.client.wake()
            await table.pass_time(0.01)
    told_ms = time.time_ns() // 1_000_000
    any_table = next(iter(floor.tables.values()))
    await any_table.until(lambda: floor.state().at_ms > told_ms, "the meter is silent")
    assert not floor.state().pending, "the meter holds a payout"


def _meter(floor: DemoFloor) -> Meter:
    state = floor.state()
    return Meter(
        base_cents=state.base_cents,
        in_cents=state.in_cents,
        contribution_cents=state.contribution_cents,
        carry=state.carry,
        deducted_cents=state.deducted_cents,
        refill_cents=state.refill_cents,
        amount_cents=state.amount_cents,
    )
