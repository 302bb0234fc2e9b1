"""A real PostgreSQL for tests: a server of their own in a folder of their own, a new database for each test."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest

from meter.store.base import OpenStore
from meter.store.open import open_store
from meter.store.postgres import PostgresStore
from tests.support.memory import quick_place

WITHIN_S = 120


class PostgresServer:
    """A server on a Unix socket that a test can stop and start again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)
        self._listen, self._port = "", 5432

    @property
    def admin(self) -> str:
        """The address of the database in which nothing is kept."""
        return f"postgresql:///postgres?host={self._folder}&port={self._port}&user=postgres"

    def make(self) -> None:
        """Makes an empty cluster and starts it."""
        self._run("initdb", "--auth=trust", "--username=postgres", "--no-sync", "--no-locale", "--encoding=UTF8")
        self.start()

    def start(self) -> None:
        """Starts it and returns when it answers; it syncs to disk as on a floor."""
        options = f"-k {self._folder} -c listen_addresses={self._listen} -c max_connections=40"
        log = str(self._folder / "server.log")
        self._run("pg_ctl", "--wait", f"--timeout={WITHIN_S}", f"--options={options}", f"--log={log}", "start")

    def kill(self) -> None:
        """Ends it as a power cut does."""
        self._run("pg_ctl", "--wait", "--mode=immediate", "stop")

    def open_to_the_house(self, port: int, *, settings: str, access: str, files: Sequence[Path]) -> None:
        """Starts it again on a loopback port with these settings and access rules; the files become its own."""
        self.kill()
        for file in files:
            shutil.copy(file, self._folder)
            own = self._folder / file.name
            own.chmod(0o600)
            if os.geteuid() == 0:
                shutil.chown(own, "postgres", "postgres")
        data = self._folder / "data"
        with (data / "postgresql.conf").open("a") as text:
            text.write(f"\nport = {port}\n{settings.replace('/etc/pitlink', str(self._folder))}")
        (data / "pg_hba.conf").write_text(f"local all postgres trust\n{access}")
        self._listen, self._port = "127.0.0.1", port
        self.start()

    def run_script(self, script: Path, address: str = "") -> None:
        """Does what an administrator does with a script, there or in one database."""
        with psycopg.connect(address or self.admin, autocommit=True) as admin:
            for statement in script.read_text(encoding="utf-8").split(";\n")[:-1]:
                admin.execute(statement.encode())

    def database(self) -> str:
        """The address of a new and empty database."""
        name = f"books{next(self._numbers)}"
        with psycopg.connect(self.admin, autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {name}".encode())
        return self.admin.replace("/postgres?", f"/{name}?")

    def cut_off(self, address: str) -> int:
        """Cuts every connection of a meter to this database; says how many."""
        question = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
        )
        name = address.removeprefix("postgresql:///").partition("?")[0]
        with psycopg.connect(self.admin, autocommit=True) as admin:
            return len(admin.execute(question, (name,)).fetchall())

    @contextmanager
    def changed(self, setting: str, value: str) -> Iterator[None]:
        """Lets the whole server run with another value of a setting."""
        self._set(f"ALTER SYSTEM SET {setting} = {value}", setting, value)
        yield
        self._set(f"ALTER SYSTEM RESET {setting}", setting, "on")

    @contextmanager
    def small_disk(self, largest_bytes: int) -> Iterator[None]:
        """No file of a new session may grow beyond this: what a full disk is to it, and needs no root."""
        process = (self._folder / "data" / "postmaster.pid").read_text().partition("\n")[0]
        _as_postgres("prlimit", f"--pid={process}", f"--fsize={largest_bytes}:")
        try:
            yield
        finally:
            _as_postgres("prlimit", f"--pid={process}", "--fsize=unlimited:")

    def _set(self, order: str, setting: str, value: str) -> None:
        with psycopg.connect(self.admin, autocommit=True) as admin:
            admin.execute(order.encode())
            admin.execute("SELECT pg_reload_conf()")
        end = time.monotonic() + WITHIN_S
        while time.monotonic() < end:  # a new session sees it when the server has read its settings again
            with psycopg.connect(self.admin) as look:
                if look.execute("SELECT current_setting(%s)", (setting,)).fetchone() == (value,):
                    return
        raise AssertionError(f"{setting} stayed as it was")

    def _run(self, program: str, *options: str) -> None:
        _as_postgres(str(_programs() / program), f"--pgdata={self._folder / 'data'}", *options)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A running server for all tests that ask for one."""
    with postgres_server() as server:
        yield server


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A running server that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="pitlink-pg-", dir=quick_place()))  # a socket's path must be short
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    server = PostgresServer(folder)
    try:
        server.make()
        yield server
        server.kill()
    finally:
        shutil.rmtree(folder)


def active_store(address: str) -> OpenStore:
    """The store at this address, ready to book."""
    store = open_store(address)
    if isinstance(store, PostgresStore):
        until_active(store)
    return store


@contextmanager
def reopening(address: str) -> Iterator[Callable[[], OpenStore]]:
    """Opens the store at this address again and again, each time as the next process would."""
    opened: list[OpenStore] = []

    def close() -> None:
        while opened:
            opened.pop().close()

    def open_again() -> OpenStore:
        close()
        opened.append(active_store(address))
        return opened[0]

    yield open_again
    close()


def until_active(store: PostgresStore, now_s: float = 0.0) -> None:
    """Waits for its turn: a session that has ended takes a moment to let go of its lock."""
    end = time.monotonic() + WITHIN_S
    while not store.became_active(now_s):
        assert time.monotonic() < end, "another meter holds these books"


def _as_postgres(*words: str) -> None:
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []  # root must not run a server
    done = subprocess.run([*as_user, *words], capture_output=True, timeout=WITHIN_S, check=False, text=True, cwd="/")
    assert done.returncode == 0, done.stdout + done.stderr


def _programs() -> Path:
    """Debian keeps them apart from the path, one folder for each version."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    initdb = shutil.which("initdb") or (str(found[-1]) if found else "")
    assert initdb, "PostgreSQL is missing; install the package postgresql"
    return Path(initdb).parent
