"""The deal in words: bank, start position, hands set the house way, vigorish and the centre."""

from collections.abc import Iterator

from msgspec import Struct

from common.words import Words
from controller.web.text import IN_ENGLISH, place_words
from games.round.deal import centre, house_choices, house_way, start
from games.round.state import Deal, RoundState
from games.round.table_rules import TableRules
from games.showdown.pai_gow.vigorish import vigorish


class DealLine(Struct, frozen=True):
    """One thing that the dealer announces or does, and its clause."""

    words: str
    rule: str


def deal_lines(rules: TableRules, state: RoundState, words: Words = IN_ENGLISH) -> tuple[DealLine, ...]:
    """Everything there is to say of this round's deal, in the order it happens."""
    deal = state.deal
    return (
        *_bank(deal, words),
        *_start(rules, state, words),
        *_set(rules, deal, words),
        *_won(rules, deal, words),
    )


def _bank(deal: Deal, words: Words) -> Iterator[DealLine]:
    bank = deal.bank
    if bank is not None and bank.co_bank:
        yield DealLine(words.say("co_bank", seat=bank.seat), "11.10(e)")
    elif bank is not None:
        key = "bank_wagered" if bank.dealer_wager_cents else "bank_alone"
        yield DealLine(words.say(key, seat=bank.seat, amount=bank.dealer_wager_cents), "11.10(g)")


def _start(rules: TableRules, state: RoundState, words: Words) -> Iterator[DealLine]:
    begins = start(rules, state)
    if begins is not None:
        where = place_words(begins.position, words)
        yield DealLine(words.say("first_cards", place=where, reason=begins.reason), begins.rule)


def _set(rules: TableRules, deal: Deal, words: Words) -> Iterator[DealLine]:
    for seat, cards in sorted(deal.set_cards.items()):
        hands = house_way(rules, seat, cards)
        high = {"high": hands.high, "high_hand": hands.high_hand or ""}
        low = {"low": hands.low, "low_hand": hands.low_hand or ""}
        where = place_words(seat, words)
        yield DealLine(words.say("house_way", place=where, reason=hands.reason, **high, **low), hands.rule)


def _won(rules: TableRules, deal: Deal, words: Words) -> Iterator[DealLine]:
    """What is paid one to one, and what the winner pays of it; with a bank, how the centre is settled."""
    for seat, cents in sorted(deal.won.items(), reverse=True):
        due = vigorish(cents, house_choices(rules).vigorish)
        rule = "11.9(i), (j)" if deal.bank is None else "11.10(o)"
        yield DealLine(words.say("pay_and_collect", seat=seat, amount=cents, due=due), rule)
    settled = centre(rules, deal)
    if settled is not None:
        parts = {
            "centre_from_bank": settled.from_bank_cents,
            "centre_from_rack": settled.from_house_cents,
            "centre_to_rack": settled.to_house_cents,
            "centre_vigorish": settled.vigorish_cents,
            "centre_to_bank": settled.to_bank_cents,
        }
        said = words.listed(words.say(part, amount=cents) for part, cents in parts.items() if cents)
        yield DealLine(words.say("centre_line", parts=said or words.say("centre_even")), settled.rule)
