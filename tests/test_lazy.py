"""agent_mini.lazy: names that cost nothing until they are used."""

import pytest

import agent_mini
from agent_mini.lazy import lazy_names


def test_a_name_is_loaded_from_its_module() -> None:
    get, names = lazy_names("agent_mini", {"FixedClock": "clock", "EventLog": "tracing"})
    from agent_mini.clock import FixedClock

    assert get("FixedClock") is FixedClock
    assert names() == ["EventLog", "FixedClock"]


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'agent_mini' has no attribute 'nothing'"):
        _ = agent_mini.nothing


def test_every_public_name_is_there() -> None:
    assert sorted(agent_mini.__all__) == dir(agent_mini)
    assert all(getattr(agent_mini, name) for name in agent_mini.__all__)
