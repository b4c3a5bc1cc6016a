"""A model by name."""

from pathlib import Path

import pytest
from byte_server import ByteServer, answer

from agent_mini.config import Settings, load_settings
from agent_mini.errors import ErrorCode, InputError
from agent_mini.models import OpenAIModel, RoleplayModel
from agent_mini.providers import create_model
from agent_mini.tools import calculate
from agent_mini.types import user

KEY = "sk-secret-0123456789abcdef"
LOCAL = "http://127.0.0.1:11434/v1"


def settings(**variables: str) -> Settings:
    return load_settings(
        {"AGENT_ENV_FILE": "none", **{name.upper(): value for name, value in variables.items()}}
    )


def test_without_any_setting_the_keyless_team_answers() -> None:
    assert isinstance(create_model(None, settings()), RoleplayModel)
    assert isinstance(create_model("roleplay", settings(llm_provider="openai")), RoleplayModel)


async def test_the_keyless_team_takes_its_time_from_the_settings() -> None:
    reply = await create_model("roleplay", settings(agent_demo_delay="0.001")).chat([user("?")])

    assert reply.seconds == 0.001


@pytest.mark.parametrize(
    ("spec", "variables", "name"),
    [
        ("openai:gpt-x", {"llm_api_key": KEY}, "gpt-x"),
        ("openai", {"llm_api_key": KEY, "llm_model": "gpt-y"}, "gpt-y"),
        (None, {"llm_api_key": KEY, "llm_provider": "openai", "llm_model": "gpt-y"}, "gpt-y"),
        ("openai:gpt-x", {"llm_api_key": KEY, "llm_provider": "openai", "llm_model": "gpt-y"}, "gpt-x"),
        ("openai:qwen3:4b", {"llm_base_url": LOCAL}, "qwen3:4b"),
        (None, {"llm_base_url": LOCAL, "llm_provider": "openai", "llm_model": "qwen3:4b"}, "qwen3:4b"),
    ],
)
def test_the_name_is_what_follows_the_first_colon(
    spec: str | None, variables: dict[str, str], name: str
) -> None:
    model = create_model(spec, settings(**variables))

    assert isinstance(model, OpenAIModel)
    assert model.name == name


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "127.8.8.8", "[::]", "box.localhost"])
def test_a_server_on_this_machine_needs_no_key(host: str) -> None:
    create_model("openai:m", settings(llm_base_url=f"http://{host}:11434/v1"))


@pytest.mark.parametrize("host", ["api.openai.com", "192.168.1.5", "localhost.example", "127.0.0.1.example"])
def test_any_other_server_does(host: str) -> None:
    with pytest.raises(InputError, match="wants a key") as caught:
        create_model("openai:m", settings(llm_base_url=f"http://{host}:11434/v1", llm_api_key="  "))

    assert caught.value.code is ErrorCode.SETTINGS_INVALID
    assert "LLM_API_KEY" in caught.value.hint


def test_which_model_must_be_said() -> None:
    with pytest.raises(InputError, match="which model") as caught:
        create_model("openai", settings(llm_api_key=KEY))

    assert caught.value.code is ErrorCode.SETTINGS_INVALID
    assert "LLM_MODEL" in caught.value.hint


@pytest.mark.parametrize("spec", ["open-ai:m", ":m", "OPENAI:m", "gpt-4"])
def test_an_unknown_provider_is_answered_with_the_known_ones(spec: str) -> None:
    with pytest.raises(InputError) as caught:
        create_model(spec, settings())

    assert {"keyless", "roleplay", "openai"} <= set(caught.value.hint.replace(",", "").split())


def test_offline_means_this_machine_only() -> None:
    with pytest.raises(InputError, match="AGENT_OFFLINE"):
        create_model("openai:m", settings(agent_offline="1", llm_api_key=KEY))

    create_model("openai:m", settings(agent_offline="1", llm_base_url=LOCAL))


def test_a_name_that_the_keyless_team_does_not_know_is_refused() -> None:
    with pytest.raises(InputError, match="gpt-x"):
        create_model(None, settings(llm_model="gpt-x"))


async def test_the_keyless_model_uses_tools_and_needs_no_key() -> None:
    model = create_model("keyless", settings(agent_offline="1"))

    assert model.name == "keyless"
    reply = await model.chat([user("17 * 23")], [calculate])
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [
        ("calculate", '{"expression": "17 * 23"}')
    ]


@pytest.mark.parametrize(
    ("spec", "variables", "message"),
    [
        ("keyless:big", {}, "there is no keyless:big"),
        (
            None,
            {"llm_provider": "keyless", "llm_model": "gpt-y"},
            "LLM_MODEL is gpt-y, but LLM_PROVIDER is keyless",
        ),
    ],
)
def test_there_is_only_one_keyless_model(spec: str | None, variables: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        create_model(spec, settings(**variables))


def test_a_model_without_its_provider_says_which_setting_is_missing() -> None:
    with pytest.raises(InputError, match="LLM_MODEL is gpt-y, but LLM_PROVIDER is roleplay") as refused:
        create_model(None, settings(llm_model="gpt-y"))
    assert refused.value.hint == "set LLM_PROVIDER=openai"


async def test_the_settings_reach_the_model(tmp_path: Path) -> None:
    async with ByteServer(answer("a")) as server:
        env = tmp_path / ".env"
        env.write_text(
            f"LLM_PROVIDER=openai\nLLM_MODEL=m\nLLM_BASE_URL={server.url}/\nLLM_API_KEY={KEY}\n", "utf-8"
        )
        model = create_model(None, load_settings({"AGENT_ENV_FILE": str(env)}))
        assert (await model.chat([user("?")])).text == "a"

    assert server.requests[0].line.startswith("POST /v1/chat/completions ")
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
