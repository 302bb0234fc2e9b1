"""Sign-in check at the meter: proofs and TOTP codes, each code once, throttled by person and table; and last use."""

import hmac
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from pyotp.totp import TOTP

from common.auth.authenticator import Vouched
from common.auth.directory import Directory, DirectoryFault
from common.auth.lockout import LockOut
from common.auth.proof import OWN_PIN, ProvedOrder, is_proved, prover, sealed_pin
from common.files import write_privately
from link.messages import VERSION, SignInAnswer, SignInAsked, shortened
from meter.staff.changes import OwnPin
from meter.staff.keeper import StaffKeeper

USE_FILE: Final = "staff-use.json"
STEP_S: Final = 30
DRIFT_STEPS: Final = 1
WRONG: Final = "number, PIN or code do not match"


class Use(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """When somebody was last seen, and the last time step whose code he used."""

    day: str
    step: int = 0


class SignInCheck:
    """Checks who signs in, and keeps when everybody was last seen."""

    def __init__(self, staff: StaffKeeper, lock_out: LockOut, *, wall_ms: Callable[[], int]) -> None:
        self._staff, self._lock_out, self._wall_ms = staff, lock_out, wall_ms
        self._path = staff.folder / USE_FILE
        self._uses = self._read()

    def answer(self, link: str, asked: SignInAsked, journal: str) -> SignInAnswer | None:
        """The answer to a table about a code; None where it only reports that somebody was there."""
        order = ProvedOrder("sign in", link, asked.table, journal)
        if not asked.code:
            if self._is_proved(asked, order):
                self.used(asked.number)
            return None
        refusal = self._refusal(asked, order, lambda: self.code_refusal(asked.number, asked.code))
        return SignInAnswer(VERSION, asked.nonce, shortened(refusal))

    def own_pin(self, link: str, asked: SignInAsked, journal: str) -> OwnPin | SignInAnswer:
        """The PIN that somebody chose at a table, opened with the secret of the old one, or why it does not count."""
        order = ProvedOrder("sign in", link, asked.table, journal)
        found: list[str] = []

        def opened() -> str:
            known = self._staff.secret_of(asked.number, may_be_new=True)
            pin = sealed_pin(asked.new_pin, known.secret, replace(order, act=OWN_PIN)) if known else None
            found.append(pin or "")
            return "" if pin else WRONG

        refusal = self._refusal(asked, order, opened)
        return SignInAnswer(VERSION, asked.nonce, shortened(refusal)) if refusal else OwnPin(asked.number, found[0])

    def bar(self) -> str:
        """Why nobody can sign in over the network now: the meter knows the codes itself, so nothing."""
        return ""

    async def is_right(self, who: Vouched, code: str) -> bool:
        """Whether this person's app shows this code now, and it was not used before."""
        return not self.code_refusal(who.person.number, code)

    def code_refusal(self, number: str, code: str) -> str:
        """Why this TOTP code does not do for this person, or nothing; a code that does, does once."""
        secret = self._staff.totp_of(number)
        if not secret:
            return "there is no TOTP secret for this number: two persons enrol it, pitlink staff enrol-totp"
        now, last = self._wall_ms() // 1000 // STEP_S, self._use(number)
        for step in range(now - DRIFT_STEPS, now + DRIFT_STEPS + 1):
            if step > last.step and hmac.compare_digest(TOTP(secret).generate_otp(step), code):
                self._keep(number, replace(last, step=step))
                return ""
        return WRONG

    def used(self, number: str) -> None:
        """This person was here today: a right PIN at the meter, or a proof that held."""
        today = self._staff.today().isoformat()
        if self._use(number).day != today:
            self._keep(number, replace(self._use(number), day=today))

    def unused(self, directory: Directory, days: int) -> list[str]:
        """Whom nobody has seen for so many days; whoever is new here counts as seen today."""
        for person in directory.people:
            if person.number not in self._uses or not self._uses[person.number].day:
                self.used(person.number)
        oldest = self._staff.today() - timedelta(days=days)
        return [
            person.number
            for person in directory.people
            if not person.locked and date.fromisoformat(self._uses[person.number].day) < oldest
        ]

    def _refusal(self, asked: SignInAsked, order: ProvedOrder, then: Callable[[], str]) -> str:
        try:
            return self._checked(asked, order, then)
        except (DirectoryFault, OSError) as fault:
            return str(fault)

    def _checked(self, asked: SignInAsked, order: ProvedOrder, then: Callable[[], str]) -> str:
        """The try counts as wrong, on disk, before anything of it is looked at."""
        person = self._staff.directory().person(asked.number)
        who, source = person.number if person else "", f"table-{asked.table}"
        wait_s = self._lock_out.wait_s(who, source)
        if wait_s:
            return f"too many wrong tries: wait {wait_s} s, or use the table's own screen"
        self._lock_out.begin(who, source)
        refusal = then() if self._is_proved(asked, order, may_be_new=True) else WRONG
        if not refusal:
            self._lock_out.succeed(who, source)
            self.used(asked.number)
        return refusal

    def _is_proved(self, asked: SignInAsked, order: ProvedOrder, *, may_be_new: bool = False) -> bool:
        try:
            known = self._staff.secret_of(asked.number, may_be_new=may_be_new)
        except DirectoryFault:
            return False
        return known is not None and prover(asked.proof) == asked.number and is_proved(asked.proof, known.secret, order)

    def _use(self, number: str) -> Use:
        return self._uses.get(number, Use(""))

    def _keep(self, number: str, use: Use) -> None:
        self._uses[number] = use
        write_privately(self._path, msgspec.json.encode(self._uses))

    def _read(self) -> dict[str, Use]:
        """One that cannot be read begins anew: everybody counts as seen today."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, Use])
        except (OSError, msgspec.DecodeError):
            return {}
