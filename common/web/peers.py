"""Peers of a Unix socket: the kernel says whose program is at the other end (SO_PEERCRED)."""

import grp
import os
import pwd
import socket
import struct
import sys
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from aiohttp import web
from aiohttp.typedefs import Middleware

from common.web.server import MAX_BODY_BYTES, Handler, bad, json_only

ROOT: Final = 0
PAGES_USER: Final = "pitlink-pages"
Allows: TypeAlias = Callable[[int, int], bool]
_CREDENTIALS: Final = struct.Struct("3i")


def may_control(user: int, group: int) -> bool:
    """Programs of root, of the daemon's own user, and of the members of its group."""
    return user in {ROOT, os.getuid()} or os.getgid() in _groups(user, group)


def may_relay(user: int, _group: int) -> bool:
    """The process of the network pages, which says whose request it brings."""
    return user in {ROOT, os.getuid(), _number(PAGES_USER)}


def pages_group() -> int:
    """The group of the process of the network pages; -1 where this machine has none."""
    try:
        return grp.getgrnam(PAGES_USER).gr_gid
    except KeyError:
        return -1


def unix_application(routes: Iterable[web.RouteDef], allows: Allows) -> web.Application:
    """An application for a Unix socket: for the peers that allows() names, and nobody else."""
    app = web.Application(middlewares=[peers_only(allows), json_only], client_max_size=MAX_BODY_BYTES)
    app.add_routes(routes)
    return app


def peers_only(allows: Allows) -> Middleware:
    """A middleware for a Unix socket: turns away everybody else."""

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        peer = _credentials(request.transport.get_extra_info("socket")) if request.transport else None
        if peer is None or not allows(*peer):
            who = "nobody" if peer is None else _name(peer[0])
            words = f"user {who} may not use this; become the daemon's user, or a member of its group"
            raise bad(words, "user", web.HTTPForbidden)
        return await handler(request)

    return check


def _credentials(end: socket.socket) -> tuple[int, int] | None:
    """User and group at the other end."""
    if sys.platform != "linux":  # daemons run on Linux; elsewhere only the demo runs, and the file's mode must do
        return os.getuid(), os.getgid()
    _process, user, group = _CREDENTIALS.unpack(
        end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    )
    return user, group


def _groups(user: int, group: int) -> set[int]:
    try:
        return {group, *os.getgrouplist(pwd.getpwuid(user).pw_name, group)}
    except KeyError:
        return {group}


def _number(name: str) -> int | None:
    try:
        return pwd.getpwnam(name).pw_uid
    except KeyError:
        return None


def _name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)
