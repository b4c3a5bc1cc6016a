"""Data that ships as TOML, checked when it is read: a file that cannot be used is named, with what is wrong in it."""

import tomllib
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from agent_mini.errors import ErrorCode, InputError

Model = TypeVar("Model", bound=BaseModel)


def read_shipped(path: Path, model: type[Model]) -> Model:
    """What a TOML file holds.

    Raises:
        InputError: It cannot be read, or does not hold what it should; the message names the file and the key.
    """
    return parse_shipped(read_text(path), model, path)


def read_text(path: Path) -> str:
    """The text of a file that ships.

    Raises:
        InputError: It cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise unusable(path, "not UTF-8 text") from None
    except OSError as error:
        raise unusable(path, error.strerror or "cannot be read") from None


def parse_shipped(text: str, model: type[Model], path: Path) -> Model:
    """What the text of a TOML file holds.

    Args:
        text: The file's text.
        model: What it should hold.
        path: What to call it in an error.

    Raises:
        InputError: It does not.
    """
    try:
        return model.model_validate(tomllib.loads(text))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise unusable(path, f"{where}: {first['msg'].removeprefix('Value error, ')}") from None
    except (ValueError, RecursionError) as error:  # a TOMLDecodeError is a ValueError
        raise unusable(path, str(error)) from None


def unusable(path: Path, reason: str) -> InputError:
    """The error for a file that ships and cannot be used."""
    return InputError(
        f"{path}: {' '.join(reason.split())}",
        "restore the file, or unset AGENT_DATA_DIR",
        ErrorCode.SETTINGS_INVALID,
    )
