"""The README's commands are run: each one stands in ``.ci/run``, which runs everything that stands in it."""

import re

import pytest

from agent_mini.config import CHECKOUT

# What brings the project onto a machine and leaves a shell in it; the run starts there.
ARRIVAL = re.compile(r"(git clone|cd|source|\.|\S*activate)\b")


def shell_commands(markdown: str) -> list[str]:
    """Every command in the shell blocks of a Markdown text, without comments and prompts."""
    blocks = re.findall(r"^```(?:bash|sh|shell|console)\n(.*?)^```", markdown, flags=re.MULTILINE | re.DOTALL)
    lines = [
        line.partition(" #")[0].removeprefix("$ ").strip() for block in blocks for line in block.splitlines()
    ]
    commands = [command.strip() for line in lines if not line.startswith("#") for command in line.split("&&")]
    return [command for command in commands if command and not ARRIVAL.match(command)]


def is_run(command: str, script: str) -> bool:
    """Whether a line of ``script`` that is no comment holds ``command``, perhaps with more flags."""
    lines = [line.strip() for line in script.splitlines()]
    whole = re.compile(rf"(?<!\S){re.escape(command)}(?!\S)")
    return any(whole.search(line) for line in lines if not line.startswith("#"))


def test_every_command_of_the_readme_is_run() -> None:
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    if not readme.strip():
        pytest.skip("the README is not written yet")
    script = (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8")
    commands = shell_commands(readme)
    assert "uv run pytest" in commands
    assert [command for command in commands if not is_run(command, script)] == []


def test_commands_are_found_in_shell_blocks_only() -> None:
    readme = """Type `ls`:

```bash
git clone URL && cd agent-mini
pip install uv && uv run agent-mini lab   # opens JupyterLab
# or
$ uv run agent-mini ask "what?"
```
```python
print(1)
```
"""
    assert shell_commands(readme) == [
        "pip install uv",
        "uv run agent-mini lab",
        'uv run agent-mini ask "what?"',
    ]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("uv run pytest", True),
        ("uv run agent-mini lab", True),
        ("uv run agent-mini", True),
        ("uv run agent-mini demo", False),
        ("uv run py", False),
        ("agent-mini lab --no", False),
    ],
)
def test_a_command_is_looked_for_whole_and_not_in_comments(command: str, expected: bool) -> None:
    script = "uv run pytest -x\n    # uv run agent-mini demo\n    check uv run agent-mini lab --no-browser\n"
    assert is_run(command, script) is expected
