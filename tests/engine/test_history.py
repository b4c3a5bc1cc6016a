"""agent_mini.engine.history: whatever comes in, what goes out can be sent."""

from hypothesis import given
from hypothesis import strategies as st

from agent_mini.engine import repair
from agent_mini.engine.history import UNANSWERED
from agent_mini.types import Message, ToolCall, assistant, system, tool_message, user

A, B = ToolCall("a", "today", "{}"), ToolCall("b", "today", "{}")


def test_a_whole_history_stays() -> None:
    history = (
        system("s"),
        user("u"),
        assistant(tool_calls=[A, B]),
        tool_message(A, "1"),
        tool_message(B, "2"),
    )
    assert repair(history) == history
    assert repair(()) == ()


def test_a_missing_answer_is_filled_in_at_its_place() -> None:
    history = [user("u"), assistant(tool_calls=[A, B]), tool_message(B, "2"), user("go on")]
    assert repair(history) == (
        user("u"),
        assistant(tool_calls=[A, B]),
        tool_message(A, UNANSWERED, ok=False),
        tool_message(B, "2"),
        user("go on"),
    )


def test_answers_to_nothing_and_second_answers_are_dropped() -> None:
    history = [
        tool_message(A, "0"),
        user("u"),
        tool_message(A, "1"),
        assistant(tool_calls=[A]),
        tool_message(A, "2"),
        tool_message(A, "3"),
        tool_message(B, "4"),
        user("go on"),
        tool_message(A, "5"),
    ]
    assert repair(history) == (user("u"), assistant(tool_calls=[A]), tool_message(A, "2"), user("go on"))


CALLS = st.lists(st.sampled_from("abcd"), max_size=3, unique=True).map(
    lambda ids: assistant("", [ToolCall(i, "t", "{}") for i in ids])
)
ANSWERS = st.sampled_from("abcd").map(lambda i: tool_message(ToolCall(i, "t", "{}"), "r"))


@given(st.lists(st.just(user("u")) | CALLS | ANSWERS))
def test_every_call_is_answered_once_and_right_away(history: list[Message]) -> None:
    repaired = repair(history)
    position = 0
    while position < len(repaired):
        message = repaired[position]
        assert message.role != "tool"
        answers = repaired[position + 1 : position + 1 + len(message.tool_calls)]
        assert [answer.tool_call_id for answer in answers] == [call.id for call in message.tool_calls]
        position += 1 + len(answers)
    assert repair(repaired) == repaired
    assert [m for m in repaired if m.role != "tool"] == [m for m in history if m.role != "tool"]
