"""agent_mini.threads: beside the loop, and left behind when it hangs."""

import asyncio
import subprocess
import sys
import threading

import pytest

from agent_mini.threads import in_thread


async def test_it_returns_what_the_function_returns() -> None:
    assert await in_thread(lambda a, b: (a, b, threading.current_thread().daemon), 1, b=2) == (1, 2, True)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (ValueError("no"), ValueError, "^no$"),
        (StopIteration(3), RuntimeError, "StopIteration: 3"),
        (SystemExit(4), RuntimeError, "SystemExit: 4"),
        (KeyboardInterrupt(), RuntimeError, "KeyboardInterrupt"),
    ],
)
async def test_what_it_raises_arrives(error: BaseException, kind: type[Exception], words: str) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(kind, match=words):
        await asyncio.wait_for(in_thread(fail), 10)


async def test_many_that_hang_do_not_hold_up_another() -> None:
    gate = threading.Event()
    hanging = [asyncio.create_task(in_thread(gate.wait, 30)) for _ in range(50)]
    assert await asyncio.wait_for(in_thread(lambda: "quick"), 10) == "quick"
    for task in hanging:
        task.cancel()
    await asyncio.gather(*hanging, return_exceptions=True)
    gate.set()


def test_the_program_ends_while_one_hangs() -> None:
    program = """
import asyncio, threading
from agent_mini.threads import in_thread

async def main():
    try:
        await asyncio.wait_for(in_thread(threading.Event().wait), 0.05)
    except TimeoutError:
        print("left behind")

asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout == "left behind\n"
