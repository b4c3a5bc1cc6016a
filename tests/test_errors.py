"""The error tree and its closed list of codes."""

import pickle

import pytest

from agent_mini.errors import (
    HINTS,
    RETRYABLE,
    AgentError,
    CheckpointError,
    ErrorCode,
    InputError,
    ModelError,
    ScriptExhausted,
)


def test_every_code_has_a_hint_that_fits_on_a_line() -> None:
    assert set(HINTS) == set(ErrorCode)
    assert all(hint and "\n" not in hint and not hint.endswith(".") for hint in HINTS.values())


def test_a_code_is_its_own_name() -> None:
    assert all(code.value == code.name for code in ErrorCode)


@pytest.mark.parametrize("code", list(ErrorCode))
def test_what_may_be_over_soon_is_retryable(code: ErrorCode) -> None:
    assert AgentError(code, "x").retryable is (code in RETRYABLE)


def test_quota_key_and_request_are_not() -> None:
    lasting = {
        ErrorCode.LLM_QUOTA_EXCEEDED,
        ErrorCode.LLM_AUTH,
        ErrorCode.LLM_BAD_REQUEST,
        ErrorCode.LLM_BAD_OUTPUT,
    }

    assert not lasting & RETRYABLE


def test_an_error_may_have_a_hint_of_its_own() -> None:
    assert ModelError(ErrorCode.LLM_TIMEOUT, "x").hint == HINTS[ErrorCode.LLM_TIMEOUT]
    assert ModelError(ErrorCode.LLM_TIMEOUT, "x", "wait").hint == "wait"
    assert InputError("x", "try y").hint == "try y"


@pytest.mark.parametrize(
    "error",
    [
        AgentError(ErrorCode.RUN_CONFLICT, "message", "hint"),
        ModelError(ErrorCode.LLM_AUTH, "message"),
        InputError("message", "hint", ErrorCode.SETTINGS_INVALID),
        InputError("message"),
        CheckpointError(ErrorCode.CHECKPOINT_DAMAGED, "message"),
        ScriptExhausted("message"),
    ],
)
def test_an_error_crosses_a_process_whole(error: AgentError) -> None:
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301

    assert type(copy) is type(error)
    assert (copy.code, copy.message, copy.hint, str(copy)) == (
        error.code,
        error.message,
        error.hint,
        "message",
    )


def test_one_base_catches_them_all() -> None:
    for kind in (ModelError, InputError, CheckpointError, ScriptExhausted):
        assert issubclass(kind, AgentError)
