"""The floor's settings, and its pages over TLS."""

from pathlib import Path

import pytest

from common.settings import SettingsError
from common.tls import PagesTls
from common.unix_http import PAGES
from drivers.mqtt.settings import BrokerSettings
from meter.settings import FloorSettings, MeterSettings, read_meter_settings
from tests.support.meter.certificates import self_signed
from tests.support.meter.floor_bench import FloorBench
from tests.support.meter.meter_settings import GOOD
from tests.support.meter.staff_pins import SUE, give_totp
from tests.support.web.web_clients import network_pages


def written(folder: Path, floor: str = "") -> Path:
    """A meter's settings with this [floor]."""
    path = folder / "meter.toml"
    path.write_text(floor + GOOD if not floor else f"{GOOD}\n[floor]\n{floor}")
    return path


def test_the_staff_is_kept_beside_the_ledger() -> None:
    """A database has no folder: then where the unit keeps its state."""
    broker = BrokerSettings("127.0.0.1", 1)
    assert MeterSettings("/var/lib/x/ledger.sqlite", broker, ()).folder == Path("/var/lib/x")
    assert MeterSettings("postgresql://db/x", broker, ()).folder == Path("/var/lib/pitlink-meter")


def test_floor_settings_are_read_and_faults_named(tmp_path: Path) -> None:
    """Another machine sees the pages only with a certificate that is there."""
    with pytest.raises(SettingsError, match=r"floor\.stuff"):
        read_meter_settings(written(tmp_path, 'stuff = "x"'))
    tls = 'tls = { host = "0.0.0.0", certificate = "/none.crt", key = "/none.key" }'
    with pytest.raises(SettingsError, match=r"there is no file /none\.crt"):
        read_meter_settings(written(tmp_path, tls))


def certified(folder: Path) -> PagesTls:
    """A certificate of this machine's own."""
    certificate, key = self_signed(folder)
    return PagesTls("127.0.0.1", 0, certificate, key)


async def test_other_machines_need_tls_a_pin_and_a_code_to_look(tmp_path: Path) -> None:
    """Links and figures are not for strangers; the programs' interface is not there at all."""
    tls = certified(tmp_path)
    upstream = tmp_path / PAGES
    async with (
        FloorBench(tmp_path, floor=FloorSettings(tls=tls)).running() as bench,
        network_pages(tls, upstream) as (url, session),
    ):
        app = give_totp(bench.staff, SUE)
        async with session.get(f"{url}/floor/session") as answer:
            body = await answer.json()
            assert "Strict-Transport-Security" in answer.headers
            assert answer.cookies["__Host-pitlink-floor"]["secure"]
        async with session.get(f"{url}/floor/now") as answer:
            assert (await answer.json())["links"] == []
        for path in ("/floor/stream", "/floor/growth/main", "/floor/history", "/floor/outlook/main"):
            async with session.get(url + path) as answer:
                assert answer.status == 403
        async with session.get(f"{url}/api/links") as answer:
            assert answer.status == 404
        headers = {"Origin": url, "X-Pitlink-Token": body["token"]}
        async with session.post(f"{url}/floor/sign-in", json=SUE.shown, headers=headers) as answer:
            assert answer.status == 403
            assert "number, PIN and code do not match" in (await answer.json())["error"]
        bench.web_server.authenticator._attempts.unlock(SUE.number)
        with_code = SUE.shown | {"code": app.now()}
        async with session.post(f"{url}/floor/sign-in", json=with_code, headers=headers) as answer:
            assert answer.status == 200
        async with session.get(f"{url}/floor/growth/main") as answer:
            assert answer.status == 200
