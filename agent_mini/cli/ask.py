"""``agent-mini ask``: one question to one model, to see that it answers."""

import asyncio
from typing import Annotated

import typer
from rich.console import Console

from agent_mini.cli.app import app
from agent_mini.cli.inputs import read_question
from agent_mini.config import load_settings
from agent_mini.printable import printable
from agent_mini.providers import create_model
from agent_mini.types import Delta, Message, Reply, system, user


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="What to ask; - reads it from standard input.")],
    model: Annotated[
        str | None, typer.Option(help="provider[:name], for example openai:NAME; the one in .env by default.")
    ] = None,
    instructions: Annotated[str, typer.Option("--system", help="A system message to go before it.")] = "",
) -> None:
    """Ask a model one question."""
    messages = [user(read_question(question))]
    if instructions:
        messages.insert(0, system(instructions))
    reply = asyncio.run(_answer(model, messages))
    # On stderr, so that a redirected answer is nothing but the answer.
    Console(stderr=True, highlight=False).print(printable(_footer(reply)), style="dim", markup=False)


async def _answer(spec: str | None, messages: list[Message]) -> Reply:
    chosen = create_model(spec, load_settings())
    streamed = False

    def show(delta: Delta) -> None:
        nonlocal streamed
        streamed = streamed or bool(delta.text)
        _print(delta.text)

    try:
        reply = await chosen.chat(messages, on_delta=show)
    finally:
        if streamed:
            _print("\n")
    if not streamed:
        _print(f"{reply.text}\n")
    return reply


def _print(text: str) -> None:
    typer.echo(printable(text), nl=False)


def _footer(reply: Reply) -> str:
    usage = reply.usage
    parts = [
        reply.model,
        f"{reply.seconds:.1f} s",
        f"{usage.prompt_tokens} + {usage.completion_tokens} tokens",
    ]
    if reply.finish_reason != "stop":
        parts.append(f"ended by {reply.finish_reason}")
    return " · ".join(parts)
