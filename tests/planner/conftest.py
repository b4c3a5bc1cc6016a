"""What the planner's tests share: the shipped data, the shipped tools, and a Friday."""

from collections.abc import Callable
from datetime import date

import pytest

from agent_mini.config import CHECKOUT
from agent_mini.planner import Intents, Plan, load_intents, plan
from agent_mini.tools import Toolbox, standard_tools

Planned = Callable[..., Plan]


@pytest.fixture(scope="session")
def intents() -> Intents:
    return load_intents(CHECKOUT / "data" / "intents")


@pytest.fixture(scope="session")
def tools() -> Toolbox:
    return standard_tools()


@pytest.fixture(scope="session")
def day() -> date:
    return date(2026, 10, 23)


@pytest.fixture(scope="session")
def planned(intents: Intents, tools: Toolbox, day: date) -> Planned:
    """``planned(*texts)``: the plan of the last text, the earlier ones taken as carried out."""

    def make(*texts: str) -> Plan:
        plans: list[Plan] = []
        for text in texts:
            plans.append(plan(text, tools, intents, plans, day=day))
        return plans[-1]

    return make
