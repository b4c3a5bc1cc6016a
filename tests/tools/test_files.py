"""agent_mini.tools.files: the folder as a loop sees it. Paths and the disk have tests of their own."""

from pathlib import Path
from typing import Any

import pytest

from agent_mini.tools import Toolbox, ToolContext, files
from agent_mini.types import ToolResult


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return ToolContext(workspace=tmp_path / "new")


async def invoke(context: ToolContext, **arguments: Any) -> ToolResult:
    return await Toolbox([files]).invoke("files", arguments, context)


async def test_a_day_with_a_file(context: ToolContext) -> None:
    nothing = {"action": "list", "path": "", "entries": []}
    assert await invoke(context, action="list") == ToolResult(True, "there are no files yet", nothing)
    assert not context.workspace.exists()
    path = "笔记/今天.txt"
    written = await invoke(context, action="write", path=path, content="你好\n")
    assert written == ToolResult(
        True,
        "written: 笔记/今天.txt (7 bytes)",
        {"action": "write", "path": path, "size": 7, "kept": ""},
    )
    appended = await invoke(context, action="append", path=path, content="再见\n")
    assert (appended.content, appended.data["size"]) == ("appended: 笔记/今天.txt has 14 bytes now", 14)
    read = await invoke(context, action="read", path=path)
    assert read.content == read.data["content"] == "你好\n再见\n"
    for folder in ("", ".", "./", "笔记", "笔记/"):
        listed = await invoke(context, action="list", path=folder)
        assert listed.content == "笔记/今天.txt (14 bytes)"
        assert listed.data["entries"] == [{"path": path, "size": 14}]


async def test_what_is_overwritten_or_deleted_can_be_fetched_again(context: ToolContext) -> None:
    await invoke(context, action="write", path="a.txt", content="first")
    again = await invoke(context, action="write", path="a.txt", content="second")
    assert again.content == "written: a.txt (6 bytes); the earlier content is kept as .trash/1/a.txt"
    deleted = await invoke(context, action="delete", path="a.txt")
    assert deleted.content == "deleted: a.txt; it is kept as .trash/2/a.txt"
    assert (await invoke(context, action="list")).data["entries"] == []
    kept = await invoke(context, action="list", path=".trash")
    assert [entry["path"] for entry in kept.data["entries"]] == [".trash/1/a.txt", ".trash/2/a.txt"]
    assert (await invoke(context, action="read", path=again.data["kept"])).content == "first"
    assert (await invoke(context, action="read", path=deleted.data["kept"])).content == "second"


@pytest.mark.parametrize("path", [".trash", ".trash/1/a.txt", ".TRASH/x", "sub/.trash/x", ".trash-1"])
@pytest.mark.parametrize("action", ["write", "append", "delete"])
async def test_what_is_kept_cannot_be_changed(context: ToolContext, action: str, path: str) -> None:
    await invoke(context, action="write", path="a.txt", content="first")
    await invoke(context, action="delete", path="a.txt")
    result = await invoke(context, action=action, path=path, content="gone")
    assert (result.ok, result.content) == (
        False,
        "path: names that begin with '.trash' can be read, but not changed. Choose another name.",
    )
    assert (await invoke(context, action="read", path=".trash/1/a.txt")).content == "first"


async def test_a_step_that_is_run_again_changes_nothing_more(context: ToolContext) -> None:
    run = ToolContext("run-7/1/0", workspace=context.workspace)
    for arguments in ({"action": "append", "content": "a"}, {"action": "delete"}):
        first, again = [await invoke(run, path="a.txt", **arguments) for _ in range(2)]
        assert first.ok
        assert again == first
        assert (await invoke(context, action="list")).data["entries"] == (
            [{"path": "a.txt", "size": 1}] if arguments["action"] == "append" else []
        )


async def test_a_long_file_says_that_it_is_longer(context: ToolContext) -> None:
    await invoke(context, action="write", path="long.txt", content="x" * 60_000)
    result = await invoke(context, action="read", path="long.txt")
    assert result.content.startswith("[long.txt is longer than 50000 characters: this is its beginning]\nxxx")
    assert len(result.content) == len(result.data["content"]) == 50_000
    assert result.data["cut"]


async def test_what_is_not_shown_is_counted(context: ToolContext) -> None:
    await invoke(context, action="write", path="a.txt", content="x")
    (context.workspace / "files/nul.txt").write_text("", encoding="utf-8")
    assert (await invoke(context, action="list")).content == (
        "a.txt (1 bytes)\n[not shown: 1 links, devices and files beyond the limit or with unusable names]"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "action: missing"),
        (
            {"action": "run"},
            "action: Input should be 'list', 'read', 'write', 'append' or 'delete'; given 'run'",
        ),
        ({"action": "read"}, "path: '' is refused: it is empty. Write a relative path"),
        (
            {"action": "read", "path": "a.txt"},
            "path: there is no 'a.txt'. Use action=list to see what is there.",
        ),
        ({"action": "list", "path": "../"}, "path: '..' is refused: '..' leads to another folder."),
        ({"action": "list", "path": "/"}, "path: '/' is refused: it is absolute"),
        ({"action": "list", "path": "none"}, "path: there is no 'none'"),
        ({"action": "delete", "path": "a.txt"}, "path: there is no 'a.txt'"),
        ({"action": "append", "path": "a.txt"}, "content: there is nothing to append"),
        (
            {"action": "write", "path": "a.txt", "content": "x" * 102_401},
            "content: 102401 bytes are too many",
        ),
        (
            {"action": "write", "path": "a.txt", "content": "\ud83e"},
            "content: character 1 is half a character",
        ),
        (
            {"action": "write", "path": "a.txt", "content": 5},
            "content: Input should be a valid string; given 5",
        ),
        (
            {"action": "write", "path": None, "content": "x"},
            "path: Input should be a valid string; given None",
        ),
        ({"action": "read", "path": "a.txt", "mode": "rb"}, "mode: no such argument"),
    ],
)
async def test_what_cannot_work_is_one_clear_line(
    context: ToolContext, arguments: dict[str, Any], words: str
) -> None:
    result = await invoke(context, **arguments)
    assert not result.ok
    assert words in result.content
    assert "\n" not in result.content
    assert not context.workspace.exists()


def test_how_it_is_marked() -> None:
    """Nobody has to be asked, since nothing is destroyed; an append that is doubled does append twice."""
    assert (files.read_only, files.idempotent, files.side_effects) == (False, False, False)
    assert list(files.schema["properties"]) == ["action", "path", "content"]
    assert files.schema["required"] == ["action"]
    assert "文件夹" in files.description
