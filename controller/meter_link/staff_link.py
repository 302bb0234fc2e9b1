"""Staff link of a table: takes the meter's directory, reports sign-ins, and asks the meter about remote ones."""

import asyncio
import re
import secrets
from collections.abc import Callable
from typing import Final

from common.auth.authenticator import Vouched
from common.auth.proof import ProvedOrder, prove
from common.log import Log
from controller.meter_link.client import MeterClient
from controller.meter_link.lights_report import LightsReport
from controller.meter_link.staff_copy import StaffCopy
from drivers.mqtt.client import Message, Outbound
from link import topics
from link.messages import VERSION, Garbled, SignInAnswer, SignInAsked, decode, encode

TOTP_CODE: Final = re.compile(r"[0-9]{6}")
ANSWER_WITHIN_S: Final = 5.0
TOUCH_S: Final = 600.0
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
        self._news = asyncio.Event()
        self._answers: dict[str, asyncio.Future[str]] = {}
        self._observers: list[Callable[[], None]] = []
        self._is_up = self._meter_spoke = False

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
        nonce = secrets.token_hex(8)
        self._answers[nonce] = asyncio.get_running_loop().create_future()
        try:
            self._say(SignInAsked(VERSION, self._table, nonce, number, proof, code))
            async with asyncio.timeout(ANSWER_WITHIN_S):
                return await self._answers[nonce]
        except TimeoutError:
            return NO_ANSWER
        finally:
            del self._answers[nonce]

    def _proof(self, who: Vouched) -> str:
        return prove(who.person.number, who.secret, self.order)

    def _say(self, asked: SignInAsked) -> None:
        assert self._mqtt is not None
        self._mqtt.publish(topics.sign_in_topic(self._link, self._table), encode(asked), qos=1)

    async def _take(self, content: bytes) -> None:
        fault = await asyncio.to_thread(self.copy.take, content)
        if fault:
            self._log.warning("staff_directory_refused", reason=fault)
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
