"""Staff link of a table: takes the meter's directory, reports sign-ins, and asks the meter about remote ones."""

import asyncio
import re
import secrets
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from common.auth.authenticator import Vouched
from common.auth.directory import DirectoryFault
from common.auth.proof import OWN_PIN, ProvedOrder, prove, seal_pin
from common.log import Log
from controller.meter_link.client import MeterClient
from controller.meter_link.lights_report import LightsReport
from controller.meter_link.staff_copy import StaffCopy
from drivers.mqtt.client import Message, Outbound
from link import topics
from link.messages import VERSION, Garbled, SignInAnswer, SignInAsked, TableAlarm, decode, encode, shortened

TOTP_CODE: Final = re.compile(r"[0-9]{6}")
ANSWER_WITHIN_S: Final = 5.0
TOUCH_S: Final = 600.0
ALARM_EVERY_MS: Final = 10_000
"""At least so long between two alarms of wrong PINs: nobody who types at a page floods the link."""
NO_PIN_CHANGE: Final = "the meter does not answer, and it keeps the PINs: try again when the link is up"
NOT_HERE_YET: Final = "the meter has the new PIN, but this table does not know it yet: sign in with it in a moment"
NO_ANSWER: Final = "the meter does not answer: sign in at the table's own screen, or try again when the link is up"


