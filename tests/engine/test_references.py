"""agent_mini.engine.references: what ``$1.series.temp_max`` in arguments stands for."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_mini.engine import BadReference, resolve, resolve_call
from agent_mini.handwritten import run_tool_loop
from agent_mini.human import Approval, ApprovalRequest, ScriptedHuman
from agent_mini.models import ScriptedModel
from agent_mini.tools import ToolContext, calculate, tool
from agent_mini.tracing import EventLog
from agent_mini.types import EventKind, Message, ToolCall, assistant, tool_message, user

WEATHER = {
    "city": "上海",
    "series": [{"date": "2026-10-23", "temp_max": 21}, {"date": "2026-10-24", "temp_max": 19}],
}


def result(content: str, *, data: Any = None, ok: bool = True) -> Message:
    return tool_message(ToolCall("c", "any", "{}"), content, ok=ok, data=data)


HISTORY = (
    user("q"),
    result("sunny", data=WEATHER),
    result("70", data={"days": 70}),
    result("no such city", ok=False),
    result('{"width": 4}'),
    result("plain text"),
)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("$1.series.temp_max", [21, 19]),
        ("$1.series[1].temp_max", 19),
        ("$1.series.0.date", "2026-10-23"),
        ("$1.series", WEATHER["series"]),
        ("$1.content", "sunny"),
        ("$2.days * 3", "70 * 3"),
        ("$2.days of $1.city", "70 of 上海"),
        ("highs: $1.series.temp_max", "highs: [21, 19]"),
        ("$4.width", 4),
        ("$5.content", "plain text"),
        ("$$1.content", "$1.content"),
        ("it cost $1.50", "it cost $1.50"),
        ("$1", "$1"),
        ("$ref.series", "$ref.series"),
        (["$2.days", {"x": "$2.days"}, 5, None, True], [70, {"x": 70}, 5, None, True]),
    ],
)
def test_a_reference_becomes_what_it_stands_for(written: Any, value: Any) -> None:
    assert resolve(written, HISTORY) == value


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("$9.days", "$9.days: the conversation has 5 results so far, and $9 is none of them"),
        ("$0.days", "and $0 is none of them"),
        ("$1.sereis.temp_max", "there is no 'sereis'; there is content, city, series"),
        ("$1.series.temp", "there is no 'temp'; there is date, temp_max"),
        ("$1.series[7]", "there is no item 7; there are 2, from 0"),
        ("$2.days.more", "'more' leads nowhere"),
        ("$3.series", "call 3 failed"),
        ("$5.series", "there is no 'series'; there is content, data"),
        ("a $9.days b", "$9.days: "),
        ("a $9.days b", ". For the text itself write $$9.days"),
        ("$1.series[-1].temp_max", "an item is picked by its number, as in [0]"),
        ("$1.series[0", "an item is picked by its number, as in [0]"),
    ],
)
def test_a_reference_that_leads_nowhere_says_where_it_stopped(written: str, words: str) -> None:
    with pytest.raises(BadReference) as caught:
        resolve({"x": [written]}, HISTORY)
    assert words in str(caught.value)


def test_without_any_result_that_is_said() -> None:
    with pytest.raises(BadReference, match="the conversation has 0 results so far"):
        resolve("$1.x", [user("q")])


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_plain_data_is_resolved_or_refused(value: Any) -> None:
    try:
        resolve(value, HISTORY)
    except BadReference as error:
        assert str(error)


@pytest.mark.parametrize("written", ["$" + "1" * 5000 + ".x", "$2.days." + "1" * 5000])
def test_a_number_too_long_for_python_is_no_trouble(written: str) -> None:
    try:
        assert resolve(written, HISTORY) == written
    except BadReference as error:
        assert "leads nowhere" in str(error)


def test_a_few_bytes_do_not_become_a_flood() -> None:
    history = [result("x" * 50_000)]
    for flood in ("$1.content " * 10_000, ["$1.content"] * 10_000):
        with pytest.raises(BadReference, match="may stand for 200,000 characters of results at most"):
            resolve(flood, history)
    assert len(resolve("$1.content" * 4, history)) == 200_000


def test_arguments_nested_beyond_reason_are_refused() -> None:
    deep: Any = "$1.content"
    for _ in range(900):
        deep = [deep]
    with pytest.raises(BadReference, match="nested 50 levels deep"):
        resolve(deep, HISTORY)


def test_arguments_that_are_no_object_are_left_to_whoever_runs_them() -> None:
    for raw in ('{"x": "$1.', "[]", "", '"$1.series"'):
        call = ToolCall("c", "t", raw)
        assert resolve_call(call, HISTORY) is call


@tool(title="Weather")
def weather() -> dict[str, Any]:
    """The weather."""
    return WEATHER


@tool(title="Chart")
def chart(labels: list[str], values: list[float]) -> str:
    """A chart."""
    return f"{labels} {values}"


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall("c1", name, json.dumps(arguments))


async def test_the_loop_resolves_them_for_any_model() -> None:
    log = EventLog()
    model = ScriptedModel(
        [call("weather"), call("chart", labels="$1.series.date", values="$1.series.temp_max"), "done"]
    )

    done = await run_tool_loop(model, [user("q")], [weather, chart], on_event=log)

    shown = {"labels": ["2026-10-23", "2026-10-24"], "values": [21, 19]}
    assert done.steps[1].result.ok, done.steps[1].result.content
    assert json.loads(done.steps[1].arguments) == shown
    assert json.loads(log.of(EventKind.TOOL_CALLED)[1].data["arguments"]) == shown
    written = done.messages[3].tool_calls[0].arguments
    assert "$1.series.date" in written, "the conversation keeps what the model wrote"


async def test_a_bad_one_goes_back_to_the_model_as_that_calls_result() -> None:
    model = ScriptedModel([call("weather"), call("chart", labels="$7.x", values=[1]), "sorry"])

    done = await run_tool_loop(model, [user("q")], [weather, chart])

    assert done.messages[4].content.startswith("not run: $7.x: the conversation has 1 result so far")
    assert not done.messages[4].ok


async def test_earlier_turns_count_too() -> None:
    earlier = [user("a"), assistant("", [call("weather")]), result("sunny", data=WEATHER), assistant("ok")]
    earlier[2] = tool_message(call("weather"), "sunny", data=WEATHER)
    model = ScriptedModel([call("chart", labels=["a", "b"], values="$1.series.temp_max"), "done"])

    done = await run_tool_loop(model, [*earlier, user("now draw it")], [weather, chart])

    assert done.steps[0].result.content == "['a', 'b'] [21.0, 19.0]"


async def test_whoever_agrees_sees_the_values() -> None:
    asked: list[str] = []

    class Careful(ScriptedHuman):
        async def approve(self, request: ApprovalRequest) -> Approval:
            asked.append(request.arguments)
            return Approval(True, digest=request.digest)

    @tool(title="Send", side_effects=True)
    def send(text: str) -> str:
        """Send."""
        return text

    model = ScriptedModel(
        [call("calculate", expression="6 * 7"), call("send", text="it is $1.value"), "done"]
    )
    done = await run_tool_loop(model, [user("q")], [calculate, send], context=ToolContext(human=Careful()))

    assert asked == ['{"text": "it is 42"}']
    assert done.steps[1].result.content == "it is 42"


def test_a_failed_call_is_marked_in_the_conversation() -> None:
    failed: Mapping[str, bool] = {
        message.content: message.ok for message in HISTORY if message.role == "tool"
    }
    assert failed["no such city"] is False
    assert failed["sunny"] is True
