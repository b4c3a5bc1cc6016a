"""Settings: the environment, then .env, then the defaults."""

import sys
from pathlib import Path
from typing import Any

import pytest
from dotenv import dotenv_values

from agent_mini.config import CHECKOUT, Settings, load_settings
from agent_mini.errors import ErrorCode, InputError

KEY = "sk-secret-0123456789abcdef"
EXAMPLE = CHECKOUT / ".env.example"


def load(**variables: str) -> Settings:
    return load_settings({"AGENT_ENV_FILE": "none", **variables})


def load_file(path: Path, content: str | bytes, **variables: str) -> Settings:
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return load_settings({"AGENT_ENV_FILE": str(path), **variables})


def refused(call: Any) -> InputError:
    """The error that ``call`` raises: a setting to mend, in one line, without the key."""
    with pytest.raises(InputError) as caught:
        call()
    error = caught.value
    assert error.code is ErrorCode.SETTINGS_INVALID
    assert "\n" not in error.message
    assert error.hint
    assert KEY not in f"{error!r} {error.hint} {error.__cause__!r}"
    return error


@pytest.fixture
def env(tmp_path: Path) -> Path:
    return tmp_path / ".env"


# --- where a value comes from --------------------------------------------------------------------------------------


def test_nothing_is_needed() -> None:
    settings = load()

    assert settings.model_spec == "roleplay"
    assert settings.llm_api_key.get_secret_value() == ""
    assert settings.agent_data_dir == CHECKOUT / "data"
    assert settings.agent_workspace.is_absolute()


def test_the_environment_wins_over_the_file_and_the_file_over_the_default(env: Path) -> None:
    settings = load_file(env, "LLM_MODEL=file\nLLM_TIMEOUT=7\n", LLM_MODEL="environment")

    assert (settings.llm_model, settings.llm_timeout, settings.llm_max_retries) == ("environment", 7.0, 2)


def test_an_empty_variable_counts_as_not_set(env: Path) -> None:
    settings = load_file(env, "LLM_MODEL=file\nLLM_TIMEOUT=\n", LLM_MODEL="", LLM_MAX_RETRIES="")

    assert (settings.llm_model, settings.llm_timeout, settings.llm_max_retries) == ("file", 60.0, 2)


def test_the_real_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_MODEL", "m")

    assert load_settings().llm_model == "m"


def test_without_a_name_the_checkouts_own_file_is_read(env: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent_mini.config.CHECKOUT", env.parent)
    assert load_settings({}).llm_model == ""
    env.write_text("LLM_MODEL=m\n", encoding="utf-8")
    assert load_settings({}).llm_model == "m"
    assert load_settings({"AGENT_ENV_FILE": "none"}).llm_model == ""


def test_provider_and_name_make_a_spec() -> None:
    assert load(LLM_PROVIDER="openai", LLM_MODEL="qwen3:4b").model_spec == "openai:qwen3:4b"
    assert load(LLM_PROVIDER="openai").model_spec == "openai"


# --- the file ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        "LLM_MODEL=模型 1",
        "\n# a comment\nexport LLM_MODEL='模型 1' # another\n",
        'LLM_MODEL="模型 1"\r\n',
        "\ufeffLLM_MODEL=模型 1\n",
        "LLM_MODEL = 模型 1\nPATH=/not/ours\nOTHER_TOOLS_KEY=x\n",
    ],
)
def test_a_file_may_be_written_in_many_ways(env: Path, content: str) -> None:
    assert load_file(env, content).llm_model == "模型 1"


def test_a_file_that_is_named_must_be_there(env: Path) -> None:
    assert "no such file" in refused(lambda: load_settings({"AGENT_ENV_FILE": str(env)})).message


