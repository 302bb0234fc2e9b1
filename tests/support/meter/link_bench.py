"""What tests of the link need: real brokers that can be killed, and a listener that remembers."""

import asyncio
import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Generic, Self, TypeVar

from demo.broker import free_port
from drivers.mqtt.buffered_client import BufferedMqttClient
from drivers.mqtt.client import Message, MqttClient, Outgoing
from drivers.mqtt.settings import BrokerSettings
from meter.broker_files import VERSIONS

WITHIN_S = 120.0
LARGEST = 16_384


class BrokerProcess:
    """A broker as a process of its own that a test can kill and start again on the same port."""

    def __init__(self, command: list[str], port: int, ready_words: str) -> None:
        self.port = port
        self._command, self._ready_words = command, ready_words
        self._process: subprocess.Popen[str] | None = None
        self._drain = threading.Thread()
        self.log: list[str] = []

    def start(self) -> None:
        """Starts it and returns when it says that it runs."""
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        ready = threading.Event()
        self._drain = threading.Thread(target=self._read, args=(self._process, ready), daemon=True)
        self._drain.start()
        assert ready.wait(WITHIN_S), f"the broker did not start: {self.log[-5:]}"
        assert self._process.poll() is None, f"the broker ended: {self.log[-5:]}"

    def kill(self) -> None:
        """Ends it as a power cut does; then the log has all that it said."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(WITHIN_S)
        self._drain.join(WITHIN_S)

    def close(self) -> None:
        if self._process is not None:
            self.kill()

    def _read(self, process: "subprocess.Popen[str]", ready: threading.Event) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                self.log.append(line)
                if self._ready_words in line:
                    ready.set()
        ready.set()


def mosquitto(settings: Path, port: int) -> BrokerProcess:
    """A Mosquitto with this settings file: the machine's own, or the one that MOSQUITTO names."""
    return BrokerProcess([_mosquitto_program(), "-c", str(settings)], port, "running")


def mosquitto_version() -> str:
    """Which of the supported versions the tests run on."""
    shown = subprocess.run([_mosquitto_program(), "-h"], capture_output=True, text=True, check=False).stdout
    return next(version for version in VERSIONS if f"mosquitto version {version}." in shown)


def broker_plugins() -> str:
    """Where the plugins of the broker that the tests run on lie: needed from version 2.1 on."""
    return os.environ.get("MOSQUITTO_PLUGINS", "/usr/lib")


def _mosquitto_program() -> str:
    path = os.environ.get("PATH", "") + os.pathsep + "/usr/sbin"
    places = [str(Path(place) / "mosquitto") for place in path.split(os.pathsep)]
    return os.environ.get("MOSQUITTO") or next(place for place in places if Path(place).exists())


def plain_mosquitto(folder: Path) -> BrokerProcess:
    """A Mosquitto on loopback that keeps nothing: no persistence, no access list."""
    port = free_port()
    settings = folder / "mosquitto.conf"
    lines = [
        f"listener {port} 127.0.0.1",
        "allow_anonymous true",
        "persistence false",
        "set_tcp_nodelay true",
        run_as(),
    ]
    settings.write_text("\n".join(lines))
    return mosquitto(settings, port)


def run_as() -> str:
    """Under root Mosquitto would become another user, who cannot read a test's files."""
    return "user root\n" if os.geteuid() == 0 else ""


class Recorder:
    """A listener that remembers, and lets a test wait for what it expects."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.ups = 0
        self.reasons: list[str] = []
        self._changed = asyncio.Event()

    def heard(self, message: Message) -> None:
        self.messages.append(message)
        self._changed.set()

    def went_up(self) -> None:
        self.ups += 1
        self._changed.set()

    def went_down(self, reason: str) -> None:
        self.reasons.append(reason)
        self._changed.set()

    async def until(self, condition: Callable[[], bool], within_s: float = WITHIN_S) -> None:
        """Waits until the condition holds; it is looked at whenever something was heard."""
        async with asyncio.timeout(within_s):
            while not condition():
                self._changed.clear()
                await self._changed.wait()


AnyClient = TypeVar("AnyClient", bound=MqttClient | BufferedMqttClient)


def pipe_of(kind: type[AnyClient], port: int, client_id: str, *topics: str, will: Outgoing | None = None) -> AnyClient:
    """A pipe of this kind to a broker on loopback."""
    last_will = will or Outgoing(f"will/{client_id}", b"gone", retain=True, qos=1)
    broker = BrokerSettings("127.0.0.1", port)
    return kind(broker, client_id, topics=topics or ("silence",), will=last_will, largest_bytes=LARGEST)


def pipe_to(port: int, client_id: str, *topics: str, will: Outgoing | None = None) -> BufferedMqttClient:
    """A meter's pipe to a broker on loopback."""
    return pipe_of(BufferedMqttClient, port, client_id, *topics, will=will)


class Connected(Generic[AnyClient]):
    """A pipe that runs while a test's block runs."""

    def __init__(self, mqtt: AnyClient, listener: Recorder | None = None) -> None:
        self.mqtt = mqtt
        self.recorder = listener or Recorder()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self.mqtt.run(self.recorder))
        await self.recorder.until(lambda: self.recorder.ups > 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.wait([self._task], timeout=WITHIN_S)
        assert self._task.cancelled()
