"""agent_mini.prompts: complete in both languages, and recognisable."""

import pytest

from agent_mini import prompts
from agent_mini.prompts import ROLES, language_of, role_of, role_prompt


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("role", ROLES)
def test_every_role_knows_itself(role: prompts.Role, language: prompts.Language) -> None:
    assert role_of(role_prompt(role, language)) == (role, language)


def test_another_prompt_is_no_role() -> None:
    assert role_of("You are a helpful assistant.") is None


@pytest.mark.parametrize(
    "table", [prompts.HEADINGS, prompts.SUMMARISE, prompts.ROLE_LINES], ids=["headings", "tasks", "lines"]
)
def test_both_languages_say_the_same_things(table: dict[str, dict[str, str]]) -> None:
    assert table["en"].keys() == table["zh"].keys()
    for key, text in table["en"].items():
        assert text.count("{") == table["zh"][key].count("{"), key


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_prompts_name_what_the_code_reads(language: prompts.Language) -> None:
    coordinator = role_prompt("coordinator", language)
    for word in ("dispatch", "ask_human", "target", "question", "proposer", "critic"):
        assert f'"{word}"' in coordinator
    assert "VERDICT: APPROVE" in role_prompt("critic", language)
    assert "VERDICT: REVISE" in role_prompt("critic", language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Should we use Go?", "en"),
        ("该用 Go 吗？", "zh"),
        ("用 FastAPI 和 PostgreSQL", "zh"),
        ("What does 你好 mean?", "en"),
        ("42", "en"),
        ("", "en"),
    ],
)
def test_the_language_follows_the_question(text: str, language: str) -> None:
    assert language_of(text) == language
