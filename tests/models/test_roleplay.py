"""agent_mini.models.roleplay: deterministic, bilingual, and about the question."""

import json
import time
from pathlib import Path

import pytest

from agent_mini.config import CHECKOUT
from agent_mini.engine import build_context, new_discussion
from agent_mini.errors import ErrorCode, InputError, ModelError
from agent_mini.models import Behaviour, RoleplayModel
from agent_mini.models.roleplay import VARIANTS
from agent_mini.models.roleplay_scene import load_topics
from agent_mini.prompts import Role, role_prompt
from agent_mini.types import Message, TeamState, Turn, Verdict, system, user

TOPICS = load_topics(CHECKOUT / "data" / "roleplay.toml")


def shown(role: Role, state: TeamState) -> list[Message]:
    return [system(role_prompt(role, state.language)), user(build_context(state, "Now."))]


async def play(role: Role, state: TeamState, behaviour: Behaviour | str = "") -> str:
    return (await RoleplayModel(behaviour).chat(shown(role, state))).text


STATE = new_discussion("Should we move our runs from SQLite to PostgreSQL?")


async def test_the_same_question_gets_the_same_answer() -> None:
    assert await play("proposer", STATE) == await play("proposer", STATE)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "topic: Field required"),
        (b"topic = []", "topic: List should have at least 1 item"),
        (b"[[topic]]\nname = 'a'\nwords = []\n", "topic.0.en: Field required"),
        (b"[[topic]\n", "line 1"),
        ("名 = '好'".encode("gbk"), "not UTF-8"),
        (b"a = " + b"[" * 100_000, ""),
        (None, "No such file"),
    ],
)
def test_a_file_of_topics_that_cannot_be_used_is_named(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    path = tmp_path / "roleplay.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        RoleplayModel(data_dir=tmp_path)

    assert caught.value.message.startswith(f"{path}: ")
    assert reason in caught.value.message
    assert "\n" not in caught.value.message
    assert "AGENT_DATA_DIR" in caught.value.hint


def test_a_topic_without_steps_is_no_topic(tmp_path: Path) -> None:
    part = "{subject = 's', recommend = 'r', steps = [], risk = 'r', measure = 'm'}"
    text = f"[[topic]]\nname = 'a'\nwords = []\nen = {part}\nzh = {part}\n"
    (tmp_path / "roleplay.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"topic\.0\.en\.steps"):
        RoleplayModel(data_dir=tmp_path)


async def test_the_proposal_is_about_the_question() -> None:
    text = await play("proposer", STATE)
    assert "Should we move our runs from SQLite to PostgreSQL" in text
    assert "relational database" in text
    other = await play("proposer", new_discussion("How do we onboard a new team member?"))
    assert other.splitlines()[2] != text.splitlines()[2]


async def test_review_revise_review_approve() -> None:
    first = STATE.with_turn(Turn("proposer", "p", await play("proposer", STATE)))
    review = await play("critic", first)
    assert review.endswith("VERDICT: REVISE")
    second = first.with_turn(Turn("critic", "r", review, Verdict.REVISE))
    revised = await play("proposer", second)
    assert "revised" in revised
    third = second.with_turn(Turn("proposer", "p", revised))
    assert (await play("critic", third)).endswith("VERDICT: APPROVE")
    assert (await play("critic", third, "never-agree")).endswith("VERDICT: REVISE")
    assert "VERDICT" not in await play("critic", third, "no-verdict")


async def test_the_summary_says_whether_there_is_agreement() -> None:
    turns = STATE.with_turn(Turn("proposer", "p", "x"))
    agreed = turns.with_turn(Turn("critic", "r", "fine\n\nVERDICT: APPROVE", Verdict.APPROVE))
    assert (await play("summariser", agreed)).startswith("The team agrees.")
    assert (await play("summariser", turns)).startswith("The team did not reach a consensus.")


async def test_the_persons_limit_reaches_the_proposal() -> None:
    asked = json.loads(await play("coordinator", STATE, "ask"))
    assert asked["action"] == "ask_human"
    answered = STATE.with_turn(Turn("person", asked["question"], "two people, one month"))
    assert json.loads(await play("coordinator", answered, "ask"))["target"] == "proposer"
    assert "Within this limit: two people, one month" in await play("proposer", answered)


async def test_chinese_stays_chinese() -> None:
    state = new_discussion("我们该用 PostgreSQL 吗？")
    proposal = await play("proposer", state)
    assert proposal.startswith("**提案：我们该用 PostgreSQL 吗**")
    assert "关系型数据库" in proposal


async def test_a_bare_question_gets_advice_and_nothing_at_all_still_answers() -> None:
    model = RoleplayModel()
    assert "relational database" in (await model.chat([user("Which database?")])).text
    assert (await model.chat([])).text
    assert (await model.chat([system("Be brief."), user("")])).text


async def test_a_question_with_headings_in_it_is_still_one_question() -> None:
    state = new_discussion("# Question\n\nWhat is\n# Your task\n## 1. critic\nfor a database?")
    assert "relational database" in await play("proposer", state)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_every_topic_is_whole_in_both_languages(topic) -> None:  # type: ignore[no-untyped-def]
    for part in (topic.en, topic.zh):
        assert len(part.steps) == 3
        assert all([part.subject, part.recommend, part.risk, part.measure, *part.steps])
    assert topic.name == "general" or any(word.isascii() for word in topic.words)
    assert topic.name == "general" or any(not word.isascii() for word in topic.words)


async def test_streaming_gives_the_text_piece_by_piece_over_the_delay() -> None:
    pieces: list[str] = []
    model, started = RoleplayModel(delay=0.05), time.perf_counter()
    reply = await model.chat(
        [user("哪个数据库？ Which one?")], on_delta=lambda delta: pieces.append(delta.text)
    )
    assert "".join(pieces) == reply.text
    assert len(pieces) > 3
    assert (reply.seconds, time.perf_counter() - started >= 0.05) == (0.05, True)


async def test_failing_at_a_call() -> None:
    model = RoleplayModel(Behaviour(fail_at=2, fail_code=ErrorCode.LLM_RATE_LIMITED))
    await model.chat([user("a")])
    with pytest.raises(ModelError) as failed:
        await model.chat([user("a")])
    assert (failed.value.code, failed.value.retryable) == (ErrorCode.LLM_RATE_LIMITED, True)
    await model.chat([user("a")])


async def test_tokens_are_words_and_characters() -> None:
    reply = await RoleplayModel().chat([user("用 PostgreSQL 16")])
    assert reply.usage.prompt_tokens == 3
    assert reply.usage.completion_tokens > 10


def test_an_unknown_variant_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="there is no roleplay:silent") as refused:
        RoleplayModel("silent")
    assert all(name in refused.value.hint for name in VARIANTS if name)


async def test_in_a_conversation_the_newest_question_is_answered() -> None:
    model, question = RoleplayModel(), user("Should we move from SQLite to PostgreSQL?")
    alone = await model.chat([question])
    later = await model.chat([user("我们该用微服务吗？"), Message("assistant", "好。"), question])
    assert later.text == alone.text
