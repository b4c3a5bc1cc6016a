"""Everything that can go wrong in a way a person can act on.

    AgentError                 a code, a retryable flag, a hint
    ├── ModelError             the model or its server (LLM_*)
    ├── InputError             what the user gave cannot work; the CLI prints one line and exits with 2
    ├── CheckpointError        a stored state that cannot be used
    └── ScriptExhausted        a scripted model or person was asked once too often

Trouble inside a tool is no exception: it goes back to the model as that call's result. A mistake in a program
is an ordinary Python exception.
"""

from enum import StrEnum


class ErrorCode(StrEnum):
    """Every code an ``AgentError`` can carry."""

    LLM_TIMEOUT = "LLM_TIMEOUT"
    LLM_RATE_LIMITED = "LLM_RATE_LIMITED"
    LLM_UNAVAILABLE = "LLM_UNAVAILABLE"
    LLM_QUOTA_EXCEEDED = "LLM_QUOTA_EXCEEDED"
    LLM_AUTH = "LLM_AUTH"
    LLM_BAD_REQUEST = "LLM_BAD_REQUEST"
    LLM_BAD_OUTPUT = "LLM_BAD_OUTPUT"

    INPUT_INVALID = "INPUT_INVALID"
    SETTINGS_INVALID = "SETTINGS_INVALID"
    NOTHING_ASKED = "NOTHING_ASKED"
    CHECKPOINT_DAMAGED = "CHECKPOINT_DAMAGED"
    CHECKPOINT_FOREIGN = "CHECKPOINT_FOREIGN"
    SCRIPT_EXHAUSTED = "SCRIPT_EXHAUSTED"

    RUN_NOT_FOUND = "RUN_NOT_FOUND"
    RUN_CONFLICT = "RUN_CONFLICT"
    LEASE_LOST = "LEASE_LOST"
    STORE_UNAVAILABLE = "STORE_UNAVAILABLE"
    CHANNEL_UNAVAILABLE = "CHANNEL_UNAVAILABLE"


HINTS: dict[ErrorCode, str] = {
    ErrorCode.LLM_TIMEOUT: "the model took too long: try again, or raise LLM_TIMEOUT",
    ErrorCode.LLM_RATE_LIMITED: "too many requests: wait a minute, then retry",
    ErrorCode.LLM_UNAVAILABLE: "the server cannot be reached or is overloaded: check LLM_BASE_URL and the network, "
    "then retry",
    ErrorCode.LLM_QUOTA_EXCEEDED: "out of quota: choose another model or top up, then retry",
    ErrorCode.LLM_AUTH: "the key was refused: check LLM_API_KEY and that it belongs to LLM_BASE_URL",
    ErrorCode.LLM_BAD_REQUEST: "the server refused the request: check the model's name and what it can do",
    ErrorCode.LLM_BAD_OUTPUT: "the model's output could not be used: try again or choose another model",
    ErrorCode.INPUT_INVALID: "change the input and try again",
    ErrorCode.SETTINGS_INVALID: "mend the setting in the environment or in .env; .env.example lists them all",
    ErrorCode.NOTHING_ASKED: "only a discussion that waits for a person takes an answer",
    ErrorCode.CHECKPOINT_DAMAGED: "the file was left as it is: restore a copy, or start again with another path",
    ErrorCode.CHECKPOINT_FOREIGN: "the file belongs to something else and was left as it is: choose another path",
    ErrorCode.SCRIPT_EXHAUSTED: "add another reply to the script",
    ErrorCode.RUN_NOT_FOUND: "check the run's id",
    ErrorCode.RUN_CONFLICT: "somebody else changed it first: read it again",
    ErrorCode.LEASE_LOST: "another worker has taken the run over",
    ErrorCode.STORE_UNAVAILABLE: "the database cannot be reached: check DATABASE_URL",
    ErrorCode.CHANNEL_UNAVAILABLE: "the tool server cannot be reached: check that it starts",
}

RETRYABLE = frozenset(
    {
        ErrorCode.LLM_TIMEOUT,
        ErrorCode.LLM_RATE_LIMITED,
        ErrorCode.LLM_UNAVAILABLE,
        ErrorCode.STORE_UNAVAILABLE,
        ErrorCode.CHANNEL_UNAVAILABLE,
    }
)


class AgentError(Exception):
    """An error with a code.

    Args:
        code: Which kind.
        message: What happened, in one line.
        hint: What to do about it; the code's own hint when empty.
    """

    def __init__(self, code: ErrorCode, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint or HINTS[code]

    def __reduce__(self) -> tuple[object, ...]:
        """Keep code and hint when the error crosses a process, whatever a subclass's arguments are."""
        return _rebuild, (type(self), self.code, self.message, self.hint)

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed a little later."""
        return self.code in RETRYABLE


class ModelError(AgentError):
    """The model or its server failed; ``code`` is one of ``LLM_*``."""


class InputError(AgentError):
    """What the user gave cannot work: a flag, a setting, a question, an answer."""

    def __init__(self, message: str, hint: str = "", code: ErrorCode = ErrorCode.INPUT_INVALID) -> None:
        super().__init__(code, message, hint)


class CheckpointError(AgentError):
    """A stored state that is damaged, foreign or newer than this version; it is left untouched."""


class ScriptExhausted(AgentError):
    """A scripted model or person was asked more often than its script has answers."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(ErrorCode.SCRIPT_EXHAUSTED, message, hint)


def _rebuild(kind: type[AgentError], code: ErrorCode, message: str, hint: str) -> AgentError:
    error = kind.__new__(kind)
    AgentError.__init__(error, code, message, hint)
    return error
