"""What a visitor of the demo sees of one table: its pins, its chips, its journal's last lines and its cards."""

from collections import deque
from typing import Any, Final

from common.words import DOLLARS, PageWords
from controller.assembly import Assembly
from controller.settings.device_names import LOCK_OUT
from controller.web.actions import table_offers
from controller.web.band import BandDesk
from controller.web.event_text import event_sentence
from controller.web.pin_levels import read_lines
from controller.web.replay import time_words
from controller.web.text import told
from demo.cards import DealtCards, hand_size
from demo.table import SimulatedTable
from games.round.events import Event
from games.round.layout import act_of_meter, act_of_round
from games.round.state import RoundState
from games.round.step import RoundStep
from games.settlement.walk import AskDisplay, AskSharers

TAIL: Final = 8
_WORDS: Final = PageWords("band", DOLLARS).of()


class VisitorView:
    """Looks at the metal, never at wishes; the last events are those that the journal has."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        self._watched: Assembly | None = None
        self._banded: RoundState | None = None
        self._sentence = ""
        self._tail: deque[dict[str, Any]] = deque(maxlen=TAIL)

    def look(self, dealt: DealtCards | None) -> dict[str, Any]:
        """The table at this moment."""
        table, rules = self._table, self._table.settings.rules
        self._attend()
        seen = {
            "dead": table.assembly is None,
            "lit": {seat: table.metal.is_lit(seat) for seat in rules.seats},
            "gates": {seat: table.metal.gate_is_open(seat) for seat in rules.seats},
            "lamp": table.metal.lamp_is_lit(LOCK_OUT),
            "pins": [(line.line, line.device, line.active) for line in read_lines(table.settings, table.pins)],
            "bounced": len(table.metal.chips_bounced),
            "hopper": table.hopper_metal.stock,
            "racked": table.hopper_metal.given,
            "tail": list(self._tail),
            "size": (rules.community_size, hand_size(rules)),
            "hands": [line.hand for line in rules.pay_table.lines],
            "side": [(wager.name, wager.name == "number") for wager in rules.layout_wagers if not wager.dealer_hand],
        }
        if table.assembly is None:
            return seen
        now = dealt if dealt and dealt.round == table.state.round else None
        state = {"state": table.assembly.look(), "port": table.assembly.port, "dealt": now}
        return seen | state | {"panel": self._panel_says(table.assembly)} | self._meter_words(table.assembly)

    def _panel_says(self, assembly: Assembly) -> str:
        """The sentence of the panel's band, asked anew when the table has moved on."""
        rules, state = assembly.table.rules, assembly.table.state
        if state is not self._banded:
            self._banded = state
            self._sentence = BandDesk(rules, state, table_offers(rules, state), _WORDS).band().sentence
        return self._sentence

    def _meter_words(self, assembly: Assembly) -> dict[str, bool | int]:
        """Why nobody is paid yet: another table claims, too, or comes first; or another hand here may share."""
        state, meter, rules = assembly.table.state, assembly.client.state, assembly.table.rules
        claims = [claim for claim in state.open_claims if claim.percent_bp]
        pending = meter.pending if meter else ()
        contested = any(award.contested and award.table == assembly.settings.table for award in pending)
        act = act_of_meter(rules, state) if state.open_claims else None
        return {
            "held": bool(state.held and claims),
            "contested": bool(state.held and claims and contested),
            "look_first": isinstance(act, AskSharers),
            "display": self._display(assembly),
        }

    @staticmethod
    def _display(assembly: Assembly) -> int:
        """The seat whose bonus the display must show now, or none."""
        rules, state = assembly.table.rules, assembly.table.state
        act = act_of_round(rules, state) if state.named or state.cards else None
        return act.standing.turn.seat.number if isinstance(act, AskDisplay) else 0

    def _attend(self) -> None:
        """After a power cut there is a new controller to listen to."""
        assembly = self._table.assembly
        if assembly is not None and assembly is not self._watched:
            assembly.table.watch(self._note)
        self._watched = assembly

    def _note(self, event: Event, step: RoundStep) -> None:
        self._tail.append(
            {
                "at": time_words(self._table.pins.clock.wall_ms())[11:],
                "told": event_sentence(event),
                "refused": told(step.refusal).reason if step.refusal else "",
            }
        )
