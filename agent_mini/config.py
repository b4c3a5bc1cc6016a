"""Settings: from the environment, then from ``.env``, then defaults that need nothing.

A setting's name is its environment variable in lower case. ``.env.example`` lists them all with a comment.
"""

import difflib
import os
import re
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from dotenv.parser import parse_stream
from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from agent_mini.errors import ErrorCode, InputError

CHECKOUT = Path(__file__).resolve().parent.parent
"""The folder that holds ``pyproject.toml``, ``notebooks/`` and ``data/``."""


class Settings(BaseModel):
    """Every setting, checked.

    Times are in seconds. Nothing here is created or opened: a folder is made by whoever first writes to it.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    llm_provider: str = "roleplay"
    llm_model: str = ""
    llm_base_url: str = "https://api.openai.com/v1"
    llm_api_key: SecretStr = SecretStr("")
    llm_timeout: Annotated[float, Field(gt=0, le=3600)] = 60.0
    llm_connect_timeout: Annotated[float, Field(gt=0, le=600)] = 10.0
    llm_max_retries: Annotated[int, Field(ge=0, le=10)] = 2

    agent_max_rounds: Annotated[int, Field(ge=0, le=100)] = 8
    agent_max_steps: Annotated[int, Field(ge=1, le=100)] = 8
    agent_demo_delay: Annotated[float, Field(ge=0, le=60)] = 0.3
    agent_offline: bool = False
    agent_answers: str = ""
    agent_data_dir: Path = CHECKOUT / "data"
    agent_workspace: Path = Field(default_factory=lambda: user_data_path("agent-mini", appauthor=False))

    @field_validator("llm_base_url")
    @classmethod
    def _absolute_url(cls, value: str) -> str:
        if not _is_web_address(value):
            raise ValueError("must be a whole address such as https://api.example.com/v1")
        if "@" in urlsplit(value).netloc:
            raise ValueError("must hold no user name and no password; the key belongs in LLM_API_KEY")
        return value.rstrip("/")

    @field_validator("agent_data_dir", "agent_workspace")
    @classmethod
    def _absolute_path(cls, value: Path) -> Path:
        try:
            return value.expanduser().resolve()
        except (OSError, RuntimeError):  # a user that is not known; links that lead to each other
            raise ValueError(
                "leads nowhere: no such user's home, or a link that leads back to itself"
            ) from None

    @property
    def model_spec(self) -> str:
        """The chosen model as ``provider[:name]``."""
        return f"{self.llm_provider}:{self.llm_model}" if self.llm_model else self.llm_provider


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings.

    Args:
        environ: The environment, ``os.environ`` when None. ``AGENT_ENV_FILE`` in it names another ``.env``;
            ``none`` means no file. An empty variable counts as not set.

    Raises:
        InputError: A file that cannot be read, a line that is no setting, or a value that cannot work.
    """
    variables = os.environ if environ is None else environ
    env_file = variables.get("AGENT_ENV_FILE", "")
    from_file: dict[str, str] = {}
    if env_file != "none":
        from_file = _read_env_file(Path(env_file) if env_file else CHECKOUT / ".env", required=bool(env_file))
    merged = {**from_file, **{name: value for name, value in variables.items() if value}}
    known = {name: merged[name.upper()] for name in Settings.model_fields if name.upper() in merged}
    try:
        return Settings.model_validate(known)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).upper()
        reason = first["msg"].removeprefix("Value error, ")
        raise InputError(f"{name}: {reason}", code=ErrorCode.SETTINGS_INVALID) from None


def _is_web_address(text: str) -> bool:
    if not text.isprintable() or " " in text:
        return False
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        host.encode("idna")  # refuses labels that are empty or too long
        return parts.scheme in ("http", "https") and bool(host) and parts.port != 0
    except ValueError:
        return False


def _read_env_file(path: Path, *, required: bool) -> dict[str, str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        if required:
            raise InputError(f"{path}: no such file", code=ErrorCode.SETTINGS_INVALID) from None
        return {}
    except UnicodeDecodeError:
        raise InputError(
            f"{path}: not UTF-8 text", "save the file as UTF-8", ErrorCode.SETTINGS_INVALID
        ) from None
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror})",
            "make it a readable file, or move it away",
            ErrorCode.SETTINGS_INVALID,
        ) from None
    values: dict[str, str] = {}
    for binding in parse_stream(StringIO(text)):
        written = binding.original.string
        # The parser counts the blank lines above to the binding.
        line = binding.original.line + written[: len(written) - len(written.lstrip())].count("\n")
        if binding.error or (binding.key is not None and binding.value is None):
            raise InputError(f"{path}, line {line}: not NAME=value", code=ErrorCode.SETTINGS_INVALID)
        if binding.key is not None and binding.value:
            _refuse_unknown(binding.key, path, line)
            values[binding.key] = binding.value
    return values


def _refuse_unknown(name: str, path: Path, line: int) -> None:
    """A misspelt setting would otherwise be a default that nobody chose.

    Of a name that is none, only the beginning is shown: the rest may be a key, as in ``LLM_API_KEY:sk-...==``.
    """
    known = [field.upper() for field in Settings.model_fields]
    if name in known or not name.startswith(("LLM_", "AGENT_")):
        return
    shown = re.split(r"[^A-Za-z_0-9]", name, maxsplit=1)[0]
    if shown in known:
        raise InputError(f"{path}, line {line}: not {shown}=value", code=ErrorCode.SETTINGS_INVALID)
    close = difflib.get_close_matches(shown, known, n=1)
    guess = f"; did you mean {close[0]}?" if close else ""
    raise InputError(f"{path}, line {line}: no setting {shown}{guess}", code=ErrorCode.SETTINGS_INVALID)
