"""Static pages and files, served by their plain names; shared ones lie in static/ here."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from common.web.server import Handler, bad

LONGEST_NAME: Final = 80
KINDS: Final = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


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
    known = {place.name for owner in (package, "common.web") for place in files(owner).joinpath("static").iterdir()}

    async def static(request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        if name not in known:
            raise bad("there is no such page", name[:LONGEST_NAME], web.HTTPNotFound)
        return _file(package, name)

    return static


def _file(package: str, name: str) -> web.Response:
    """One of our own files, by its plain name."""
    kind = KINDS.get(Path(name).suffix)
    places = (files(owner).joinpath("static", name) for owner in (package, "common.web"))
    found = next((place for place in places if place.is_file()), None) if kind else None
    if found is None:
        raise bad("there is no such page", name, web.HTTPNotFound)
    charset = None if kind == KINDS[".woff2"] else "utf-8"
    return web.Response(body=found.read_bytes(), content_type=kind, charset=charset)
