"""The frame around every command: one typer app, and one way to say what went wrong.

Exit codes: 0 it worked; 1 it did not (a model failed, something required is missing); 2 the input cannot work.
"""

import sys
from collections.abc import Sequence

import click
import typer

from agent_mini.errors import AgentError, InputError

app = typer.Typer(
    help="agent-mini: a workbook on building agents, and the system it builds.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; trouble is one line on stderr, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        # Chinese must print on a Windows console and in a pipe too.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    try:
        result = app(args=arguments, prog_name="agent-mini", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        typer.echo(error.format_message())
        return 0
    except click.UsageError as error:
        hint = (
            f"agent-mini {error.ctx.info_name} --help"
            if error.ctx and error.ctx.parent
            else "agent-mini --help"
        )
        return _fail(error.format_message().rstrip("."), f"see {hint}", 2)
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _fail("stopped", "", 130)
    except InputError as error:
        return _fail(error.message, error.hint, 2)
    except AgentError as error:
        return _fail(f"{error.code}: {error.message}", error.hint, 1)


def _fail(message: str, hint: str, code: int) -> int:
    line = " ".join(message.split())
    typer.echo(f"error: {line}" + (f" ({hint})" if hint else ""), err=True)
    return code
