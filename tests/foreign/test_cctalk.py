"""Other people's ccTalk programs against ours: they speak to the simulated devices and read what our driver says.

`./dev foreign` runs this. None of their code is in the project: the parser comes from npm, the two hosts from paths in
PITLINK_CCTALK_MORDAE (the built `cctalk` of mordae/cctalk) and PITLINK_PYCCTALK (a checkout of RomanValov/pycctalk).
"""

import json
import os
import re
import shutil
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.cctalk.frame import Checksum, Parser, encode
from drivers.simulated.acceptor_board import AcceptorBoard
from drivers.simulated.hopper import SimulatedHopper
from tests.support.drivers.return_rigs import DirectRig, hopper_board, ignore

pytestmark = pytest.mark.skipif("PITLINK_FOREIGN" not in os.environ, reason="foreign code runs by ./dev foreign only")

PACKAGE = "@serialport/parser-cctalk"
READER = f"""
const {{ CCTalkParser }} = require("{PACKAGE}");
const parser = new CCTalkParser(0), frames = [];
parser.on("data", frame => frames.push(frame.toString("hex")));
parser.on("end", () => console.log(JSON.stringify(frames)));
for (const chunk of JSON.parse(require("fs").readFileSync(0))) parser.write(Buffer.from(chunk, "hex"));
parser.end();
"""
ASKER = """
import json, sys
sys.path.insert(0, sys.argv[1])
from cctalk.messenger import CCMessenger
device = CCMessenger(sys.argv[2])
ask = device.requests
said = {name: ask[name]() for name in ("simple_poll", "equipment_category", "manufacturer_id", "serial_number",
        "comms_revision", "address_mode", "data_storage_availability", "perform_self_check", "polling_priority")}
said["coins"] = [device.coin_id(1), device.coin_id(2)]
said["open"] = [device.accept_coins([1, 0]), device.master_inhibit(False), ask["master_inhibit_status"]()]
said["inhibits"] = ask["inhibit_status"]()
said["buffer"] = device.read_buffer()
said["shut"] = [device.master_inhibit(True), ask["master_inhibit_status"]()]
print(json.dumps(said))
"""


@pytest.fixture
def bench() -> Iterator[SimulatedHopper]:
    with SimulatedHopper(hopper_board(lifetime=70_000)) as bench:
        bench.wire.neighbours = {2: [AcceptorBoard()]}
        yield bench


def run(words: list[str], *, given: str = "", cwd: Path | None = None) -> str:
    """What a program says; its complaint is the test's."""
    done = subprocess.run(words, input=given, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def named(variable: str) -> Path:
    path = os.environ.get(variable)
    if path is None:
        pytest.skip(f"{variable} is not set")
    return Path(path).resolve(strict=True)


async def test_the_parser_of_node_serialport_reads_both_sides(tmp_path: Path) -> None:
    """A whole emptying, both directions, cut into odd pieces: its frames are our frames."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE], cwd=tmp_path)
    rig = DirectRig(hopper_board(chip_ms=2))
    rig.load(20)
    spoken = bytearray()
    hear = rig.wire.hear

    def overhear(chunk: bytes, now: float) -> Iterator[bytes]:
        for said in hear(chunk, now):
            spoken.extend(said)
            yield said

    rig.wire.hear = overhear  # type: ignore[method-assign]
    await rig.device.identify()
    await rig.device.empty(ignore)
    ours = [encode(message, Checksum.SIMPLE).hex() for message in Parser(Checksum.SIMPLE).feed(bytes(spoken))]
    pieces = [spoken[at : at + 7].hex() for at in range(0, len(spoken), 7)]
    assert json.loads(run(["node", "-e", READER], given=json.dumps(pieces), cwd=tmp_path)) == ours
    assert len(ours) > 40


def test_pycctalk_speaks_to_the_simulated_acceptor(bench: SimulatedHopper) -> None:
    """Identity, self-check, coins, inhibits and the event buffer, each with the length that it expects."""
    with bench.hands_on():
        bench.wire.neighbours[2][0].note(1, 0)
    said = json.loads(run([sys.executable, "-c", ASKER, str(named("PITLINK_PYCCTALK")), bench.port]))
    assert said == {
        "simple_poll": True,
        "equipment_category": "Coin Acceptor",
        "manufacturer_id": "Pitlink",
        "serial_number": [*(54_321).to_bytes(3, "little")],
        "comms_revision": [1, 4, 7],
        "address_mode": [32],
        "data_storage_availability": [0] * 5,
        "perform_self_check": [0],
        "polling_priority": [2, 20],
        "coins": ["TK100A", "......"],
        "open": [True, True, [1]],
        "inhibits": [1, 0],
        "buffer": [1, 1, *[0] * 9],
        "shut": [True, [0]],
    }


@pytest.mark.parametrize("checksum", Checksum)
def test_the_host_of_mordae_empties_the_simulated_hopper(checksum: Checksum) -> None:
    """It enables, takes the key and dispenses; with both checksums."""
    program = named("PITLINK_CCTALK_MORDAE")
    with SimulatedHopper(hopper_board(lifetime=70_000), checksum=checksum) as bench:
        bench.load(4)
        port = os.open(bench.port, os.O_RDWR | os.O_NOCTTY)
        fresh = termios.tcgetattr(port)

        def ask(*numbers: int) -> list[int]:
            option = "--ccitt" if checksum is Checksum.CRC else "--simple"
            termios.tcsetattr(port, termios.TCSANOW, fresh)  # it takes a pty only once as it left it
            said = run([str(program), option, "--device", bench.port, *map(str, numbers)])
            assert said.startswith("success"), said
            return [int(byte) for byte in re.findall(r"\d+", said.partition("data:")[2])]

        assert bytes(ask(3, 245)) == b"Payout"
        assert ask(3, 164, 165) == []
        key = ask(3, 160)
        assert ask(3, 167, *key, 255) == [1]
        assert ask(3, 166) == [1, 0, 4, 251]
        assert int.from_bytes(bytes(ask(3, 168)), "little") == 70_004
        os.close(port)