class StaffLink:
    """Everything about people that passes between this table and the meter; a listener beside the meter client."""

    def __init__(
        self, copy: StaffCopy, *, link: str, table: str, journal: str, wall_ms: Callable[[], int], log: Log
    ) -> None:
        self._wall_ms = wall_ms
        self.copy, self._link, self._table, self._journal, self._log = copy, link, table, journal, log
        self._mqtt: Outbound | None = None
        self._newest: bytes | None = None
        self._news, self._taken = asyncio.Event(), asyncio.Event()
        self._answers: dict[str, asyncio.Future[str]] = {}
        self._observers: list[Callable[[], None]] = []
        self._is_up = self._meter_spoke = False
        self._warned, self._warnings, self._alarmed_ms = "", 0, -ALARM_EVERY_MS

    @property
    def topics(self) -> tuple[str, str]:
        """What this must hear."""
        return topics.staff_topic(self._link), topics.sign_in_answer_topic(self._link, self._table)

    @property
    def order(self) -> ProvedOrder:
        """What somebody stands by who signs in here."""
        return ProvedOrder("sign in", self._link, self._table, self._journal)

    def observe(self, changed: Callable[[], None]) -> None:
        """Calls this when another directory counts."""
        self._observers.append(changed)

    def heard(self, message: Message) -> None:
        """A message of the meter; one that is not retained proves that it lives, and so confirms the copy."""
        self._meter_spoke |= not message.retained
        self._raise_alarm()
        if message.topic == self.topics[0]:
            self._newest = message.payload
            self._news.set()
        elif message.topic == self.topics[1]:
            self._heard_answer(message.payload)

    def went_up(self) -> None:
        self._is_up = True

    def went_down(self, reason: str) -> None:
        del reason  # the meter client says it
        self._is_up = False

    async def run(self, mqtt: Outbound) -> None:
        """Puts each newer directory on disk, for ever; while the meter is heard the copy counts as confirmed."""
        self._mqtt = mqtt
        while True:
            newest, self._newest = self._newest, None
            if newest is not None:
                await self._take(newest)
            if self._meter_spoke:
                self._meter_spoke = False
                await asyncio.to_thread(self.copy.touch, self._wall_ms())
            try:
                async with asyncio.timeout(TOUCH_S):
                    await self._news.wait()
            except TimeoutError:
                continue
            self._news.clear()

    def report(self, who: Vouched) -> None:
        """Tells the meter that somebody signed in here, if it can hear; only the meter knows who was away for long."""
        if self._mqtt is not None:
            self._say(SignInAsked(VERSION, self._table, "report", who.person.number, self._proof(who)))

    def bar(self) -> str:
        """Why nobody can sign in over the network now, or nothing: the meter knows the codes."""
        return "" if self._mqtt is not None and self._is_up else NO_ANSWER

    async def is_right(self, who: Vouched, code: str) -> bool:
        """Whether the meter takes this code of this person."""
        if not TOTP_CODE.fullmatch(code):
            return False
        return not await self.remote_check(who.person.number, code, self._proof(who))

    async def remote_check(self, number: str, code: str, proof: str) -> str:
        """Why this person may not sign in over the network, by the meter's word, or nothing."""
        if self._mqtt is None or not self._is_up:
            return NO_ANSWER
        return await self._asked(number, proof, code=code)

    async def _asked(self, number: str, proof: str, *, code: str = "", new_pin: str = "") -> str:
        """The meter's refusal, or nothing."""
        nonce = secrets.token_hex(8)
        self._answers[nonce] = asyncio.get_running_loop().create_future()
        try:
            self._say(SignInAsked(VERSION, self._table, nonce, number, proof, code, new_pin))
            async with asyncio.timeout(ANSWER_WITHIN_S):
                return await self._answers[nonce]
        except TimeoutError:
            return NO_ANSWER
        finally:
            del self._answers[nonce]

    async def change_pin(self, who: Vouched, pin: str) -> str:
        """Has the meter take this person's new PIN; returns when this table knows it, or says why it does not."""
        if self._mqtt is None or not self._is_up:
            return NO_PIN_CHANGE
        number, order = who.person.number, replace(self.order, act=OWN_PIN)
        refusal = await self._asked(number, self._proof(who), new_pin=seal_pin(pin, who.secret, order))
        if refusal:
            return NO_PIN_CHANGE if refusal == NO_ANSWER else refusal
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                self._taken.clear()
                while not await asyncio.to_thread(self._knows, number, pin):
                    await self._taken.wait()
                    self._taken.clear()
        except TimeoutError:
            return NOT_HERE_YET
        return ""

    def warn(self, words: str) -> None:
        """Somebody typed a wrong PIN here: the floor is told, at once or as soon as the meter is heard."""
        self._warned, self._warnings = words, self._warnings + 1
        if self._is_up:
            self._raise_alarm()

    def _raise_alarm(self) -> None:
        now_ms = self._wall_ms()
        if self._mqtt is None or not self._warnings or 0 <= now_ms - self._alarmed_ms < ALARM_EVERY_MS:
            return
        alarm = TableAlarm(VERSION, self._table, shortened(self._warned), self._warnings)
        self._mqtt.publish(topics.alarm_topic(self._link, self._table), encode(alarm), qos=1)
        self._warnings, self._alarmed_ms = 0, now_ms

    def _knows(self, number: str, pin: str) -> bool:
        try:
            person = self.copy.directory().person(number)
        except (DirectoryFault, OSError):
            return False
        return person is not None and person.secret(pin) is not None

    def _proof(self, who: Vouched) -> str:
        return prove(who.person.number, who.secret, self.order)

    def _say(self, asked: SignInAsked) -> None:
        assert self._mqtt is not None
        self._mqtt.publish(topics.sign_in_topic(self._link, self._table), encode(asked), qos=1)

    async def _take(self, content: bytes) -> None:
        fault = await asyncio.to_thread(self.copy.take, content)
        if fault:
            self._log.warning("staff_directory_refused", reason=fault)
        self._taken.set()
        for changed in self._observers:
            changed()

    def _heard_answer(self, payload: bytes) -> None:
        try:
            answer = decode(payload, SignInAnswer)
        except Garbled:
            return
        waiting = self._answers.get(answer.nonce)
        if answer.v == VERSION and waiting is not None and not waiting.done():
            waiting.set_result(answer.refusal)


class TableLink:
    """All that speak on the table's pipe: the meter client, the staff link and the lights report."""

    def __init__(self, client: MeterClient, staff: StaffLink, lights: LightsReport) -> None:
        self.client, self.staff, self.lights = client, staff, lights

    @property
    def topics(self) -> tuple[str, ...]:
        """What they must hear."""
        return *self.client.topics, *self.staff.topics

    def heard(self, message: Message) -> None:
        """A message for one of them."""
        self.client.heard(message)
        self.staff.heard(message)

    def went_up(self) -> None:
        """Connected."""
        self.client.went_up()
        self.staff.went_up()
        self.lights.went_up()

    def went_down(self, reason: str) -> None:
        """Not connected any more."""
        self.client.went_down(reason)
        self.staff.went_down(reason)
