"""Queries of the pages besides the event stream: seats, hands, evidence, replays, slips, pins."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from aiohttp import web
from msgspec import Struct

from common.paper_settings import PAPERS, PaperSettings
from common.web.guard import RequestGuard
from common.web.server import as_json, bad
from common.web.words import words_for
from common.words import ENGLISH, PageWords, Words
from controller.journal.file import JournalFault
from controller.table.loop import TableLoop
from controller.web.actions import seat_offers
from controller.web.evidence import evidence
from controller.web.replay import NoSuchRound, Replay, read_round
from controller.web.round_list import Wanted, read_rounds
from controller.web.slips import SIGNATURES, Slip, archived_before, facts, latest, read_slip
from controller.web.text import told
from controller.web.view import payments
from games.money import Cents
from games.round.events import HandClaimed
from games.round.step import handle

SLIPS_A_PAGE: Final = 20
_MOST_DIGITS: Final = 15
LONGEST_SEARCH: Final = 80
_P = ParamSpec("_P")
_T = TypeVar("_T")


class HandView(Struct, frozen=True):
    """What the evaluator says of cards: the hand, its pay and clause, or why not."""

    words: str = ""
    pay: str = ""
    rule: str = ""
    source: str = ""
    refusal: str = ""


class TableQueries:
    """Answers questions; nothing here changes anything."""

    def __init__(
        self,
        table: TableLoop,
        name: str,
        journal: Path,
        papers: PaperSettings,
        words: PageWords,
        *,
        meter_cents: Callable[[], Cents | None],
        contest: Callable[[], tuple[str, ...]],
    ) -> None:
        self._table, self._name, self._journal, self._papers = table, name, journal, papers
        self._words = words
        self._meter_cents, self._contest = meter_cents, contest

    async def seat(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """What can be done at one seat."""
        guard.require_look(request)
        seat = self._seat(request)
        offers = seat_offers(self._table.rules, self._table.state, seat, await words_for(request, self._words))
        return as_json({"seat": seat, "offers": offers})

    async def hand(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """What these cards are at this seat, and what they pay."""
        guard.require_look(request)
        seat = _whole(request.query.get("seat", ""), "seat")
        cards, community = (tuple(request.query.get(key, "").split()) for key in ("cards", "community"))
        return as_json(self._hand(HandClaimed(seat, cards, community), await words_for(request, self._words)))

    async def evidence(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """Everything that a supervisor looks at before he validates."""
        if not guard.local:  # at the own screen whoever stands there sees the table, too
            guard.require(request, "see evidence")
        seat, state = self._seat(request), self._table.state
        replay = await self._replay(state.round, await words_for(request, self._words))
        contest = self._contest() if state.held else ()
        meter_cents, words = self._meter_cents(), await words_for(request, self._words)
        found = evidence(replay, seat, words, community=state.community, meter_cents=meter_cents, contest=contest)
        if found is None:
            raise bad(f"seat {seat} has no claim", "seat", web.HTTPNotFound)
        return as_json(found)

    async def replay(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """A round, event by event."""
        guard.require(request, "see replay")
        asked = request.query.get("round", "")
        number = _whole(asked, "round") if asked else self._table.state.round
        replay = await self._replay(number, await words_for(request, self._words))
        return as_json({"latest": self._table.state.round, "replay": replay})

    async def rounds(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """The newest rounds that have what is looked for, or those before one of them."""
        guard.require(request, "see replay")
        asked = request.query
        before = _whole(asked.get("before", "9" * _MOST_DIGITS), "before")
        wanted = Wanted(
            asked.get("words", "")[:LONGEST_SEARCH],
            _whole(asked.get("from", "0"), "from"),
            _whole(asked.get("until", "9" * _MOST_DIGITS), "until"),
            only_awards="awards" in asked,
        )
        return as_json(await self._from_journal(read_rounds, self._journal, self._table.rules, before, wanted))

    async def slips(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """The newest slips, or those before one of them."""
        guard.require(request, "see slips")
        before = _whole(request.query.get("before", "9" * _MOST_DIGITS), "before")
        numbers = await self._from_journal(latest, self._journal, before, SLIPS_A_PAGE)
        oldest = min([before, *(number for number, _round in numbers)])
        archived = await self._from_journal(archived_before, self._journal, oldest)
        return as_json({"slips": [await self._slip(number) for number, _round in numbers], "archived": archived})

    async def slip(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """One slip, for its page."""
        guard.require(request, "see slips")
        slip = await self._slip(_whole(request.match_info["number"], "number"))
        house = {"property": self._papers.property, "address": self._papers.address}
        return as_json({"slip": slip, "facts": facts(slip), "signatures": SIGNATURES, "house": house})

    async def slip_pdf(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """One slip as PDF."""
        guard.require(request, "see slips")
        slip = await self._slip(_whole(request.match_info["number"], "number"))
        paper = request.query.get("paper", "")
        if paper and paper not in PAPERS:
            raise bad(f"no such paper; one of {', '.join(PAPERS)}", "paper")
        name = f'inline; filename="slip-{slip.table}-{slip.number:06}.pdf"'
        body = await asyncio.to_thread(_as_pdf, slip, self._papers, paper)
        return web.Response(body=body, content_type="application/pdf", headers={"Content-Disposition": name})

    def _hand(self, claim: HandClaimed, words: Words) -> HandView:
        """Asks the rules what the claim would be, and forgets it again."""
        rules = self._table.rules
        step = handle(rules, self._table.state, claim)
        if step.refusal is not None:
            why = told(step.refusal, words)
            return HandView(refusal=why.reason, rule=why.rule)
        made = next(
            line
            for line in payments(rules, step.state, words)
            if line.wager == "progressive" and line.seat == claim.seat
        )
        return HandView(words=made.hand, pay=made.amount, rule=made.rule, source=made.source)

    async def _replay(self, number: int, words: Words) -> Replay:
        return await self._from_journal(read_round, self._journal, self._name, self._table.rules, number, words)

    async def _slip(self, number: int) -> Slip:
        slip = await self._from_journal(
            read_slip, self._journal, self._name, self._table.rules, number, self._words.of(ENGLISH)
        )
        if slip is None:
            raise bad(f"there is no slip {number}", "number", web.HTTPNotFound)
        return slip

    async def _from_journal(self, read: Callable[_P, _T], *args: _P.args, **named: _P.kwargs) -> _T:
        """Reads beside the writer, in another thread, so that no wager waits for a page."""
        try:
            return await asyncio.to_thread(read, *args, **named)
        except NoSuchRound as missing:
            raise bad(str(missing), "round", web.HTTPNotFound) from missing
        except JournalFault as fault:
            raise bad(str(fault), "journal", web.HTTPServiceUnavailable) from fault

    def _seat(self, request: web.Request) -> int:
        seat = _whole(request.match_info["seat"], "seat")
        if seat not in self._table.rules.seats:
            raise bad(f"this table has no seat {seat}", "seat", web.HTTPNotFound)
        return seat


def _as_pdf(slip: Slip, papers: PaperSettings, paper: str) -> bytes:
    """A slip as PDF; its library takes a second of a board's start, so it is loaded with the first slip."""
    from controller.web.slip_pdf import slip_pdf

    return slip_pdf(slip, papers, paper)


def _whole(word: str, where: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS):
        raise bad("write a whole number", where)
    return int(word)
