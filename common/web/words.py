"""Words for pages: which language a browser asks for, and the texts of a page's script."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Final

from aiohttp import web

from common.web.server import as_json, bad
from common.words import LANGUAGES, PageWords, Words

CHOICE: Final = "pitlink-language"
"""The cookie of a language that somebody chose at a page; scripts set it (static/words.js)."""


def language_of(request: web.Request) -> str:
    """The language that this address names, or that somebody chose at this browser; "" where nobody did."""
    asked = request.query.get("language") or request.cookies.get(CHOICE, "")
    return asked if asked in LANGUAGES else ""


async def words_for(request: web.Request, pages: PageWords) -> Words:
    """The words that this browser asks for; what CLDR says of a language is read beside the loop, once."""
    words = pages.of(language_of(request))
    await asyncio.to_thread(getattr, words, "cldr")
    return words


def word_routes(pages: Iterable[str], currency: str, language: str) -> list[web.RouteDef]:
    """The texts of these pages' scripts: GET /words/panel_script; language is the screen's own."""
    known: Mapping[str, PageWords] = {page: PageWords(page, currency, language) for page in pages}

    async def words(request: web.Request) -> web.Response:
        page = known.get(request.match_info["page"])
        if page is None:
            raise bad("there are no words of this name", "page", web.HTTPNotFound)
        return as_json(page.of(language_of(request)).for_script())

    return [web.get("/words/{page}", words)]
