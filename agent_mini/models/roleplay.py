"""The keyless team: a model that plays every role from what it is shown, with no key and no network.

It is no language model. It recognises its role by the prompt's first line, finds the question's topic in
``data/roleplay.toml``, and reads off the discussion what comes next: a proposal, a review that asks for what
is missing, a proposal with it, an approval. Asked the same, it answers the same.
"""

import asyncio
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent_mini.config import CHECKOUT
from agent_mini.errors import HINTS, ErrorCode, InputError, ModelError
from agent_mini.models.base import Capabilities, OnDelta
from agent_mini.models.roleplay_scene import Scene, load_topics
from agent_mini.prompts import Role, language_of, role_of
from agent_mini.tools import Tool
from agent_mini.types import Delta, Message, Reply, Usage, assistant


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How the team behaves, for demonstrations and tests.

    Args:
        ask_person: The coordinator asks the person about their constraints before anything else.
        never_agree: The critic never approves.
        bad_decisions: How many of the coordinator's first answers are prose instead of JSON.
        bad_verdict: The critic forgets the verdict line.
        fail_at: Which call fails, counted from 1; 0 for none.
        fail_code: With which code it fails.
    """

    ask_person: bool = False
    never_agree: bool = False
    bad_decisions: int = 0
    bad_verdict: bool = False
    fail_at: int = 0
    fail_code: ErrorCode = ErrorCode.LLM_UNAVAILABLE


VARIANTS: dict[str, Behaviour] = {
    "": Behaviour(),
    "ask": Behaviour(ask_person=True),
    "never-agree": Behaviour(never_agree=True),
    "bad-json": Behaviour(bad_decisions=1),
    "bad-output": Behaviour(bad_decisions=1_000_000),
    "no-verdict": Behaviour(bad_verdict=True),
    "down": Behaviour(fail_at=3),
    "quota": Behaviour(fail_at=3, fail_code=ErrorCode.LLM_QUOTA_EXCEEDED),
}
"""The behaviours that can be chosen by name, as in ``roleplay:ask``."""


class RoleplayModel:
    """Plays coordinator, proposer, critic and summariser, in English and Chinese.

    Args:
        behaviour: How the team behaves, or the name of one of ``VARIANTS``.
        delay: Seconds each reply takes; it streams over that time.
        data_dir: The folder with ``roleplay.toml``.

    Raises:
        InputError: There is no variant of that name.
    """

    def __init__(
        self, behaviour: Behaviour | str = "", *, delay: float = 0.0, data_dir: Path = CHECKOUT / "data"
    ) -> None:
        if isinstance(behaviour, str) and behaviour not in VARIANTS:
            known = ", ".join(filter(None, VARIANTS))
            raise InputError(f"there is no roleplay:{behaviour}", f"choose one of: {known}")
        self._name = "roleplay"
        self._behaviour = VARIANTS[behaviour] if isinstance(behaviour, str) else behaviour
        self._delay = delay
        self._topics = load_topics(data_dir / "roleplay.toml")
        self._calls = 0
        self._decisions = 0

    @property
    def name(self) -> str:
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(tools=False, streaming=True)

    async def chat(
        self,
        messages: Sequence[Message],
        tools: Iterable[Tool] = (),
        *,
        response_schema: Mapping[str, Any] | None = None,
        grammar: str | None = None,
        on_delta: OnDelta | None = None,
    ) -> Reply:
        self._calls += 1
        if self._calls == self._behaviour.fail_at:
            code = self._behaviour.fail_code
            raise ModelError(code, f"{self._name} was told to fail at call {self._calls}", HINTS[code])
        text = self._write(messages)
        await self._stream(text, on_delta)
        usage = Usage(sum(_count(message.content) for message in messages), _count(text))
        return Reply(assistant(text), self._name, usage=usage, seconds=self._delay)

    def _write(self, messages: Sequence[Message]) -> str:
        first = messages[0] if messages else assistant()
        asked = next((m.content for m in messages if m.role == "user"), "")
        role_and_language = role_of(first.content) if first.role == "system" else None
        if role_and_language is None:
            asked = next((m.content for m in reversed(messages) if m.role == "user"), "")
            return Scene.read(asked, language_of(asked), self._topics).advice()
        role, language = role_and_language
        return self._play(role, Scene.read(asked, language, self._topics))

    def _play(self, role: Role, scene: Scene) -> str:
        match role:
            case "coordinator":
                self._decisions += 1
                if self._decisions <= self._behaviour.bad_decisions:
                    return scene.say("I think the proposer should go next.", "我觉得下一步该提案者发言。")
                return json.dumps(scene.decide(self._behaviour.ask_person), ensure_ascii=False)
            case "proposer":
                return scene.propose()
            case "critic":
                review = scene.review(self._behaviour.never_agree)
                return review.rpartition("\n\n")[0] if self._behaviour.bad_verdict else review
            case "summariser":
                return scene.summarise()

    async def _stream(self, text: str, on_delta: OnDelta | None) -> None:
        if on_delta is None:
            await asyncio.sleep(self._delay)
            return
        pieces = re.findall(r"\S+\s*|[\u3400-\u9fff]", text) if self._delay else [text]
        for piece in pieces:
            on_delta(Delta(text=piece))
            await asyncio.sleep(self._delay / len(pieces))


def _count(text: str) -> int:
    """This model's tokens: words and Chinese characters."""
    return len(re.findall(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+", text))
