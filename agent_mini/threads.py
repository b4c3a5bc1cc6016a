"""Running something that blocks beside the event loop, without ever having to wait for it.

``asyncio.to_thread`` has a few threads that all share, and the end of the program waits for them: one call that
hangs holds up the others, and the program with them. Here each call has a thread of its own, which is left
behind when nobody waits for it any more.
"""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


async def in_thread(function: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
    """Call ``function`` on a thread and return what it returns.

    Raises:
        Exception: What the function raised; a ``SystemExit`` and the like, and a ``StopIteration``, which no
            future can carry, as a ``RuntimeError`` that names it.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def settle(value: Any, error: Exception | None) -> None:
        if future.done():  # nobody waits any more
            return
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)

    def work() -> None:
        value, error = None, None
        try:
            value = context.run(function, *args, **kwargs)
        except StopIteration as stop:
            error = RuntimeError(f"StopIteration: {stop}")
        except Exception as failure:
            error = failure
        except BaseException as failure:
            error = RuntimeError(f"{type(failure).__name__}: {failure}")
        with suppress(RuntimeError):  # the loop has been closed meanwhile
            loop.call_soon_threadsafe(settle, value, error)

    threading.Thread(target=work, daemon=True).start()
    return await future
