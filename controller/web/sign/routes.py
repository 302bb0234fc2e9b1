"""Routes of the sign: its card, its stream, its themes, and samples of every state for the preview page."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from aiohttp import web

from common.web.events import ChangeFeed, stream
from common.web.server import as_json, bad
from common.words import PageWords, Words
from controller.settings.sign import SignSettings
from controller.web.sign.card import SignCard, parts_bp, sign_card
from controller.web.sign.samples import Samples, sample_views
from controller.web.sign.themes import DEFAULT, KINDS, ThemeFaultError, read_picture, read_themes, style_sheet
from controller.web.sign.view import SignView, sign_view
from controller.web.view import TableView
from games.round.table_rules import TableRules
from link.messages import State, Win


class Sign:
    """The sign of one table: what it shows now, in the language that a screen asks for."""

    def __init__(
        self,
        table: str,
        rules: TableRules,
        settings: SignSettings,
        *,
        currency: str,
        look: Callable[[], TableView],
        meter: Callable[[], State | None],
        wins: Callable[[], Sequence[Win]],
        feed: ChangeFeed,
    ) -> None:
        self._table, self._rules, self._settings = table, rules, settings
        self._look, self._meter, self._wins, self._feed = look, meter, wins, feed
        self._themes, theme_faults = read_themes(Path(settings.themes) if settings.themes else None)
        self._words = PageWords("sign", currency, settings.language)
        self._style = style_sheet(self._themes)
        self._parts_bp = parts_bp(rules)
        self._logo, logo_faults = _read_logo(settings.logo)
        self.faults = (*theme_faults, *self._words.faults, *logo_faults)
        """What is not shown as the house wants it, and why; the sign shows its own instead."""
        if settings.theme not in self._themes:
            self.faults += (f"theme {settings.theme} cannot be shown; {DEFAULT} is shown instead",)

    def view(self, language: str = "") -> SignView:
        """What players see now."""
        return sign_view(
            self._look(), self._meter(), self._words.of(language), wins=self._wins(), parts_bp=self._parts_bp
        )

    def routes(self) -> list[web.RouteDef]:
        """Everything that its page asks for."""
        return [
            web.get("/sign/card", self._get_card),
            web.get("/sign/stream", self._get_stream),
            web.get("/sign/samples", self._get_samples),
            web.get("/sign/themes.css", self._get_style),
            web.get("/sign/logo", self._get_logo),
            web.get("/sign/theme/{theme}/{file}", self._get_asset),
        ]

    async def _loaded(self, request: web.Request) -> Words:
        """The words that a screen asks for; what CLDR says of the language is read beside the table, once."""
        words = self._words.of(request.query.get("language", ""))
        await asyncio.to_thread(getattr, words, "cldr")
        return words

    async def _card(self, request: web.Request) -> SignCard:
        words = await self._loaded(request)
        asked = (request.query.get("theme", ""), self._settings.theme, DEFAULT)
        theme = next(name for name in asked if name in self._themes)
        own = self._themes[theme].file.logo
        logo = "/sign/logo" if self._logo else f"/sign/theme/{theme}/{own}" if own else ""
        house = self._settings.house
        return sign_card(self._table, self._rules, words, theme=self._themes[theme], house=house, logo=logo)

    async def _get_card(self, request: web.Request) -> web.Response:
        return as_json(await self._card(request))

    async def _get_stream(self, request: web.Request) -> web.StreamResponse:
        language = (await self._loaded(request)).language
        return await stream(request, self._feed, lambda: self.view(language))

    async def _get_samples(self, request: web.Request) -> web.Response:
        """The themes, and a view of every state."""
        words = await self._loaded(request)
        views = sample_views(self._look(), self._rules, words)
        return as_json(Samples(tuple(self._themes), views, self.faults))

    async def _get_style(self, _request: web.Request) -> web.Response:
        return web.Response(text=self._style, content_type="text/css")

    async def _get_logo(self, _request: web.Request) -> web.Response:
        if self._logo is None:
            raise bad("this sign has no logo", "", web.HTTPNotFound)
        return web.Response(body=self._logo, content_type=KINDS[Path(self._settings.logo).suffix])

    async def _get_asset(self, request: web.Request) -> web.Response:
        theme, name = self._themes.get(request.match_info["theme"]), request.match_info["file"]
        if theme is None or name not in theme.assets:
            raise bad("there is no such file", name[:64], web.HTTPNotFound)
        return web.Response(body=theme.assets[name], content_type=KINDS[Path(name).suffix])


def _read_logo(path: str) -> tuple[bytes | None, list[str]]:
    if not path:
        return None, []
    try:
        return read_picture(Path(path)), []
    except ThemeFaultError as fault:
        return None, [f"logo {fault}"]
