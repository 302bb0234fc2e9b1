"""The floor's settings, its PIN command, and its pages over TLS."""

import io
import ssl
from pathlib import Path

import pytest
from aiohttp import ClientSession, CookieJar, TCPConnector

from cli.main import main
from common.auth.roles import Role
from common.settings import SettingsError
from common.tls import PagesTls
from meter.settings import FloorSettings, read_meter_settings
from tests.support.certificates import self_signed
from tests.support.floor_bench import FloorBench
from tests.support.meter_settings import GOOD
from tests.support.staff_pins import PINS


def written(folder: Path, floor: str = "") -> Path:
    """A meter's settings with this [floor]."""
    path = folder / "meter.toml"
    path.write_text(floor + GOOD if not floor else f"{GOOD}\n[floor]\n{floor}")
    return path


def test_the_staff_is_kept_beside_the_ledger_unless_told_otherwise() -> None:
    """A database has no folder: then where the unit keeps its state."""
    assert FloorSettings().staff_file("/var/lib/x/ledger.sqlite") == Path("/var/lib/x/staff.json")
    assert FloorSettings().staff_file("postgresql://db/x") == Path("/var/lib/pitlink/meter/staff.json")
    assert FloorSettings("/etc/staff.json").staff_file("x") == Path("/etc/staff.json")
    assert FloorSettings("/etc/staff.json").attempts_file("x") == Path("/etc/attempts.json")


def test_floor_settings_are_read_and_faults_named(tmp_path: Path) -> None:
    """Another machine sees the pages only with a certificate that is there."""
    assert read_meter_settings(written(tmp_path, 'staff = "/etc/pitlink/floor.json"')).floor.staff
    with pytest.raises(SettingsError, match=r"floor\.stuff"):
        read_meter_settings(written(tmp_path, 'stuff = "x"'))
    tls = 'tls = { host = "0.0.0.0", certificate = "/none.crt", key = "/none.key" }'
    with pytest.raises(SettingsError, match=r"there is no file /none\.crt"):
        read_meter_settings(written(tmp_path, tls))


def test_pins_are_given_listed_and_taken_away_by_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As at a table: the PIN comes from stdin and never from an argument."""
    config = str(written(tmp_path, f'staff = "{tmp_path}/staff.json"'))
    monkeypatch.setattr("sys.stdin", io.StringIO("1357\n"))
    assert main(["floor", "pin", "set", "supervisor", "Sue", "--config", config]) == 0
    assert main(["floor", "pin", "list", "--config", config]) == 0
    assert "supervisor  Sue" in capsys.readouterr().out
    assert main(["floor", "pin", "unlock", "Sue", "--config", config]) == 0
    assert main(["floor", "pin", "remove", "Sue", "--config", config]) == 0
    assert main(["floor", "pin", "remove", "Sue", "--config", config]) == 2
    assert "nobody here" in capsys.readouterr().err
    assert main(["floor", "pin", "list", "--config", "/nowhere.toml"]) == 2


def certified(folder: Path) -> PagesTls:
    """A certificate of this machine's own."""
    certificate, key = self_signed(folder)
    return PagesTls("127.0.0.1", 0, certificate, key)


async def test_other_machines_need_tls_and_a_pin_to_look(tmp_path: Path) -> None:
    """Names of the staff, links and figures are not for strangers; the programs' interface is not there at all."""
    tls = certified(tmp_path)
    trust = ssl.create_default_context(cafile=tls.certificate)
    async with FloorBench(tmp_path, floor=FloorSettings(tls=tls)).running() as bench:
        url = f"https://localhost:{bench.web_server.tls_port}"
        connector = TCPConnector(ssl=trust)
        async with ClientSession(url, connector=connector, cookie_jar=CookieJar(unsafe=True)) as session:
            async with session.get("/floor/session") as answer:
                body = await answer.json()
                assert body["staff"] == []
                assert "Strict-Transport-Security" in answer.headers
                assert answer.cookies["pitlink-floor"]["secure"]
            async with session.get("/floor/now") as answer:
                assert (await answer.json())["links"] == []
            for path in ("/floor/stream", "/floor/growth/main", "/floor/history", "/floor/outlook/main"):
                async with session.get(path) as answer:
                    assert answer.status == 403
            async with session.get("/api/links") as answer:
                assert answer.status == 404
            name, pin = PINS[Role.SUPERVISOR]
            headers = {"Origin": url, "X-Pitlink-Token": body["token"]}
            async with session.post("/floor/sign-in", json={"name": name, "pin": pin}, headers=headers) as answer:
                assert answer.status == 200
            async with session.get("/floor/growth/main") as answer:
                assert answer.status == 200
