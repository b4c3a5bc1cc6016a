"""What every exercise must hold to: the reference passes, the starter is not attempted, wrong answers fail clearly."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from agent_mini.config import CHECKOUT
from agent_mini.tools import Tool
from agent_mini.workbook.attempt import attempt
from agent_mini.workbook.exercise import get

WrongAnswer = tuple[Any, str]


@pytest.fixture
def exercise_holds() -> Callable[..., None]:
    """``exercise_holds("02.a", (wrong_answer, "words of its failure"), (another, "words"))``."""

    def holds(exercise_id: str, *wrong: WrongAnswer) -> None:
        found = get(exercise_id)
        assert attempt(found.check, found.solution, found.seconds).state == "passed"
        assert attempt(found.check, ...).state == "not attempted yet"
        assert "not attempted yet" in starter_output(exercise_id)
        pasted = paste(exercise_id, found.source, found.solution)
        assert attempt(found.check, pasted, found.seconds).state == "passed", "pasted into its notebook"
        assert len(wrong) >= 2, "two typical wrong answers at least"
        for answer, words in wrong:
            outcome = attempt(found.check, answer, found.seconds)
            assert (outcome.state, words in outcome.why) == ("not yet", True), outcome

    return holds


def paste(exercise_id: str, source: str, solution: Any) -> Any:
    """The reference as a learner gets it who copies what ``solution`` shows into the notebook."""
    first_code = next(cell for cell in notebook_cells(exercise_id) if cell["cell_type"] == "code")
    space: dict[str, Any] = {}
    exec("".join(first_code["source"]), space)  # noqa: S102
    exec(source, space)  # noqa: S102
    return space[solution.name if isinstance(solution, Tool) else solution.__name__]


def notebook_cells(exercise_id: str) -> list[dict[str, Any]]:
    (path,) = (CHECKOUT / "notebooks").glob(f"{exercise_id[:2]}_*.ipynb")
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def starter_output(exercise_id: str) -> str:
    """What the committed notebook printed where it checks its own starter."""
    cells = notebook_cells(exercise_id)
    starters = [cell for cell in cells if f'check("{exercise_id}"' in "".join(cell["source"])]
    return "".join("".join(output.get("text", "")) for cell in starters for output in cell.get("outputs", []))
