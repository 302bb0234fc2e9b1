"""The machines of a set-up of config/: its brokers, meters and tables, each with the very files."""

import asyncio
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from common.clock import PacedClock
from common.log import open_log
from controller.settings.table import load
from drivers.mqtt.settings import BrokerSettings, Tls
from tests.support.meter.link_bench import (
    WITHIN_S,
    BrokerProcess,
    broker_plugins,
    mosquitto,
    mosquitto_version,
    run_as,
)
from tests.support.meter.meter_process import LinkTable, MeterProcess
from tests.support.table.paper_floor import Bench, Silent

ROOT = Path(__file__).parents[3]
CONFIG = ROOT / "config"
NAMES = "broker meter-main T1 T2 B1 bridge-branch1 db pitlink"


def make_keys(folder: Path) -> None:
    """Certificates for everybody, made by the commands of docs/link.md."""
    text = (ROOT / "docs" / "link.md").read_text(encoding="utf-8")
    (commands,) = re.findall(r"^```sh certificates\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    commands = re.sub(r"for name in .*;", f"for name in {NAMES};", commands)
    subprocess.run(["sh", "-e", "-c", commands], cwd=folder, check=True, capture_output=True, timeout=WITHIN_S)


class Setup:
    """A folder that stands for the machines of a set-up; every process in it ends with the test."""

    def __init__(self, folder: Path, keys: Path) -> None:
        self._folder, self._keys = folder, keys
        self._running: list[BrokerProcess | MeterProcess] = []

    def broker(self, file: str, port: int, **access: Sequence[str]) -> BrokerProcess:
        """Starts Mosquitto with a file of config/; access names the lists that its access list is made of."""
        home = self._folder / f"broker{port}"
        shutil.copytree(self._keys, home)
        for name, parts in access.items():
            path = home / f"{name}.acl"
            path.write_text("".join((CONFIG / part).read_text(encoding="utf-8") for part in parts))
            path.chmod(0o600)
        text = (CONFIG / file).read_text(encoding="utf-8").replace("/etc/mosquitto/pitlink", str(home))
        moved = re.sub(r"^listener \d+.*$", f"listener {port} 127.0.0.1", text, flags=re.MULTILINE)
        settings = home / "mosquitto.conf"
        if mosquitto_version() != "2.0":
            plugin = rf"plugin {broker_plugins()}/mosquitto_acl_file.so\nplugin_opt_acl_file \1"
            moved = re.sub(r"^acl_file (.*)$", plugin, moved, flags=re.MULTILINE)
        settings.write_text(moved.replace("broker.main.example:8883", f"127.0.0.1:{self.main_port}") + run_as())
        process = mosquitto(settings, port)
        process.start()
        self._running.append(process)
        return process

    main_port = 0
    """Where a branch finds the broker beside the meter."""

    def store_of(self, file: str, place: str) -> str:
        """The store that a file of config/ names, at this place."""
        text = (CONFIG / file).read_text(encoding="utf-8").replace("/etc/pitlink", str(self._keys))
        (address,) = re.findall(r'^store = "(.*)"', text, re.MULTILINE)
        return str(address).replace("db.pit.example", place)

    def meter(self, file: str, port: int, name: str = "meter", store: str = "") -> MeterProcess:
        """A meter with a file of config/, not yet started."""
        process = MeterProcess(self._folder, port, name=name, address=store)
        text = (CONFIG / file).read_text(encoding="utf-8").replace("/etc/pitlink", str(self._keys))
        places = f'store = "{process.address}"\nstate_dir = "{process.state_dir}"'
        text = re.sub(r'^store = ".*"', places, text, flags=re.MULTILINE)
        text = re.sub(r'^host = ".*"', 'host = "127.0.0.1"', text, flags=re.MULTILINE)
        text, controls = re.subn(r"^floor_port = \d+", f"floor_port = {process.control}", text, flags=re.MULTILINE)
        assert controls == 1, "nobody could decide anything while this meter runs"
        text = re.sub(r"^tables = ", "shortest_claim_ms = 0\ntables = ", text, flags=re.MULTILINE)  # no cards are dealt
        process.config.write_text(re.sub(r"^port = \d+", f"port = {port}", text, flags=re.MULTILINE))
        self._running.append(process)
        return process

    def table(self, name: str, port: int, *, certified: bool = True) -> LinkTable:
        """A table of the set-up."""
        files = (str(self._keys / file) for file in ("ca.crt", f"{name}.crt", f"{name}.key"))
        return LinkTable(name, BrokerSettings("127.0.0.1", port, tls=Tls(*files) if certified else None))

    def board(self, name: str, port: int, *, certified: bool = True) -> Bench:
        """A whole table with config/table.toml on simulated metal; its [broker.tls] counts where others have one."""
        text = (CONFIG / "table.toml").read_text(encoding="utf-8")
        if certified:
            text = re.sub(
                r"^# (\[broker\.tls\]|(?:ca|certificate|key) = .*/(?:ca|T1)\.)", r"\1", text, flags=re.MULTILINE
            )
        text = text.replace("/etc/pitlink", str(self._keys)).replace("/var/lib/pitlink", str(self._folder))
        text = text.replace("T1", name).replace("port = 8080", "port = 0").replace("port = 1883", f"port = {port}")
        path = self.settings_of(name)
        path.write_text(text)
        settings = load(path)
        assert (settings.broker.tls is not None) is certified
        clock = PacedClock(asyncio.get_running_loop())
        return Bench(settings, settings.broker, clock=clock, log=open_log(Silent()))

    def settings_of(self, name: str) -> Path:
        """Where a board's settings are."""
        return self._folder / f"{name}.toml"

    def close(self) -> None:
        for process in reversed(self._running):
            process.close()
