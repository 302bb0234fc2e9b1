"""Worker process for long work; it ends with the meter that started it."""

import asyncio
import os
import sys
import threading
from contextlib import suppress


async def run_worker(module: str, task: bytes) -> tuple[int, bytes]:
    """Runs this module with a task on its standard input; its exit code, and what it wrote to standard output."""
    mqtt = asyncio.subprocess.PIPE
    # -P: the folder we stand in holds state and may be written to; no module comes from there.
    worker = await asyncio.create_subprocess_exec(sys.executable, "-P", "-m", module, stdin=mqtt, stdout=mqtt)
    try:
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(task + b"\n")
        found = await worker.stdout.read()
        return await worker.wait(), found
    finally:
        if worker.returncode is None:
            worker.kill()
            await worker.wait()


def worker_task(niceness: int) -> bytes:
    """The task of this process; from now on it ends when the meter does, and lets the floor come first."""
    task = sys.stdin.buffer.readline()
    threading.Thread(target=_end_with_the_meter, daemon=True).start()
    with suppress(PermissionError):  # a sandbox may forbid it
        os.nice(niceness)
    return task


def _end_with_the_meter() -> None:
    """The meter keeps our standard input open for as long as it lives."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)
