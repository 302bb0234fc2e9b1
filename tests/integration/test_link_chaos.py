"""A floor with a killer: broker and meter die at random moments, and afterwards every cent agrees."""

import asyncio
import http.client
import random
from contextlib import suppress
from fractions import Fraction

import pytest

from drivers.mqtt.settings import BrokerSettings
from link.messages import Award, Envelope, FixedAward, Payout, Release, Wagers
from meter.ledger.records import Entered, Record, read_record
from meter.store.audit import audited
from meter.store.sqlite import SqliteStore
from tests.support.meter.link_bench import BrokerProcess
from tests.support.meter.meter_bench import with_cards
from tests.support.meter.meter_process import BASE_CENTS, RATE_BP, LinkTable, MeterProcess

TABLES = ("T1", "T2", "T3", "T4")
KILLS = 6
PACE_S = 0.02
ENOUGH = 25  # entries of each table


class Player:
    """Plays rounds at one table: wagers all the time, now and then a prize that is paid or rejected."""

    def __init__(self, table: LinkTable, seed: str) -> None:
        self.table = table
        self._luck = random.Random(seed)
        self.amounts: dict[int, FixedAward] = {}

    async def play(self, closing: asyncio.Event) -> None:
        while not closing.is_set():
            seats = sorted(self._luck.sample(range(1, 8), self._luck.randint(1, 7)))
            self.table.wager(*seats)
            if self._luck.random() < 0.1:
                await self._award(seats[0])
            await asyncio.sleep(PACE_S * self._luck.random())
        await self.table.booked()

    def has_played(self) -> bool:
        """Whether there is enough to audit."""
        return len(self.table.entries) >= ENOUGH

    async def _award(self, seat: int) -> None:
        claim = self._luck.choice(
            [Award(1, seat, "flush", fixed_cents=50_00), with_cards(Award(1, seat, "straight_flush", percent_bp=1_000))]
        )
        seq = self.table.claim(claim)
        await self.table.until(lambda: seq in self._heard())
        paid = self._luck.random() < 0.7
        if paid:
            self.table.pay(seq, self.amounts[seq].amount_cents)
        else:
            self.table.enter(Release(seq, "misread", "supervisor"))

    def _heard(self) -> dict[int, FixedAward]:
        """Every amount that a reply has named; the same award never has two."""
        for reply in self.table.replies:
            assert reply.refusal == ""
            for award in reply.awards:
                assert self.amounts.setdefault(award.seq, award) == award
        self.table.replies.clear()
        return self.amounts


async def manage(meter: MeterProcess) -> None:
    """28.11(i): whenever percentages are claimed at several tables, management enters their order."""
    while True:
        with suppress(OSError, http.client.HTTPException):
            view = await meter.look()
            if any(award["contested"] for award in view["state"]["pending"]):
                order = [{key: claim[key] for key in ("table", "journal", "seq")} for claim in view["contest"]]
                await meter.decide({"type": "OrderClaims", "order": order})
        await asyncio.sleep(PACE_S)


async def kill_at_random(broker: BrokerProcess, meter: MeterProcess, luck: random.Random) -> None:
    """Kills broker, meter or both, without warning, and starts them again."""
    for _ in range(KILLS):
        await asyncio.sleep(luck.uniform(0.05, 0.5))
        victims = luck.choice(["broker", "meter", "both"])
        if victims != "meter":
            broker.kill()
        if victims != "broker":
            meter.kill()
        await asyncio.sleep(luck.uniform(0.0, 0.2))
        if victims != "broker":
            await meter.start()
        if victims != "meter":
            await asyncio.to_thread(broker.start)


@pytest.mark.parametrize("seed", [20_261_116])
@pytest.mark.timeout(600)
async def test_every_cent_agrees_whatever_is_killed(broker: BrokerProcess, meter: MeterProcess, seed: int) -> None:
    """Each entry of each journal is in the ledger once and in order, each amount is the one the table heard (R43)."""
    closing = asyncio.Event()
    players = [Player(LinkTable(name, BrokerSettings("127.0.0.1", broker.port)), f"{seed}/{name}") for name in TABLES]
    await meter.start()
    management = asyncio.create_task(manage(meter))
    async with asyncio.TaskGroup() as floor:
        for player in players:
            await player.table.__aenter__()
            floor.create_task(player.play(closing))
        await kill_at_random(broker, meter, random.Random(seed))
        await asyncio.gather(*(player.table.until(player.has_played) for player in players))
        closing.set()
    management.cancel()
    for player in players:
        await player.table.__aexit__()
    assert await meter.stop() == 0
    assert_books_agree(meter, players)


def assert_books_agree(meter: MeterProcess, players: list[Player]) -> None:
    """Reads the ledger as an auditor does, and compares it with what the tables know."""
    store = SqliteStore(meter.store)
    pot = audited(store, "main").head.pot
    records = [read_record(row.body) for row in store.records("main")]
    store.close()
    entered = {(e.table, e.seq): record for record in records if (e := _envelope(record))}
    journals = [entry for player in players for entry in player.table.entries]
    booked = [envelope for record in records if (envelope := _envelope(record))]
    for player in players:
        assert [envelope for envelope in booked if envelope.table == player.table.name] == player.table.entries
    chips = sum(len(e.entry.seats) for e in journals if isinstance(e.entry, Wagers))
    amounts = {(p.table.name, seq): award for p in players for seq, award in p.amounts.items()}
    answers = {key: record.answer for key, record in entered.items() if record.answer}
    assert answers == {key: amounts[key] for key in answers}  # the others waited for management's word
    paid = [amounts[e.table, e.entry.award_seq] for e in journals if isinstance(e.entry, Payout)]
    taken = sum(award.amount_cents - award.house_funded_cents for award in paid)
    assert paid
    assert pot.amount_cents + pot.carry == BASE_CENTS + Fraction(chips * 100 * RATE_BP, 10_000) - taken
    assert (pot.chips, pot.hits, pot.awards) == (chips, len(paid), ())


def _envelope(record: Record) -> Envelope | None:
    return record.cause.envelope if isinstance(record.cause, Entered) else None