def test_a_folder_is_no_file(env: Path) -> None:
    env.mkdir()

    assert str(env) in refused(lambda: load_settings({"AGENT_ENV_FILE": str(env)})).message


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_file_must_be_utf_8(env: Path, encoding: str) -> None:
    error = refused(lambda: load_file(env, f"LLM_API_KEY={KEY}\nLLM_MODEL=café\n".encode(encoding)))

    assert "UTF-8" in error.message + error.hint


@pytest.mark.parametrize("bad", ["just words", "LLM_MODEL", "=value", "LLM_MODEL='open"])
def test_a_line_that_is_no_setting_is_named(env: Path, bad: str) -> None:
    error = refused(lambda: load_file(env, f"LLM_API_KEY={KEY}\n\n{bad}\n"))

    assert f"{env}, line 3" in error.message


@pytest.mark.parametrize(
    ("name", "guess"),
    [
        ("LLM_MODLE", "LLM_MODEL"),
        ("LLM_KEY", "LLM_API_KEY"),
        ("AGENT_OFLINE", "AGENT_OFFLINE"),
        ("AGENT_X", ""),
    ],
)
def test_a_misspelt_name_is_no_silent_default(env: Path, name: str, guess: str) -> None:
    error = refused(lambda: load_file(env, f"{name}={KEY}\n"))

    assert f"line 1: no setting {name}" in error.message
    assert (f"did you mean {guess}?" if guess else name) in error.message


@pytest.mark.parametrize(
    "line", ["LLM_API_KEY:{}==", "LLM_API_KEY：{}==", "LLM_API_KEYS:{}==", "LLM_API_KEY-{}=x"]
)
def test_a_key_where_the_name_should_be_is_not_shown(env: Path, line: str) -> None:
    error = refused(lambda: load_file(env, line.format(KEY) + "\n"))

    assert "line 1" in error.message
    assert "LLM_API_KEY" in error.message


def test_names_that_are_not_ours_are_none_of_our_business(env: Path) -> None:
    load_file(env, "OPENAI_API_KEY=x\n", LLM_SOMETHING_ELSE="x", AGENT_SMITH="x")


# --- values --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LLM_TIMEOUT", "0"),
        ("LLM_TIMEOUT", "-1"),
        ("LLM_TIMEOUT", "3601"),
        ("LLM_TIMEOUT", "nan"),
        ("LLM_TIMEOUT", "inf"),
        ("LLM_TIMEOUT", "a minute"),
        ("LLM_CONNECT_TIMEOUT", "0"),
        ("LLM_CONNECT_TIMEOUT", "601"),
        ("LLM_MAX_RETRIES", "-1"),
        ("LLM_MAX_RETRIES", "11"),
        ("LLM_MAX_RETRIES", "1.5"),
        ("AGENT_MAX_ROUNDS", "-1"),
        ("AGENT_MAX_ROUNDS", "101"),
        ("AGENT_MAX_STEPS", "0"),
        ("AGENT_MAX_STEPS", "101"),
        ("AGENT_DEMO_DELAY", "-0.1"),
        ("AGENT_DEMO_DELAY", "61"),
        ("AGENT_OFFLINE", "perhaps"),
        ("LLM_BASE_URL", "api.openai.com/v1"),
        ("LLM_BASE_URL", "localhost:11434/v1"),
        ("LLM_BASE_URL", "ftp://api.openai.com"),
        ("LLM_BASE_URL", "https://"),
        ("LLM_BASE_URL", "http://host:eleven/v1"),
        ("LLM_BASE_URL", "http://host:99999/v1"),
        ("LLM_BASE_URL", "http://[::1/v1"),
        ("LLM_BASE_URL", "http://api..example/v1"),
        ("LLM_BASE_URL", "http://.example/v1"),
        ("LLM_BASE_URL", f"http://{'a' * 64}.example/v1"),
        ("LLM_BASE_URL", "http://api example/v1"),
        ("LLM_BASE_URL", "http://api.example/v1\n"),
        ("LLM_BASE_URL", "http://api.ex\x7fample/v1"),
        ("LLM_BASE_URL", "http://api.example/\udce9"),
        ("LLM_BASE_URL", f"http://{KEY}:{KEY}/v1"),
    ],
)
def test_a_value_that_cannot_work_is_named(name: str, value: str) -> None:
    assert refused(lambda: load(**{name: value, "LLM_API_KEY": KEY})).message.startswith(f"{name}: ")


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("LLM_TIMEOUT", "3600", 3600.0),
        ("LLM_MAX_RETRIES", "0", 0),
        ("AGENT_MAX_ROUNDS", "0", 0),
        ("AGENT_OFFLINE", "1", True),
        ("AGENT_OFFLINE", "no", False),
        ("LLM_BASE_URL", "http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434/v1"),
        ("LLM_BASE_URL", "http://[::1]:8000", "http://[::1]:8000"),
        ("LLM_BASE_URL", "http://my_models.例子.中国.", "http://my_models.例子.中国."),
    ],
)
def test_a_value_at_the_edge_works(name: str, value: str, read: Any) -> None:
    assert getattr(load(**{name: value}), name.lower()) == read


