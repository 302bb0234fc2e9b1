"""Words for pages: the language of a browser, and the texts of a page's script."""

from http import HTTPStatus

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from common.web.words import CHOICE, word_routes


async def asked(path: str, choice: str = "", own: str = "en") -> tuple[int, dict[str, object]]:
    app = web.Application()
    app.add_routes(word_routes(["panel_script"], "EUR", own))
    async with TestClient(TestServer(app), cookies={CHOICE: choice}) as client, client.get(path) as answer:
        return answer.status, await answer.json()


@pytest.mark.parametrize(
    ("address", "choice", "own", "language"),
    [
        ("", "", "es", "es"),  # the screen's own
        ("", "zh", "es", "zh"),  # what somebody chose at this browser
        ("?language=en", "zh", "es", "en"),  # what the address names
        ("", "tlh", "es", "es"),  # nobody speaks it here
        ("?language=../en", "", "zh", "zh"),
    ],
)
async def test_a_script_gets_its_texts_in_the_language_of_its_browser(
    address: str, choice: str, own: str, language: str
) -> None:
    """The address comes first, then the choice at this browser, then the screen's setting."""
    status, sent = await asked(f"/words/panel_script{address}", choice, own)
    assert status == HTTPStatus.OK
    assert (sent["language"], sent["currency"]) == (language, "EUR")
    assert sent["locale"] == {"en": "en-US", "es": "es-US", "zh": "zh-Hans-CN"}[language]
    assert isinstance(sent["texts"], dict)


async def test_other_words_are_not_found() -> None:
    """Only the pages that this daemon's scripts speak from."""
    assert (await asked("/words/nothing"))[0] == HTTPStatus.NOT_FOUND
