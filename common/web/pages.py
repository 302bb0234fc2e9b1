"""Static pages and files, served by their plain names; shared ones lie in static/ here."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from common.web.server import Handler, bad

KINDS: Final = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def page_routes(package: str, pages: dict[str, str]) -> list[web.RouteDef]:
    """The pages of a site, each path with the name of its file, and every file of its static folder and of ours."""
    return [
        *(web.get(path, _page(package, f"{name}.html")) for path, name in pages.items()),
        web.get("/static/{name}", _static(package)),
    ]


def _page(package: str, name: str) -> Callable[[web.Request], Any]:
    async def page(_request: web.Request) -> web.Response:
        return _file(package, name)

    return page


def _static(package: str) -> Handler:
    async def static(request: web.Request) -> web.StreamResponse:
        return _file(package, request.match_info["name"])

    return static


def _file(package: str, name: str) -> web.Response:
    """One of our own files, by its plain name."""
    kind = KINDS.get(Path(name).suffix)
    places = (files(owner).joinpath("static", name) for owner in (package, "common.web"))
    found = None if kind is None or "/" in name else next((place for place in places if place.is_file()), None)
    if found is None:
        raise bad("there is no such page", name, web.HTTPNotFound)
    return web.Response(body=found.read_bytes(), content_type=kind, charset="utf-8")
