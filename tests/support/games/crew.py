"""A crew that plays a whole round at a table on paper, in any order that the rules allow, beside a meter on paper."""

from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from games.money import part_up
from games.round.effects import FixAward, Light, ReleaseAward
from games.round.events import (
    AreasHeld,
    AwardFixed,
    BonusDisplayed,
    ChipPlaced,
    ChipsCounted,
    ClaimValidated,
    DealerCardDealt,
    EndOfRoundPressed,
    EnvyPaid,
    HandClaimed,
    HandsAllShown,
    HandShown,
    LockOutPressed,
    NoWinShown,
    NumberDrawn,
    PapersCompleted,
    PayoutConfirmed,
    SeatFolded,
    SideChipPlaced,
    WagerPlaced,
    WagersRegistered,
)
from games.round.layout import act_of_round
from games.round.outputs import outputs
from games.round.state import ClaimState, RoundState
from games.round.table_rules import TableRules
from games.settlement import PlayedRound, Seat, Settlement, settle
from games.settlement.walk import Act, AskDisplay, AskMeter, AskSeats, AskSharers, AwaitMeter, Pay, Standing, Validate
from tests.support.games.pit import PaperTable

_OF_NO_HAND = {"envy", "number", "first_insurance", "second_insurance", "third_insurance"}


class Meter:
    """A meter on paper: it answers when it is asked to, and takes back what is released."""

    def __init__(self, cents: int, reset_cents: int) -> None:
        self.cents, self._reset, self._read = cents, reset_cents, 0
        self._taken: dict[int, int] = {}

    def answer(self, table: PaperTable) -> bool:
        """Reads every entry that it has not read yet; whether it had anything to say."""
        spoke = False
        while self._read < len(table.entries):
            order = table.entries[self._read]
            self._read += 1
            if isinstance(order.entry, ReleaseAward):
                self.cents += self._taken.pop(order.entry.award_seq, 0)
            elif isinstance(order.entry, FixAward) and not _is_released(table, order.seq):
                table.must(self._fixed(order.seq, order.entry))
                spoke = True
        return spoke

    def _fixed(self, seq: int, asked: FixAward) -> AwardFixed:
        before = self.cents
        amount = part_up(before, asked.percent_bp) or asked.fixed_cents
        self.cents = self._reset if asked.percent_bp == 10_000 else max(before - amount, 0)
        self._taken[seq] = before - self.cents
        return AwardFixed(seq, amount, before, self.cents, max(amount - before, 0))


def _is_released(table: PaperTable, seq: int) -> bool:
    entries = (order.entry for order in table.entries)
    return any(isinstance(entry, ReleaseAward) and entry.award_seq == seq for entry in entries)


class PaidLine(Struct, frozen=True):
    """What somebody was paid at the table."""

    seat: int
    wager: str
    hand: str
    amount_cents: int
    deducted: bool = False
    source: str = "rack"


