"""agent_mini.engine.decision: the coordinator's JSON, checked."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_mini.engine import DECISION_SCHEMA, parse_decision
from agent_mini.types import Decision


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        (
            '{"action": "dispatch", "target": "critic", "instruction": "review", "reason": "r", "extra": 1}',
            Decision("dispatch", "critic", "review", reason="r"),
        ),
        ('Next:\n```json\n{"action":"dispatch","target":"proposer"}\n```', Decision("dispatch", "proposer")),
        ('{"action": "ask_human", "question": "多少钱？"}', Decision("ask_human", question="多少钱？")),
    ],
)
def test_a_good_decision(text: str, decision: Decision) -> None:
    assert parse_decision(text) == decision


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the proposer, I think", "there is no JSON object"),
        ("{}", "action: Unable to extract tag"),
        ('{"action": "stop"}', "action: Input tag 'stop'"),
        ('{"action": "dispatch"}', "target: Field required"),
        ('{"action": "dispatch", "target": null}', "target: Input should be 'proposer' or 'critic'"),
        ('{"action": "dispatch", "target": "summariser"}', "target: Input should be 'proposer' or 'critic'"),
        (
            '{"action": "dispatch", "target": "critic", "instruction": 3}',
            "instruction: Input should be a valid string",
        ),
        ('{"action": "ask_human"}', "question: Field required"),
        ('{"action": "ask_human", "question": "  "}', "question: String should match"),
    ],
)
def test_a_bad_one_says_what_to_mend(text: str, words: str) -> None:
    with pytest.raises(ValueError, match="^" + words.split("'", maxsplit=1)[0].strip()) as refused:
        parse_decision(text)
    assert words in str(refused.value)


def test_the_schema_says_the_same() -> None:
    text = json.dumps(DECISION_SCHEMA)
    for word in ("dispatch", "ask_human", "target", "question", "proposer", "critic"):
        assert word in text


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.dictionaries(
            st.sampled_from(["action", "target", "question", "instruction"]) | st.text(), inner
        ),
    )
)
def test_any_json_is_a_decision_or_a_value_error(value: object) -> None:
    try:
        decision = parse_decision(json.dumps(value))
    except ValueError as error:
        assert str(error)
    else:
        assert decision.target if decision.action == "dispatch" else decision.question
