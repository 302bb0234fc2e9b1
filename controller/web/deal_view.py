"""The deal in words: bank, start position, hands set the house way, vigorish and the centre."""

from collections.abc import Iterator

from msgspec import Struct

from controller.web.text import spoken
from games.money import dollars
from games.round.deal import centre, house_choices, house_way, start
from games.round.state import Deal, RoundState
from games.round.table_rules import TableRules
from games.showdown.pai_gow.start import place
from games.showdown.pai_gow.vigorish import vigorish


class DealLine(Struct, frozen=True):
    """One thing that the dealer announces or does, and its clause."""

    words: str
    rule: str


def deal_lines(rules: TableRules, state: RoundState) -> tuple[DealLine, ...]:
    """Everything there is to say of this round's deal, in the order it happens."""
    return (*_bank(state.deal), *_start(rules, state), *_set(rules, state.deal), *_won(rules, state.deal))


def _bank(deal: Deal) -> Iterator[DealLine]:
    bank = deal.bank
    if bank is not None and bank.co_bank:
        yield DealLine(f"Seat {bank.seat} and the house bank, half and half; the dealer sets that hand", "11.10(e)")
    elif bank is not None:
        wager = dollars(bank.dealer_wager_cents) if bank.dealer_wager_cents else "nothing"
        yield DealLine(f"Seat {bank.seat} banks; the dealer wagers {wager} against it", "11.10(g)")


def _start(rules: TableRules, state: RoundState) -> Iterator[DealLine]:
    begins = start(rules, state)
    if begins is not None:
        yield DealLine(f"First cards to {place(begins.position)}: {begins.reason}", begins.rule)


def _set(rules: TableRules, deal: Deal) -> Iterator[DealLine]:
    for seat, cards in sorted(deal.set_cards.items()):
        hands = house_way(rules, seat, cards)
        high = f"high {' '.join(hands.high)} ({spoken(hands.high_hand or '')})"
        low = f"low {' '.join(hands.low)} ({spoken(hands.low_hand or '')})"
        yield DealLine(f"House way, {place(seat)}: {high}, {low}; {hands.reason}", hands.rule)


def _won(rules: TableRules, deal: Deal) -> Iterator[DealLine]:
    """What is paid one to one, and what the winner pays of it; with a bank, how the centre is settled."""
    for seat, cents in sorted(deal.won.items(), reverse=True):
        due = dollars(vigorish(cents, house_choices(rules).vigorish))
        rule = "11.9(i), (j)" if deal.bank is None else "11.10(o)"
        yield DealLine(f"Seat {seat}: pay {dollars(cents)}, collect {due} vigorish", rule)
    settled = centre(rules, deal)
    if settled is not None:
        parts = {
            "from the bank": settled.from_bank_cents,
            "from the rack": settled.from_house_cents,
            "to the rack": settled.to_house_cents,
            "vigorish": settled.vigorish_cents,
            "to the bank": settled.to_bank_cents,
        }
        words = ", ".join(f"{dollars(cents)} {name}" for name, cents in parts.items() if cents) or "nothing is over"
        yield DealLine(f"Centre: {words}", settled.rule)
