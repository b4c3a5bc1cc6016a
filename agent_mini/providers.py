"""A model by name: ``provider[:name]``, the same everywhere, in settings, on the command line and in notebooks."""

from collections.abc import Callable

from agent_mini.config import Settings
from agent_mini.errors import ErrorCode, InputError
from agent_mini.models.base import ChatModel
from agent_mini.models.exchange import is_loopback
from agent_mini.models.openai import OpenAIModel
from agent_mini.models.roleplay import VARIANTS, RoleplayModel
from agent_mini.planner.model import KeylessModel


def create_model(spec: str | None, settings: Settings) -> ChatModel:
    """Make the model that ``spec`` names.

    Args:
        spec: ``provider[:name]``, or None for the one in the settings.
        settings: Where its server and key are found.

    Raises:
        InputError: No such provider, or something it needs is not set.
    """
    provider, _, name = (spec or settings.model_spec).partition(":")
    create = PROVIDERS.get(provider)
    if create is None:
        raise InputError(f"there is no model provider {provider!r}", f"choose one of: {', '.join(PROVIDERS)}")
    return create(name, settings)


def _roleplay(name: str, settings: Settings) -> ChatModel:
    if name and name == settings.llm_model and name not in VARIANTS:
        raise _missing(f"LLM_MODEL is {name}, but LLM_PROVIDER is roleplay", "set LLM_PROVIDER=openai")
    return RoleplayModel(name, delay=settings.agent_demo_delay, data_dir=settings.agent_data_dir)


def _keyless(name: str, settings: Settings) -> ChatModel:
    if name and name == settings.llm_model:
        raise _missing(f"LLM_MODEL is {name}, but LLM_PROVIDER is keyless", "set LLM_PROVIDER=openai")
    if name:
        raise InputError(f"there is no keyless:{name}", "write keyless alone: there is only one")
    return KeylessModel(data_dir=settings.agent_data_dir)


def _openai(name: str, settings: Settings) -> ChatModel:
    model = name or settings.llm_model
    if not model:
        raise _missing("openai: which model?", "write openai:NAME, or set LLM_MODEL")
    local = is_loopback(settings.llm_base_url)
    if settings.agent_offline and not local:
        raise _missing(
            f"AGENT_OFFLINE is set, and {settings.llm_base_url} is not on this machine", "unset it"
        )
    key = settings.llm_api_key.get_secret_value()
    if not (key.strip() or local):
        raise _missing(
            f"{settings.llm_base_url} wants a key", "set LLM_API_KEY in the environment or in .env"
        )
    return OpenAIModel(
        model,
        base_url=settings.llm_base_url,
        api_key=key,
        timeout=settings.llm_timeout,
        connect_timeout=settings.llm_connect_timeout,
        max_retries=settings.llm_max_retries,
    )


def _missing(message: str, hint: str) -> InputError:
    return InputError(message, hint, ErrorCode.SETTINGS_INVALID)


PROVIDERS: dict[str, Callable[[str, Settings], ChatModel]] = {
    "keyless": _keyless,
    "roleplay": _roleplay,
    "openai": _openai,
}
"""What can stand before the colon."""