@pytest.mark.parametrize("name", [f"user:{KEY}", KEY, f":{KEY}"])
def test_a_key_inside_the_address_is_refused(name: str) -> None:
    assert "LLM_API_KEY" in refused(lambda: load(LLM_BASE_URL=f"https://{name}@api.example/v1")).message


def test_paths_become_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load(AGENT_WORKSPACE="here", AGENT_DATA_DIR="~")

    assert settings.agent_workspace == (tmp_path / "here").resolve()
    assert settings.agent_data_dir == Path.home().resolve()
    assert not (tmp_path / "here").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows guesses where another user's home is")
def test_the_home_of_nobody_is_no_path() -> None:
    error = refused(lambda: load(AGENT_WORKSPACE="~nosuchuser/x"))

    assert error.message.startswith("AGENT_WORKSPACE: leads nowhere")


@pytest.mark.skipif(sys.platform == "win32", reason="making a link takes rights there")
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="whoever opens the folder meets the error")
def test_links_that_lead_to_each_other_are_no_path(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    error = refused(lambda: load(AGENT_DATA_DIR=str(tmp_path / "a" / "x")))

    assert error.message.startswith("AGENT_DATA_DIR: leads nowhere")


def test_the_key_does_not_show() -> None:
    settings = load(LLM_API_KEY=KEY)

    assert settings.llm_api_key.get_secret_value() == KEY
    assert KEY not in f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}"


def test_settings_do_not_change() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load().llm_model = "m"  # type: ignore[misc]


# --- .env.example --------------------------------------------------------------------------------------------------


def test_the_example_lists_every_setting_once_and_no_other() -> None:
    names = [line.partition("=")[0] for line in EXAMPLE.read_text("utf-8").splitlines() if line[:1].isupper()]

    assert sorted(names) == sorted(name.upper() for name in Settings.model_fields)


def test_the_example_explains_every_setting() -> None:
    lines = EXAMPLE.read_text("utf-8").splitlines()

    assert all(lines[place - 1].startswith("# ") for place, line in enumerate(lines) if line[:1].isupper())


def test_the_example_copied_as_it_is_changes_nothing() -> None:
    assert load_settings({"AGENT_ENV_FILE": str(EXAMPLE)}) == load()


def test_every_choice_in_the_example_works(env: Path) -> None:
    """Each block of commented settings, taken by itself."""
    blocks = [
        "\n".join(
            line.removeprefix("# ") for line in block.splitlines() if line.startswith(("# LLM_", "# AGENT_"))
        )
        for block in EXAMPLE.read_text("utf-8").split("\n\n")
    ]
    chosen = [load_file(env, block) for block in blocks if block]

    assert len(chosen) == 4
    assert all(settings.model_spec.startswith("openai:") for settings in chosen)
    assert set(dotenv_values(env)) <= {name.upper() for name in Settings.model_fields}
