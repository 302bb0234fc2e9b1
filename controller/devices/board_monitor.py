"""Board monitor: health of the board and its cabinet, looked at regularly; every alarm is journaled and shown."""

import asyncio
from pathlib import Path
from typing import Final

from common.board_health import BoardFiles, BoardHealth, HealthAlarm, alarms
from common.clock import Clock
from controller.settings.cabinet import CABINET_DOOR, CLOCK_BATTERY, CabinetSettings
from controller.table.loop import TableLoop
from games.round.events import PanelUsed

BOARD: Final = "board"
"""Who raises these alarms, in the journal."""
LOOK_EVERY_S: Final = 30.0
FIRST_LOOK_S: Final = 1.0
"""Contacts have been heard by then."""
QUIET_LOOKS: Final = 10
"""An alarm is over when its cause was gone for so many looks: a value at its limit fills no journal."""
_DOOR: Final = HealthAlarm(CABINET_DOOR, "open, or its cable is cut", "Ask who opened the cabinet; shut it.")
_BATTERY: Final = HealthAlarm(CLOCK_BATTERY, "low", "Replace the battery of the board's clock.")


class BoardMonitor:
    """Keeps the last health of a board and what is wrong with it; without files only the cabinet's contacts."""

    def __init__(
        self, table: TableLoop, clock: Clock, files: BoardFiles | None, state_dir: Path, cabinet: CabinetSettings
    ) -> None:
        self._table, self._clock, self.files, self._state_dir = table, clock, files, state_dir
        self.health: BoardHealth | None = None
        self._is_door_open = cabinet.door is not None  # until its contact says that it is shut
        self._is_battery_low = False
        self._standing: dict[str, HealthAlarm] = {}
        self._gone_for: dict[str, int] = {}

    @property
    def alarms(self) -> tuple[HealthAlarm, ...]:
        """What a person must act on now."""
        return tuple(self._standing.values())

    def hear_contact(self, name: str, on: bool) -> None:
        """A contact of the cabinet changed; a door is news at once."""
        if name == CABINET_DOOR:
            self._is_door_open = not on
        else:
            self._is_battery_low = on
        self._judge()
        if name == CABINET_DOOR and on and name in self._standing:
            self._end(name)

    async def look(self) -> None:
        """Reads the board's files, beside the loop: a failing disk keeps no chip waiting."""
        if self.files is not None:
            self.health = await asyncio.to_thread(self.files.read, self._state_dir)
        self._judge()
        for part in [part for part, looks in self._gone_for.items() if looks >= QUIET_LOOKS]:
            self._end(part)

    async def run(self) -> None:
        """Looks for ever."""
        wait_s = FIRST_LOOK_S
        while True:
            due = asyncio.Event()
            self._clock.call_at(self._clock.now() + wait_s, due.set)
            await due.wait()
            await self.look()
            wait_s = LOOK_EVERY_S

    def _judge(self) -> None:
        found = {alarm.part: alarm for alarm in alarms(self.health)} if self.health is not None else {}
        found |= {CABINET_DOOR: _DOOR} if self._is_door_open else {}
        found |= {CLOCK_BATTERY: _BATTERY} if self._is_battery_low else {}
        for part, alarm in found.items():
            if part not in self._standing:
                self._table.post(PanelUsed(BOARD, "alarm", f"{part}: {alarm.words}"))
            self._standing[part] = alarm
        self._gone_for = {part: self._gone_for.get(part, 0) + 1 for part in self._standing if part not in found}

    def _end(self, part: str) -> None:
        del self._standing[part]
        self._gone_for.pop(part, None)
        self._table.post(PanelUsed(BOARD, "alarm over", part))
