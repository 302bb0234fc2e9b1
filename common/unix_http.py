"""HTTP over a daemon's Unix socket, for programs on the same machine."""

import http.client
import socket
from pathlib import Path
from typing import Final

CONTROL: Final = "control.sock"
"""For programs: pitlink dealer, decide and flash."""
PAGES: Final = "pages.sock"
"""For the process that serves pages to the network."""


class UnixConnection(http.client.HTTPConnection):
    """As its base, but at a path."""

    def __init__(self, path: Path, timeout_s: float) -> None:
        super().__init__("localhost", timeout=timeout_s)
        self._path = path

    def connect(self) -> None:
        """Connects to the path."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def ask(path: Path, method: str, target: str, body: bytes | None = None, *, within_s: float) -> tuple[int, bytes]:
    """One request; raises OSError or HTTPException where no daemon answers."""
    connection = UnixConnection(path, within_s)
    try:
        connection.request(method, target, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()
