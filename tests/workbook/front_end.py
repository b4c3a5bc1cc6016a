"""A real kernel, and the messages that a browser would send it."""

import subprocess
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.manager import AsyncKernelManager

from agent_mini.workbook.kernel import isolated_environment

PATIENCE = 30.0


class FrontEnd:
    """What a browser does: runs a cell, collects the widgets it makes, types and clicks."""

    def __init__(self, client: AsyncKernelClient) -> None:
        self.client = client
        self.models: dict[str, dict[str, Any]] = {}
        self.shown: list[dict[str, Any]] = []
        self.printed = ""
        self.idle = False
        self.cell = ""

    def run(self, code: str, allow_stdin: bool = True) -> None:
        self.shown, self.printed, self.idle = [], "", False
        self.cell = self.client.execute(code, allow_stdin=allow_stdin)

    async def until(self, condition: Callable[[], object]) -> None:
        """Take the kernel's messages in until ``condition`` holds."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            left = deadline - time.monotonic()
            assert left > 0, f"never came: {self.printed}"
            self._take(await self.client.get_iopub_msg(timeout=left))

    async def finish(self) -> str:
        await self.until(lambda: self.idle)
        return self.printed

    def _take(self, message: Any) -> None:
        content, kind = message["content"], message["msg_type"]
        if kind == "comm_open":
            self.models[content["comm_id"]] = dict(content["data"]["state"])
        elif kind == "comm_msg" and content["data"]["method"] == "update":
            self.models[content["comm_id"]].update(content["data"]["state"])
        elif message["parent_header"].get("msg_id") != self.cell:
            return
        elif kind == "stream":
            self.printed += content["text"]
        elif kind == "error":
            self.printed += f"{content['ename']}: {content['evalue']}"
        elif kind == "display_data":
            self.shown.append(content["data"])
        elif kind == "status":
            self.idle = content["execution_state"] == "idle"

    def labels(self) -> list[str]:
        return [
            model["description"] for model in self.models.values() if model["_model_name"] == "ButtonModel"
        ]

    def html(self) -> str:
        return " ".join(
            model["value"] for model in self.models.values() if model["_model_name"] == "HTMLModel"
        )

    def disabled(self) -> bool:
        controls = [m for m in self.models.values() if m["_model_name"] in ("ButtonModel", "TextModel")]
        return bool(controls) and all(model["disabled"] for model in controls)

    def type(self, text: str) -> None:
        for comm_id, model in self.models.items():
            if model["_model_name"] == "TextModel":
                self._send(comm_id, {"method": "update", "state": {"value": text}, "buffer_paths": []})

    def press_enter(self) -> None:
        """Press the Enter key in every text field."""
        for comm_id, model in self.models.items():
            if model["_model_name"] == "TextModel":
                self._send(comm_id, {"method": "custom", "content": {"event": "submit"}})

    def click(self, label: str) -> None:
        for comm_id, model in self.models.items():
            if model["_model_name"] == "ButtonModel" and model["description"] == label:
                self._send(comm_id, {"method": "custom", "content": {"event": "click"}})
                return
        raise AssertionError(f"no button {label} among {self.labels()}")

    def _send(self, comm_id: str, data: dict[str, Any]) -> None:
        message = self.client.session.msg("comm_msg", {"comm_id": comm_id, "data": data})
        self.client.shell_channel.send(message)


@asynccontextmanager
async def running_front_end(folder: Path, setup: str) -> AsyncGenerator[FrontEnd]:
    """Start a kernel that has run ``setup``, and end it. It keeps what it writes in ``folder``."""
    manager = AsyncKernelManager(kernel_name="python3")
    await manager.start_kernel(stderr=subprocess.DEVNULL, env=isolated_environment(folder))
    client = manager.client()
    client.start_channels()
    try:
        await client.wait_for_ready(timeout=PATIENCE)
        front_end = FrontEnd(client)
        front_end.run(setup)
        assert await front_end.finish() == ""
        yield front_end
    finally:
        client.stop_channels()
        await manager.shutdown_kernel(now=True)
        await manager.cleanup_resources()
