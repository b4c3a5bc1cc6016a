"""What the agent says: questions, what came of each step, small talk; in the language of the question."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from agent_mini.parsing import parse_arguments
from agent_mini.planner.derive import Offer
from agent_mini.planner.intents import ReplyPart, Said
from agent_mini.planner.persona import Persona
from agent_mini.planner.progress import Outcome, Progress, Result
from agent_mini.planner.templates import fill_in
from agent_mini.planner.values import WHICH, Plan, Question
from agent_mini.prompts import language_of
from agent_mini.types import Language, Message

MAX_LINES = 40
"""Lines of one result that are repeated in the answer."""

MAX_CONTENT = 2000
"""Characters of a result without a template that are repeated."""

_ADVICE = re.compile(r"\.?\s(?:Accepted: |(?:Use|Write|Give|Choose|Leave|Try) )")


class Speaker:
    """Puts into words what has come of a request.

    Args:
        persona: Who speaks.
        offers: The tools that are offered.
        said: Everything the person has said: the language of the newest text that has words is answered in.
    """

    def __init__(self, persona: Persona, offers: Sequence[Offer], said: Sequence[str]) -> None:
        self._persona = persona
        self._offers = {offer.name: offer for offer in offers}
        worded = [text for text in said if any(letter.isalpha() for letter in text)]
        self.language: Language = language_of(worded[-1]) if worded else "en"

    def answer(self, progress: Progress) -> str:
        """The whole answer to a request that nothing is left to do for."""
        if progress.plan.ask:
            return self.question(progress.plan.ask)
        parts = [self.outcome(outcome) for outcome in progress.outcomes]
        parts += [self.result(other.call.name, _arguments(other), other.message) for other in progress.others]
        if not parts:
            return self.small_talk(progress.plan)
        if progress.plan.shortened:
            parts.append(self._say("shortened"))
        return "\n".join(filter(None, parts))

    def question(self, question: Question) -> str:
        """A question for what is missing, or for which tool was meant."""
        if question.slot != WHICH:
            slot = self._offers[question.tools[0]].intent.slots[question.slot]
            return self._own(slot.ask) if slot.ask else self._say("missing", name=question.slot)
        if len(question.tools) == 1:
            return self._say("confirm", does=self._does(question.tools[0]))
        options = [f"{number}. {self._does(tool)}" for number, tool in enumerate(question.tools, 1)]
        return "\n".join([self._say("which"), *options])

    def outcome(self, outcome: Outcome) -> str:
        """What came of one step."""
        step, does = outcome.step, self._does(outcome.step.tool)
        match outcome.state:
            case "done" if outcome.result:
                text = self.result(step.tool, step.arguments, outcome.result)
                return "\n".join(filter(None, [text, self._repaired(outcome)]))
            case "failed" if outcome.result:
                return self._say("failed", does=does, reason=_reason(outcome.result.content))
            case "skipped":
                return self._say("skipped", does=does)
            case _:
                return self._say("unreached", does=does)

    def result(self, tool: str, arguments: Mapping[str, Any], message: Message) -> str:
        """A tool's result by the templates of its intent; what the tool itself says where there are none."""
        if not message.ok:
            return self._say("failed", does=self._does(tool), reason=_reason(message.content))
        offer = self._offers.get(tool)
        values = {**arguments, "content": message.content, **_named(message.data)}
        lines = [line for part in (offer.intent.reply if offer else ()) for line in self._lines(part, values)]
        if len(lines) > MAX_LINES:
            lines = [*lines[:MAX_LINES], f"… (+{len(lines) - MAX_LINES})"]
        return "\n".join(lines) or _short(message.content)

    def small_talk(self, plan: Plan) -> str:
        """The answer to a text that asks for no tool."""
        tools = ("、" if self.language == "zh" else ", ").join(self._does(name) for name in self._offers)
        topic = self._persona.topic_of(plan.text.lower())
        if topic is not None:
            name = self._own(self._persona.name)
            return (
                self._own(topic.say)
                .replace("{name}", name)
                .replace("{tools}", tools or self._say("no_tools"))
            )
        return self._say("no_tool", tools=tools) if tools else self._say("no_tools")

    def _lines(self, part: ReplyPart, values: Mapping[str, Any]) -> list[str]:
        if any(values.get(name) != value for name, value in part.when.items()):
            return []
        template = part.zh if self.language == "zh" else part.en
        if not part.each:
            items: Sequence[Any] = [{}]
        else:
            items = (
                cast("Sequence[Any]", values.get(part.each))
                if isinstance(values.get(part.each), list)
                else []
            )
        scopes = (
            {**values, "item": item, **(cast("Mapping[str, Any]", item) if isinstance(item, Mapping) else {})}
            for item in items
        )
        filled = (fill_in(template, scope if part.each else values, self.language) for scope in scopes)
        return [line for line in filled if line]

    def _repaired(self, outcome: Outcome) -> str:
        fix = outcome.repaired
        if fix is None:
            return ""
        slot = self._offers[outcome.step.tool].intent.slots.get(fix.slot)
        name = self._own(slot.called) if slot and slot.called else fix.slot
        if fix.instead is None:
            return self._say("left_out", name=name, value=str(fix.value))
        return self._say("changed", name=name, value=str(fix.value), instead=str(fix.instead))

    def _does(self, tool: str) -> str:
        offer = self._offers.get(tool)
        return self._own(offer.intent.does) if offer and offer.intent.does else tool

    def _own(self, said: Said) -> str:
        return said.zh if self.language == "zh" else said.en

    def _say(self, key: str, **values: str) -> str:
        text = self._own(getattr(self._persona.phrases, key))
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", value)
        return text


def _arguments(result: Result) -> Mapping[str, Any]:
    try:
        return parse_arguments(result.call.arguments)
    except ValueError:
        return {}


def _named(value: Any) -> dict[str, Any]:
    """The pieces of a result by name, where it has names."""
    return dict(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else {}


def _reason(content: str) -> str:
    """A tool's reason, without what tells a model how to write the call."""
    text = " ".join(content.removeprefix("wrong arguments. ").split())
    return _short(_ADVICE.split(text, maxsplit=1)[0], 300).rstrip(".。")


def _short(text: str, most: int = MAX_CONTENT) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
