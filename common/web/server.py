"""HTTP basics of every interface: allowed origins, JSON replies, and how faults look."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from aiohttp import web

MAX_BODY_BYTES: Final = 16_384
LOOPBACK_NAMES: Final = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})
Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
_T = TypeVar("_T")


def loopback_application(routes: Iterable[web.RouteDef]) -> web.Application:
    """An application for this machine only."""
    app = web.Application(middlewares=[loopback_names_only, json_only], client_max_size=MAX_BODY_BYTES)
    app.add_routes(routes)
    return app


@web.middleware
async def loopback_names_only(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A name that somebody made point to this machine is not this machine's name."""
    if request.url.host not in LOOPBACK_NAMES:
        raise bad("this interface answers on loopback only", "Host", web.HTTPForbidden)
    return await handler(request)


@web.middleware
async def json_only(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A form of another site cannot order anything: orders are JSON."""
    if request.method == "POST" and request.content_type != "application/json":
        raise bad("send application/json", "Content-Type", web.HTTPUnsupportedMediaType)
    return await handler(request)


def decoded(body: bytes, kind: type[_T]) -> _T:
    """The value these bytes are, or 400 with what is wrong and where."""
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except msgspec.ValidationError as error:
        raise _misshapen(error) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise bad(f"not JSON: {error}", "$") from error


def converted(value: Any, kind: type[_T]) -> _T:
    """The same for JSON that was read already."""
    try:
        return msgspec.convert(value, type=kind)
    except msgspec.ValidationError as error:
        raise _misshapen(error) from error


def bad(error: str, where: str, kind: type[web.HTTPError] = web.HTTPBadRequest) -> web.HTTPError:
    """An HTTP error with one JSON object that says what is wrong and where."""
    return kind(text=msgspec.json.encode({"error": error, "where": where}).decode(), content_type="application/json")


def as_json(value: object, status: int = 200) -> web.Response:
    """An answer."""
    return web.Response(body=msgspec.json.encode(value), status=status, content_type="application/json")


def _misshapen(error: msgspec.ValidationError) -> web.HTTPError:
    problem, _, where = str(error).partition(" - at ")
    return bad(problem, where.strip("`") or "$")