class Crew:
    """A dealer who tells what is so, when he is asked or when he likes, with a supervisor and a meter beside him."""

    def __init__(self, played: PlayedRound, luck: Random, table: PaperTable | None = None) -> None:
        self.played, self.luck, self.settlement = played, luck, settle(played)
        rules = rules_of(played)
        self.table = table or PaperTable(replace(rules, sensors=_some_sensors(rules, luck)))
        self.meter = Meter(played.meter_cents, played.reset_cents)
        self.paid: list[PaidLine] = []
        self.told: set[int] = set()

    def play(self) -> None:
        """The whole round; the book is read back from its bytes between any two steps."""
        self._wager()
        while self._untold() or act_of_round(self.table.rules, self.table.state) or self._next_hand():
            self.table.state = _restarted(self.table.state)
            self._step()
            self._look_at_lights()
        self.table.must(EndOfRoundPressed())

    def _look_at_lights(self) -> None:
        """A sensor's light is lit exactly while its wager is neither paid nor forfeited."""
        rules, state = self.table.rules, self.table.state
        forfeits = {wager.name for wager in rules.layout_wagers if wager.fold.effect == "forfeits"}
        live = {
            (seat.number, name)
            for seat in self.played.seats
            for name in seat.wagers
            if rules.has_sensor(seat.number, name)
            and not state.is_paid(seat.number, name)
            and not (seat.number in state.folded and name in forfeits)
        }
        assert live == {at for at, light in outputs(rules, state).wager_lights.items() if light is Light.LIT}

    def play_as_led(self) -> None:
        """The whole round, every hand told first, then only what the panel asks for."""
        self._wager()
        for seat in self._untold():
            self._tell(seat)
        while act := self._act():
            self._do(act)

    def _wager(self) -> None:
        events: list[Any] = []
        for seat in self.played.seats:
            events += [ChipPlaced(seat.number)] if "progressive" in seat.wagers else []
            events += [WagerPlaced(seat.number, "number", cents, number) for number, cents in seat.numbers.items()]
            for name, cents in seat.wagers.items():
                wager = self.table.rules.layout_wager(name)
                if wager and name != "number" and not wager.dealer_hand:
                    events.append(WagerPlaced(seat.number, name, cents))
        first = [event for event in events if getattr(event, "wager", "") in {"pair_plus", "third_wager"}]
        others = [event for event in events if event not in first]
        for event in (*first, *self.luck.sample(others, len(others))):
            if isinstance(event, WagerPlaced) and self.table.rules.has_sensor(event.seat, event.wager):
                self.table.must(SideChipPlaced(event.seat, event.wager))
            self.table.must(event)
        held = [seat.number for seat in self.played.seats if seat.player]
        self.table.must(*([AreasHeld(tuple(held))] if held else []))
        self.table.must(LockOutPressed(), ChipsCounted(self.table.state.chips_due))
        if self.table.state.wagers:
            self.table.must(WagersRegistered(self.table.state.wagers_seq))
        if self.table.rules.draws_number and self.played.number_drawn is not None:
            self.table.must(NumberDrawn(self.played.number_drawn))

        if self.table.rules.dealer_hands > 1:
            self._insure()

    def _insure(self) -> None:
        """Beside the ace players insure any of their wagers; then the first hand has its second card."""
        up, first = map(str, self.played.dealer[:2])
        self.table.must(DealerCardDealt(up))
        for seat in self.played.seats:
            laid = [name for name in seat.wagers if name.endswith("insurance")]
            self.table.must(*(WagerPlaced(seat.number, name, seat.wagers[name]) for name in laid))
            self.table.must(*([SeatFolded(seat.number)] if seat.folded else []))
        self.table.must(DealerCardDealt(first, 1))

    def _next_hand(self) -> bool:
        """Once everything is told and settled, the dealer plays his next hand; whether there was one."""
        hand = len(self.table.state.dealer_hands)
        if self.table.rules.dealer_hands == 1 or hand >= len(self.played.dealer):
            return False
        self.table.must(DealerCardDealt(str(self.played.dealer[hand]), hand))
        return True

    def _step(self) -> None:
        """One of the things that can happen now."""
        untold = self._untold()
        if untold and self.luck.random() < 0.5:
            self._tell(self.luck.choice(untold))
        elif self.luck.random() < 0.3 and self._pay_any_from_the_rack():
            return
        elif act := act_of_round(self.table.rules, self.table.state):
            self._do(act)
        elif untold:
            self._tell(untold[0])

    def _act(self) -> Act | None:
        """What comes next; the bonus button only after the last of the dealer's hands."""
        act = act_of_round(self.table.rules, self.table.state)
        is_last = act is None or isinstance(act, AskDisplay)
        return self._act() if is_last and self._next_hand() else act

    def _untold(self) -> list[Seat]:
        """The seats that fold, win or are envied, and of which nothing was said yet."""
        wins = {line.seat for line in self.settlement.payments if line.wager not in _OF_NO_HAND}
        worth = [seat for seat in self.played.seats if seat.folded or seat.number in wins or self._is_envied(seat)]
        return [seat for seat in worth if seat.number not in self.told]

    def _is_envied(self, seat: Seat) -> bool:
        envy = self.played.wager("envy")
        if self.table.rules.envy is None or envy is None or not self.played.is_shown(seat):
            return False
        return self.played.tables["envy"].line(envy.hand(seat.cards)) is not None

    def _tell(self, seat: Seat) -> None:
        """The dealer says that a seat folded, and enters its cards if they win or are envied."""
        self.told.add(seat.number)
        if seat.folded and seat.number not in self.table.state.folded:
            self.table.must(SeatFolded(seat.number))
        wins = [line.wager for line in self.settlement.payments if line.seat == seat.number]
        mine = [name for name in wins if name not in _OF_NO_HAND]
        words = tuple(map(str, seat.cards))
        if mine:
            flop = tuple(map(str, self.played.community[:3]))
            looked_at = "six_card_bonus" in self.table.rules.offers
            dealer = tuple(map(str, self.played.dealer)) if looked_at else ()
            if "three_card_bonus" in mine:  # settled before four more cards come
                self.table.must(HandClaimed(seat.number, words[:3], wager="three_card_bonus"))
            later = [name for name in mine if name != "three_card_bonus"]
            if later:
                wager = self.luck.choice(later)
                self.table.must(HandClaimed(seat.number, words, flop, wager=wager, dealer=dealer))
        elif self._is_envied(seat):
            self.table.must(HandShown(seat.number, words))

    def _do(self, act: Act) -> None:
        match act:
            case AskSeats(seats=seats):
                self._answer(self.luck.choice(seats))
            case AskSharers():
                for seat in self._untold():
                    self._tell(seat)
                self.table.must(HandsAllShown("Dan"))
            case AskDisplay(standing=standing):
                shown = standing.turn.seat.number
                cents = next(seat.displayed_cents for seat in self.played.seats if seat.number == shown)
                assert cents is not None
                self.table.must(BonusDisplayed(shown, cents))
            case Validate(standing=standing):
                whose = standing.turn.holder or standing.turn.seat.number
                self.table.must(ClaimValidated(whose, "Sue", standing.turn.wager.name))
            case Pay(standing=standing):
                self._pay(standing)
            case AskMeter() | AwaitMeter():
                assert self.meter.answer(self.table)

    def _answer(self, number: int) -> None:
        """What is so: the seat's cards if there is something to tell, and that it wins nothing if not."""
        seat = next(seat for seat in self.played.seats if seat.number == number)
        if seat in self._untold():
            self._tell(seat)
        else:
            self.table.must(NoWinShown((number,)))

    def _pay(self, standing: Standing) -> None:
        seat, wager, state = standing.turn.seat.number, standing.turn.wager.name, self.table.state
        if standing.turn.holder:
            self.table.must(EnvyPaid(seat, "Dan"))
            paid = [envy for envy in state.envy_due if envy not in self.table.state.envy_due]
            self.paid += [PaidLine(envy.seat, "envy", envy.hand, envy.amount_cents) for envy in paid]
            return
        for claim in state.claims:
            if claim.state is ClaimState.SHARING and not claim.validated_by:
                self.table.must(ClaimValidated(claim.seat, "Sue"))
        self._paid_out(seat, wager)

    def _pay_any_from_the_rack(self) -> bool:
        """What the meter has nothing to do with may be paid out of order."""
        claims = [claim for claim in self.table.state.open_claims if claim.is_to_be_paid and not claim.deducted]
        if not claims:
            return False
        claim = self.luck.choice(claims)
        self._paid_out(claim.seat, claim.wager)
        return True

    def _paid_out(self, seat: int, wager: str) -> None:
        claim = self.table.state.claim(seat, wager)
        assert claim is not None
        self.table.must(PayoutConfirmed(seat, "Dan", wager))
        if claim.source == "cage":
            self.table.must(PapersCompleted(seat, "Dan"))
        self.paid.append(PaidLine(seat, wager, claim.hand, claim.amount_cents, claim.deducted, claim.source))


