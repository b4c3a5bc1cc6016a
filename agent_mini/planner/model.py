"""The keyless model: a ``ChatModel`` that plans instead of predicting.

It needs no key and no network, keeps nothing between calls, and answers the same to the same conversation. Each call
reads off the messages what has been done, and asks for the next step's tool, or answers. Any loop that takes a model
takes it. What it does not do: talk. A request that no offered tool serves gets an honest sentence.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from agent_mini.clock import Clock, SystemClock
from agent_mini.config import CHECKOUT
from agent_mini.models import Capabilities, OnDelta
from agent_mini.planner.answers import Speaker
from agent_mini.planner.derive import match_tools
from agent_mini.planner.intents import Intents, load_intents
from agent_mini.planner.persona import load_persona
from agent_mini.planner.progress import Progress, read_progress
from agent_mini.planner.values import Step
from agent_mini.tools import Tool
from agent_mini.types import Delta, Message, Reply, ToolCall, assistant

_SHOWN = re.compile(r"\n|[^\s\u3400-\u9fff]+[^\S\n]*|[\u3400-\u9fff]|\s")


class KeylessModel:
    """Plans from rules and words in ``data/``; see ``agent_mini.planner``.

    Args:
        data_dir: The folder with ``intents/`` and ``persona.toml``.
        intents: What it knows, where that is not what the folder holds.
        clock: Tells it what day it is.

    Raises:
        InputError: A file in the folder cannot be used.
    """

    def __init__(
        self,
        *,
        data_dir: Path = CHECKOUT / "data",
        intents: Intents | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._intents = intents or _load(data_dir / "intents")
        self._persona = load_persona(data_dir / "persona.toml")
        self._clock = clock or SystemClock()

    @property
    def name(self) -> str:
        return "keyless"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(tools=True, streaming=True)

    async def chat(
        self,
        messages: Sequence[Message],
        tools: Iterable[Tool] = (),
        *,
        response_schema: Mapping[str, Any] | None = None,
        grammar: str | None = None,
        on_delta: OnDelta | None = None,
    ) -> Reply:
        offered = tuple(tools)
        offers = match_tools(offered, self._intents)
        progress = self.progress(messages, offered)
        if step := progress.next:
            arguments = json.dumps(step.arguments, ensure_ascii=False)
            call = ToolCall(_new_id(step.number, messages), step.tool, arguments)
            if on_delta:
                on_delta(Delta(call=0, tool_name=step.tool, arguments=arguments))
            return Reply(
                assistant(tool_calls=[call]), self.name, "tool_calls", reasoning=_why(progress, step)
            )
        text = Speaker(self._persona, offers, progress.said).answer(progress)
        if on_delta:
            for piece in _SHOWN.findall(text):
                on_delta(Delta(text=piece))
        return Reply(assistant(text), self.name, reasoning=_why(progress, None))

    def progress(self, messages: Sequence[Message], tools: Iterable[Tool] = ()) -> Progress:
        """Where the newest request of a conversation stands, with the plan for it."""
        offered = tuple(tools)
        offers = match_tools(offered, self._intents)
        return read_progress(messages, offered, offers, self._intents, self._clock.now().date())


def _new_id(number: int, messages: Sequence[Message]) -> str:
    """An id that no call of the conversation has: where its beginning was left out, the numbers begin anew."""
    used = {call.id for message in messages for call in message.tool_calls}
    return next(name for place in count(number) if (name := f"keyless_{place}") not in used)


def _why(progress: Progress, step: Step | None) -> str:
    """The scores behind a step, or behind an answer that took none."""
    segments = progress.plan.segments
    if step is not None:
        segments = segments[step.segment : step.segment + 1]
    elif progress.outcomes:
        return ""
    lines = (
        f"{candidate.tool} {candidate.total:g} = "
        + " + ".join(f"{name} {value:g}" for name, value in candidate.parts.items())
        for part in segments
        for candidate in part.candidates[:3]
    )
    return "\n".join(dict.fromkeys(lines))


@cache
def _load(folder: Path) -> Intents:
    return load_intents(folder)
