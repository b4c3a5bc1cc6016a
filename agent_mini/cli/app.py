"""The frame around every command: one typer app, and one way to say what went wrong.

Exit codes: 0 it worked; 1 it did not (a model failed, something required is missing); 2 the input cannot work.
"""

import os
import sys
from collections.abc import Sequence

import typer
from typer.exceptions import TyperException

from agent_mini.errors import AgentError, CheckpointError, InputError
from agent_mini.printable import printable

app = typer.Typer(
    help="agent-mini: a workbook on building agents, and the system it builds.",
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
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        result = app(args=words, prog_name="agent-mini", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except TyperException as error:
        message = error.format_message().rstrip(".")
        if not message:  # a group without a command has shown its help
            return 0
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "agent-mini"
        return _fail(message, f"see {command} --help", 2)
    except typer.Exit as error:
        return error.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return _fail("stopped", "", 130)
    except (InputError, CheckpointError) as error:
        return _fail(error.message, error.hint, 2)
    except AgentError as error:
        return _fail(f"{error.code}: {error.message}", error.hint, 1)
    except BrokenPipeError:  # whoever read the output, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}", "check the path, its permissions and the disk", 2)


def complain(error: AgentError) -> None:
    """Say what went wrong and what to do about it, in one line on stderr."""
    _fail(error.message if isinstance(error, InputError) else f"{error.code}: {error.message}", error.hint, 1)


def _fail(message: str, hint: str, code: int) -> int:
    line = " ".join(printable(message).split())
    typer.echo(f"error: {line}" + (f" ({hint})" if hint else ""), err=True)
    return code