def _some_sensors(rules: TableRules, luck: Random) -> tuple[tuple[int, str], ...]:
    """Some of the side wagers have a sensor of their own; the others are tapped."""
    names = [wager.name for wager in rules.layout_wagers if wager.name != "number" and not wager.dealer_hand]
    return tuple((seat, name) for seat in rules.seats for name in names if luck.random() < 0.3)


def _restarted(state: RoundState) -> RoundState:
    """The book as a table reads it back after a power cut."""
    again = msgspec.json.decode(msgspec.json.encode(state), type=RoundState)
    assert again == state
    return again


def rules_of(played: PlayedRound) -> TableRules:
    made = {name for seat in played.seats for name in seat.wagers}
    known = played.game.wagers_under(played.choices)
    side = [wager.name for wager in known if wager.needs and not wager.is_progressive]
    return TableRules(
        game=played.game,
        pay_table=played.tables["progressive"],
        stake_cents=played.stake_cents,
        seats=tuple(range(1, played.game.most_seats + 1)),
        decks=played.decks,
        offers=tuple(name for name in side if name in made),
        side_tables={name: table for name, table in played.tables.items() if name in made and name != "progressive"},
        settlement=played.settlement,
        choices=played.choices,
    )


def due(settlement: Settlement) -> list[PaidLine]:
    """What is to be paid, in paying order."""
    return [
        PaidLine(line.seat, line.wager, line.hand, line.amount_cents, line.deducted, line.source)
        for line in settlement.payments
    ]


def with_one_player_at_two_seats(played: PlayedRound, luck: Random) -> PlayedRound:
    """The same round where somebody holds two adjacent seats, if any are."""
    numbers = {seat.number for seat in played.seats}
    pairs = [(number, number + 1) for number in sorted(numbers) if number + 1 in numbers]
    if not pairs or not played.game.wager("envy"):
        return played
    held = luck.choice(pairs)
    seats = tuple(replace(seat, player="Pat") if seat.number in held else seat for seat in played.seats)
    return replace(played, seats=seats)
