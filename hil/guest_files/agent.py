"""The hands of the bench inside the guest: moves wires, reads wires, runs commands; one JSON line per order."""

import base64
import http.client
import io
import json
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

PORT = Path("/dev/virtio-ports/pitlink.bench")
LINES = Path("/run/bench-lines")
COPY = Path("/run/bench-copy")
TABLE = "/var/lib/pitlink/T1/control.sock"


def drive(levels: Mapping[str, bool]) -> None:
    """Puts levels on wires."""
    for line, level in levels.items():
        (LINES / f"sim_gpio{line}" / "pull").write_text("pull-up" if level else "pull-down")


def read(lines: Iterable[str]) -> dict[str, bool]:
    """The levels of wires."""
    return {line: (LINES / f"sim_gpio{line}" / "value").read_text().strip() == "1" for line in lines}


def play(steps: Iterable[tuple[str, bool, float]]) -> None:
    """Puts levels on wires one after the other, each for so many milliseconds."""
    for line, level, ms in steps:
        drive({line: level})
        time.sleep(ms / 1000)  # a chip and a finger take their time: this is the pulse itself, not a wait for anything


def react(line: str, level: bool, expected: Mapping[str, bool], within_s: float = 30) -> float | None:
    """Puts a level on a wire and says after how many milliseconds all others were as expected; None: never."""
    others = [(LINES / f"sim_gpio{other}" / "value", "1" if high else "0") for other, high in expected.items()]
    began = time.perf_counter()
    drive({line: level})
    while not all(place.read_text().startswith(value) for place, value in others):
        if time.perf_counter() - began > within_s:
            return None
    return (time.perf_counter() - began) * 1000


def pass_beam(beam: str, light: str, ms: float, dark_ms: float) -> float | None:
    """Breaks a beam for so long just when its pulsing light has gone dark; how late the light was, as react()."""
    for level in (True, False):
        while read([light])[light] != level:
            time.sleep(0.001)  # the pulse is slow, and others need the machine
    fell = time.perf_counter()
    play([(beam, True, ms)])
    took_ms = react(beam, False, {light: True})
    if (time.perf_counter() - fell) * 1000 > dark_ms:
        raise TimeoutError("too late: the light may have been the next pulse's")
    return took_ms


def run(argv: Sequence[str], within_s: float = 60, stdin: str = "") -> dict[str, int | str | None]:
    """Runs a command as root."""
    try:
        done = subprocess.run(argv, input=stdin, capture_output=True, text=True, timeout=within_s, check=False)
    except subprocess.TimeoutExpired as late:
        return {"code": None, "out": str(late.stdout or ""), "err": "took too long"}
    return {"code": done.returncode, "out": done.stdout, "err": done.stderr}


def write(path: str, text: str) -> None:
    """Writes a file and syncs it."""
    Path(path).write_text(text)
    subprocess.run(["sync", path], check=True)


def ask(action: str, body: Mapping[str, Any] | None = None) -> list[Any]:
    """Asks the table's control interface as a dealer's program does; no table is answered with status 0."""
    table = http.client.HTTPConnection("localhost", timeout=10)
    table.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    table.sock.settimeout(10)
    content = None if body is None else json.dumps(body)
    try:
        table.sock.connect(TABLE)
        table.request(
            "GET" if body is None else "POST", f"/api/{action}", content, {"Content-Type": "application/json"}
        )
        answer = table.getresponse()
        return [answer.status, json.loads(answer.read())]
    except (OSError, http.client.HTTPException) as error:
        return [0, {"error": str(error)}]
    finally:
        table.close()


def database(path: str) -> str:
    """A copy of a database as it stands, while others write to it."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as source, closing(sqlite3.connect(COPY)) as target:
        source.backup(target)
    content = COPY.read_bytes()
    COPY.unlink()
    return base64.b64encode(content).decode()


ORDERS: Mapping[str, Callable[..., Any]] = {
    order.__name__: order for order in (drive, read, play, react, pass_beam, run, write, ask, database)
}


def obey(port: io.FileIO, writing: threading.Lock, line: bytes) -> None:
    """Does what one line says, and answers under its number."""
    order = json.loads(line)
    try:
        answer = {"id": order["id"], "answer": ORDERS[order["do"]](**order["with"])}
    except Exception as error:  # noqa: BLE001  the bench must hear of any fault of the guest's
        answer = {"id": order["id"], "fault": repr(error)}
    words = memoryview(json.dumps(answer).encode() + b"\n")
    with writing:
        while words:  # the port takes what it has room for
            words = words[port.write(words) :]


def main() -> None:
    """Serves the port for ever."""
    writing = threading.Lock()
    with PORT.open("r+b", buffering=0) as port:
        port.write(b'{"id": 0, "answer": "ready"}\n')
        rest = b""
        while True:
            chunk = port.read(65536)
            if not chunk:
                time.sleep(0.05)  # nobody is connected at the other end
                continue
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                threading.Thread(target=obey, args=(port, writing, line), daemon=True).start()


if __name__ == "__main__":
    main()
