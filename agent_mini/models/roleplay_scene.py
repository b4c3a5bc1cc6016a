"""What a role of the keyless team sees, and what it says.

A ``Scene`` is read from what ``agent_mini.engine.build_context`` wrote; each method writes one role's part.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from agent_mini.prompts import HEADINGS
from agent_mini.shipped import read_shipped
from agent_mini.types import Language


class _Part(BaseModel):
    subject: str
    recommend: str
    steps: Annotated[list[str], Field(min_length=1)]
    risk: str
    measure: str


class _Topic(BaseModel):
    name: str
    words: list[str]
    en: _Part
    zh: _Part


class _Topics(BaseModel):
    topic: Annotated[list[_Topic], Field(min_length=1)]


@dataclass(frozen=True)
class Scene:
    """What a role sees: the question, who spoke, what they said, and the topic."""

    question: str
    language: Language
    speakers: tuple[str, ...]
    texts: tuple[str, ...]
    part: _Part

    @classmethod
    def read(cls, shown: str, language: Language, topics: Sequence[_Topic]) -> "Scene":
        """Read the user message that ``agent_mini.engine.build_context`` writes, or a bare question."""
        words = HEADINGS[language]
        body = shown.removeprefix(words["question"]).rpartition(f"\n{words['task']}\n")[0] or shown
        question, _, discussion = body.partition(f"\n{words['discussion']}\n")
        names = "|".join(words[speaker] for speaker in ("proposer", "critic", "person", "summariser"))
        turns = re.split(rf"^## \d+\. ({names})(?: \(\w+\))?$", discussion, flags=re.MULTILINE)[1:]
        question = question.strip()
        topic = max(topics, key=lambda topic: _hits(topic, question))
        speakers = {words[speaker]: speaker for speaker in ("proposer", "critic", "person", "summariser")}
        return cls(
            question,
            language,
            tuple(speakers[name] for name in turns[::2]),
            tuple(text.strip() for text in turns[1::2]),
            topic.zh if language == "zh" else topic.en,
        )

    def say(self, english: str, chinese: str) -> str:
        return chinese if self.language == "zh" else english

    def last(self, speaker: str) -> str:
        """What ``speaker`` said last, empty if nothing."""
        said = [text for who, text in zip(self.speakers, self.texts, strict=True) if who == speaker]
        return said[-1] if said else ""

    @property
    def focus(self) -> str:
        """The question in short."""
        line = self.question.splitlines()[0].rstrip("?？.。!！ ") if self.question else ""
        return line if len(line) <= 80 else line[:77] + "..."

    def decide(self, ask_person: bool) -> dict[str, str]:
        if ask_person and "person" not in self.speakers:
            return {
                "action": "ask_human",
                "question": self.say(
                    f"About “{self.focus}”: which limit must not be broken (money, time, people)?",
                    f"关于“{self.focus}”：哪个限制绝对不能突破（钱、时间、人手）？",
                ),
                "reason": self.say("only the person knows the limits", "只有提问的人知道限制"),
            }
        match self.speakers[-1] if self.speakers else "":
            case "proposer":
                target, instruction = "critic", self.say("Review the latest proposal.", "评审最新的提案。")
                reason = self.say("a proposal waits for its review", "有提案等待评审")
            case "critic":
                target = "proposer"
                instruction = self.say(
                    "Write the proposal again with what the review asks for.", "按评审意见重写提案。"
                )
                reason = self.say("the review asks for changes", "评审要求修改")
            case _:
                target = "proposer"
                instruction = self.say(
                    f"Write a first proposal on {self.part.subject}.",
                    f"就“{self.part.subject}”写出第一版提案。",
                )
                reason = self.say("nothing has been proposed yet", "还没有提案")
        return {"action": "dispatch", "target": target, "instruction": instruction, "reason": reason}

    def propose(self) -> str:
        revised = "critic" in self.speakers
        title = self.say("Proposal", "提案") if not revised else self.say("Proposal, revised", "提案（修订）")
        colon = self.say(": ", "：")
        lines = [f"**{title}{colon}{self.focus}**", "", self.part.recommend, ""]
        lines += [f"{number}. {step}" for number, step in enumerate(self.part.steps, 1)]
        if limit := self.last("person"):
            limit = limit.splitlines()[-1]
            lines += ["", self.say(f"Within this limit: {limit}", f"以此为限：{limit}")]
        if revised:
            lines += [
                "",
                self.say(
                    f"**How we will know**: {self.part.measure}", f"**如何判断成功**：{self.part.measure}"
                ),
            ]
        return "\n".join(lines)

    def review(self, never_agree: bool) -> str:
        if self.part.measure in self.last("proposer") and not never_agree:
            opinion = self.say(
                f"The proposal now says how it is judged, and that answers what was missing: {self.part.measure}",
                f"提案现在说明了如何判断，补上了之前缺的部分：{self.part.measure}",
            )
            return f"{opinion}\n\nVERDICT: APPROVE"
        opinion = self.say(
            f"The order is right and the first step is cheap. {self.part.risk} Add a measure that settles it.",
            f"顺序是对的，第一步的代价也小。{self.part.risk}请加上一个能判断它的指标。",
        )
        return f"{opinion}\n\nVERDICT: REVISE"

    def summarise(self) -> str:
        agreed = self.speakers[-1:] == ("critic",) and "VERDICT: APPROVE" in self.texts[-1]
        opening = (
            self.say("The team agrees.", "团队达成一致。")
            if agreed
            else self.say("The team did not reach a consensus.", "团队没有达成一致。")
        )
        close = (
            self.say(f"It has worked when: {self.part.measure}", f"成功的标志：{self.part.measure}")
            if agreed
            else self.say(f"Still open: {self.part.risk}", f"还没有定论：{self.part.risk}")
        )
        first = self.part.steps[0]
        return "\n\n".join(
            [
                f"{opening} {self.part.recommend}"
                if self.language == "en"
                else f"{opening}{self.part.recommend}",
                self.say(f"Begin here: {first}", f"从这里开始：{first}"),
                close,
            ]
        )

    def advice(self) -> str:
        """The answer of no role, to a bare question."""
        steps = " ".join(self.part.steps) if self.language == "en" else "".join(self.part.steps)
        return f"{self.part.recommend}\n\n{steps}"


def _hits(topic: _Topic, question: str) -> int:
    """How many of the topic's words the question has: whole words in English, anywhere in Chinese."""
    latin = set(re.findall(r"[a-z0-9]+", question.lower()))
    return sum(word in latin if word.isascii() else word in question for word in topic.words)


@cache
def load_topics(path: Path) -> tuple[_Topic, ...]:
    """The topics in a file.

    Raises:
        InputError: The file cannot be read, or does not hold topics.
    """
    topics = read_shipped(path, _Topics).topic
    # max() takes the first of equals: with the wordless topic in front, no hit at all falls to it.
    return tuple(sorted(topics, key=lambda topic: bool(topic.words)))
