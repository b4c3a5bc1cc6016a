"""Who speaks: the agent's name, its small talk and its set phrases, from ``data/persona.toml``."""

from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from agent_mini.planner.intents import Said
from agent_mini.planner.phrases import PHRASE_CONFIG, AsPhrases
from agent_mini.shipped import read_shipped


class Topic(BaseModel):
    """Something people say that asks for no tool, and what to say to it."""

    model_config = PHRASE_CONFIG

    words: AsPhrases
    say: Said


class Phrases(BaseModel):
    """What is said around results; ``{...}`` is filled in."""

    model_config = PHRASE_CONFIG

    which: Said
    confirm: Said
    missing: Said
    failed: Said
    skipped: Said
    unreached: Said
    left_out: Said
    changed: Said
    shortened: Said
    no_tool: Said
    no_tools: Said


class Persona(BaseModel):
    """Who speaks."""

    model_config = PHRASE_CONFIG

    name: Said
    phrases: Phrases
    topic: Annotated[tuple[Topic, ...], Field(min_length=1)]

    def topic_of(self, text: str) -> Topic | None:
        """What small talk is about: the topic with the longest word in it; of equals the first."""
        best, length = None, 0
        for topic in self.topic:
            longest = max((end - start for _, (start, end) in topic.words.all(text)), default=0)
            if longest > length:
                best, length = topic, longest
        return best


@cache
def load_persona(path: Path) -> Persona:
    """Who speaks, from a file.

    Raises:
        InputError: The file cannot be read, or does not hold a persona.
    """
    return read_shipped(path, Persona)
