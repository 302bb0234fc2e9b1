"""Process group: a command and all processes it starts, ended together."""

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Final

_ENDINGS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def run(words: Sequence[str], folder: Path) -> int:
    """Runs a command; ended by a signal, it is interrupted and may clear up. Nobody it started is left behind it."""
    process: subprocess.Popen[bytes] | None = None
    is_ended = False

    def end(_number: int, _frame: FrameType | None) -> None:
        nonlocal is_ended
        is_ended = True
        if process is not None:
            os.kill(process.pid, signal.SIGINT)  # not send_signal: it would take the exit code of one that has ended

    # Before it starts: what is heard here is not ignored there, as a shell's & would have it. But nohup is obeyed.
    for ending in _ENDINGS:
        if ending != signal.SIGHUP or signal.getsignal(ending) != signal.SIG_IGN:
            signal.signal(ending, end)
    process = subprocess.Popen(words, cwd=folder, start_new_session=True)
    if is_ended:
        os.kill(process.pid, signal.SIGINT)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # its number stays its own until the others are gone
    for ending in _ENDINGS:
        signal.signal(ending, signal.SIG_IGN)  # there is nobody left to interrupt, and the number is about to be free
    os.killpg(process.pid, signal.SIGKILL)
    return process.wait()
