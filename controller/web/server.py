"""Web server of a table: control interface and pages, put together and served."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from common.auth.authenticator import Authenticator
from common.auth.lockout import LockOut
from common.auth.proof import ProvedOrder
from common.auth.sessions import Sessions
from common.clock import Clock
from common.web.daemon_server import DaemonServer
from common.web.events import ChangeFeed
from common.web.sign_in import SignInRoutes
from common.web.words import word_routes
from common.words import ENGLISH, PageWords
from controller.devices.performer import DevicePerformer
from controller.devices.self_test import SelfTest
from controller.meter_link.staff_link import StaffLink, TableLink
from controller.settings.table import TableSettings
from controller.table.last_failure import LastFailure
from controller.table.loop import TableLoop
from controller.table.meter_entries import order_to_prove
from controller.web.api import ACTIONS, TableApi
from controller.web.orders import OrderDesk
from controller.web.permissions import MAY, ORDER_BY_SESSION
from controller.web.pin_levels import read_lines
from controller.web.queries import TableQueries
from controller.web.routes import Shows, TableSite
from controller.web.sign.routes import Sign
from controller.web.sign.view import RecentWins, contest, known_cents
from controller.web.table_card import table_card
from controller.web.view import TableView
from drivers.ports import Acceptor, Lamp, ReturnDevice
from games.round.events import PanelUsed
from games.round.state import Claim

SCRIPTS: Final = ("panel_script", "replay_script")
"""Pages of the catalogue that the scripts speak from."""
WARN_FOR_S: Final = 3600
"""How long the panel shows that wrong PINs were tried; the journal keeps each."""


class TableServer:
    """Everything of a table that people and programs talk to."""

    def __init__(
        self,
        settings: TableSettings,
        table: TableLoop,
        performer: DevicePerformer,
        *,
        clock: Clock,
        link: TableLink,
        look: Callable[[str], TableView],
        acceptors: Mapping[int, Acceptor],
        lights: Mapping[str, Lamp],
        return_device: ReturnDevice,
        pins: Any,  # a gpiozero pin factory; gpiozero ships no types
    ) -> None:
        client = link.client
        self.words = words = PageWords("panel", settings.currency, settings.panel.language)
        self._settings, self._table, self._client, self._clock = settings, table, client, clock
        self._wins = RecentWins()
        self.feed = ChangeFeed()
        table.watch(lambda _event, _step: self.feed.ring())
        client.observe(self._tell)
        link.staff.observe(self.feed.ring)
        self.self_test = SelfTest(
            table,
            performer,
            clock,
            acceptors=acceptors,
            lights=lights,
            return_device=return_device,
            health=lambda seat: look(ENGLISH).health[seat],
            chip_ms=(settings.timing.slot.min_chip_ms, settings.timing.slot.max_chip_ms),
        )
        state_dir = Path(settings.state_dir)
        self.last_failure = LastFailure(state_dir)
        self._warned, self._warned_at = "", -math.inf
        authenticator = Authenticator(
            link.staff.copy.directory,
            LockOut(state_dir / "attempts.json", clock.now),
            Sessions(clock.now),
            may=MAY,
            note=lambda who, what, detail: table.ask(PanelUsed(who, what, detail)),
            orders=ORDER_BY_SESSION,
            alarm=lambda words: self._warn(words, link.staff),
            check_code=link.staff,
            used=link.staff.report,
        )
        self.sign = Sign(
            settings.table,
            settings.rules,
            settings.sign,
            currency=settings.currency,
            look=lambda: look(ENGLISH),
            meter=lambda: client.state,
            wins=lambda: self._wins.shown(clock.now()),
            feed=self.feed,
        )
        bars_opening = self.self_test.bars_opening
        desk = OrderDesk(
            table,
            self.self_test,
            authenticator,
            actions=ACTIONS,
            to_prove=self._to_prove,
            remote_validation=settings.panel.remote_validation,
            retest=performer.retest,
            last_failure=self.last_failure,
            rung=self.feed.ring,
            words=words,
        )
        api = TableApi(
            table,
            performer,
            self.feed,
            desk=desk,
            look=look,
            bars_opening=bars_opening,
            lines=lambda: read_lines(settings, pins),
            parts=self.self_test.parts,
        )
        site = TableSite(
            table,
            words,
            sign_in=SignInRoutes(authenticator, link.staff.change_pin),
            desk=desk,
            reading=TableQueries(
                table,
                settings.table,
                state_dir / "journal.db",
                settings.papers,
                words,
                meter_cents=lambda: known_cents(look(ENGLISH), client.state),
                contest=lambda: contest(client.state),
            ),
            self_test=self.self_test,
            feed=self.feed,
            sign=self.sign,
            shows=Shows(
                card=lambda words: table_card(
                    settings.table, settings.rules, words, lock_ends_round=settings.end_of_round is None
                ),
                table=look,
                lines=lambda: read_lines(settings, pins),
                contest=lambda: contest(client.state),
                wrong_pins=self._wrong_pins,
                stale_staff=lambda: link.staff.copy.staleness(clock.wall_ms(), settings.link.staff_stale_days),
                words=PageWords("band", settings.currency, settings.panel.language).of,
            ),
            last_failure=self.last_failure,
        )
        self._server = DaemonServer(
            site.routes,
            api.routes(),
            word_routes(SCRIPTS, settings.currency, settings.panel.language),
            authenticator=authenticator,
            folder=state_dir,
            cookie_name=f"pitlink-{settings.table}",
            feed=self.feed,
        )
        self.port = 0

    async def open(self) -> None:
        """Serves the table's own screen, programs, and the process of network pages."""
        panel = self._settings.panel
        self.port = await self._server.open(panel.host, panel.port, network_pages=panel.tls is not None)

    async def close(self) -> None:
        """Ends every stream and every listener."""
        await self._server.close()

    def _to_prove(self, act: str, claim: Claim) -> ProvedOrder:
        """What a person stands by who validates or pays this claim on the meter."""
        link, table, journal = self._settings.link.name, self._settings.table, self._table.journal.id
        return order_to_prove(act, self._table.state, claim, link=link, table=table, journal=journal)

    def _warn(self, words: str, floor: StaffLink) -> None:
        self._warned, self._warned_at = words, self._clock.now()
        floor.warn(words)
        self.feed.ring()

    def _wrong_pins(self) -> str:
        return self._warned if self._clock.now() - self._warned_at < WARN_FOR_S else ""

    def _tell(self) -> None:
        self._wins.hear(self._client.state, self._clock.now())
        self.feed.ring()
