"""Lights report of a table: what its lights show and where its round stands, for the floor."""

import asyncio
from collections.abc import Callable
from typing import Final

from common.tls import PagesTls
from controller.table.loop import TableLoop
from drivers.mqtt.client import Outbound
from games.round.effects import Light
from games.round.outputs import outputs, takes_chips
from games.round.state import ClaimState, Phase, RoundState
from games.round.table_rules import TableRules
from link.messages import VERSION, TableLights, TableWord, encode
from link.topics import lights_topic

SHORTEST_S: Final = 0.25  # between two reports: a floor of hundreds of tables has one meter
_WORDS: Final[dict[Phase, TableWord]] = {
    Phase.CLOSED: "closed",
    Phase.OPEN: "open",
    Phase.LOCKED: "counting",
    Phase.COUNTING: "counting",
    Phase.COUNTED: "in_play",
    Phase.IN_PLAY: "in_play",
    Phase.SETTLING: "settling",
    Phase.VOIDED: "void",
    Phase.ENDED: "over",
}


def page_address(tls: PagesTls | None, port: int, host: str) -> str:
    """Where this table's pages are found: over the network if it has pages there, else at its own screen alone."""
    if tls is None:
        return f"http://127.0.0.1:{port}" if port else ""
    named = host if tls.host in ("0.0.0.0", "::") else tls.host  # noqa: S104  to compare
    return f"https://{f'[{named}]' if ':' in named else named}:{tls.port}"


def lights_of(rules: TableRules, state: RoundState, table: str, page: str = "") -> TableLights:
    """What the table shows now."""
    shown = outputs(rules, state).lights

    def having(light: Light) -> tuple[int, ...]:
        return tuple(seat for seat in rules.seats if shown[seat] is light)

    return TableLights(
        v=VERSION,
        table=table,
        round=state.round,
        word=word_of(rules, state),
        seats=max(rules.seats),
        lit=having(Light.LIT),
        open=having(Light.OPEN),
        look=having(Light.LOOK),
        chips=state.counted,
        page=page,
    )


def word_of(rules: TableRules, state: RoundState) -> TableWord:
    """Where the table stands, in one word; what is broken comes first, then the money, then the round."""
    if any(fault.seat == 0 for fault in state.faults.values()):
        return "fault"
    if state.is_miscounted:
        return "differs"
    claims = {claim.state for claim in state.open_claims}
    if claims & {ClaimState.FIXED, ClaimState.CHECKING}:
        return "supervisor"
    if ClaimState.VALIDATED in claims or state.envy_due or state.refunds_due:
        return "paying"
    if state.phase is Phase.OPEN and not takes_chips(rules, state):
        return "no_wagers"
    return _WORDS[state.phase]


class LightsReport:
    """Says what the table shows: at once, but not more often than anybody can follow."""

    def __init__(self, table: TableLoop, *, link: str, name: str, page: Callable[[], str]) -> None:
        self._table, self._link, self._name, self._page = table, link, name, page
        self._changed = asyncio.Event()
        self._said: TableLights | None = None
        table.watch(lambda _event, _step: self._changed.set())

    def went_up(self) -> None:
        """Connected: what was said before may be lost."""
        self._said = None
        self._changed.set()

    async def run(self, mqtt: Outbound) -> None:
        """Reports each change, for ever."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            shown = lights_of(self._table.rules, self._table.state, self._name, self._page())
            if shown != self._said:
                self._said = shown
                mqtt.publish(lights_topic(self._link, self._name), encode(shown), retain=True)
            await asyncio.sleep(SHORTEST_S)
