"""agent_mini.tools.pictures: whole files or none, and a missing package is named."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_mini.threads import in_thread
from agent_mini.tools import Toolbox, ToolContext, ToolError, make_ascii_art, make_chart, make_meme
from agent_mini.tools.pictures import needs, picture_name, read_picture, save_picture

CALLS = {
    "make_chart": {"kind": "bar", "labels": ["a"], "values": [1]},
    "make_meme": {"text": "hello"},
    "make_ascii_art": {"text": "hello"},
    "fun_pick": {"mode": "coin"},
}


def test_a_name_says_what_is_drawn() -> None:
    name = picture_name("bar", {"title": "周", "values": [1]})
    assert name == picture_name("bar", {"values": [1], "title": "周"})
    assert name != picture_name("bar", {"title": "周", "values": [2]})
    assert picture_name("bar", {"title": "\ud800/../"}).isascii()


def test_a_picture_is_saved_and_replaced_and_read(tmp_path: Path) -> None:
    context = ToolContext(workspace=tmp_path / "new")
    assert save_picture(context, "a.png", b"one") == "pictures/a.png"
    assert save_picture(context, "a.png", b"two") == "pictures/a.png"
    assert read_picture(context, "pictures/a.png") == b"two"
    assert [path.name for path in (tmp_path / "new" / "pictures").iterdir()] == ["a.png"]


async def test_one_name_written_by_many_threads_is_one_of_their_files(tmp_path: Path) -> None:
    context = ToolContext(workspace=tmp_path)
    contents = [bytes([number]) * 200_000 for number in range(8)]
    await asyncio.gather(*(in_thread(save_picture, context, "a.png", content) for content in contents))
    assert read_picture(context, "pictures/a.png") in contents
    assert len(list((tmp_path / "pictures").iterdir())) == 1


@pytest.mark.parametrize("tool", [make_chart, make_meme])
@pytest.mark.parametrize("obstacle", ["", "pictures"])
async def test_a_workspace_that_cannot_be_written_is_said(tmp_path: Path, tool, obstacle) -> None:
    workspace = tmp_path / "workspace"
    if obstacle:
        workspace.mkdir()
    (workspace / obstacle).write_text("a file, not a folder", encoding="utf-8")
    result = await Toolbox([tool]).invoke(tool.name, CALLS[tool.name], ToolContext(workspace=workspace))
    assert not result.ok
    assert result.content.startswith("the picture cannot be saved in pictures/ of the workspace: ")
    assert "\n" not in result.content


def test_what_is_in_the_way_stays_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    (tmp_path / "pictures" / "a.png" / "inner").mkdir(parents=True)
    with pytest.raises(ToolError, match="the picture cannot be saved"):
        save_picture(ToolContext(workspace=tmp_path), "a.png", b"content")
    assert [path.name for path in (tmp_path / "pictures").iterdir()] == ["a.png"]


@pytest.mark.skipif(os.name == "nt", reason="Windows lets only administrators make links")
async def test_a_folder_of_pictures_that_is_a_link_is_not_written_to(tmp_path: Path) -> None:
    outside, workspace = tmp_path / "outside", tmp_path / "workspace"
    outside.mkdir()
    workspace.mkdir()
    (workspace / "pictures").symlink_to(outside)
    for tool in (make_chart, make_meme):
        result = await Toolbox([tool]).invoke(tool.name, CALLS[tool.name], ToolContext(workspace=workspace))
        assert not result.ok
        assert result.content.startswith(
            "the picture cannot be saved in pictures/ of the workspace: 'pictures' is a link"
        )
    assert list(outside.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows lets only administrators make links")
def test_a_link_of_a_pictures_name_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "precious").write_bytes(b"mine")
    (tmp_path / "pictures" / "a.png").symlink_to(tmp_path / "precious")
    save_picture(ToolContext(workspace=tmp_path), "a.png", b"content")
    assert (tmp_path / "precious").read_bytes() == b"mine"
    assert read_picture(ToolContext(workspace=tmp_path), "pictures/a.png") == b"content"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permission")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    (tmp_path / "pictures").mkdir(mode=0o500)
    with pytest.raises(ToolError, match="the picture cannot be saved"):
        save_picture(ToolContext(workspace=tmp_path), "a.png", b"content")


def without(
    *modules: str, folder: Path | None = None, strict: bool = True, **settings: str
) -> dict[str, list]:
    """What each tool gives in a Python that lacks ``modules``, in a folder and with variables of the environment."""
    program = f"""
import asyncio, json, sys
for module in {modules!r}:
    sys.modules[module] = None
from agent_mini.tools import Toolbox, ToolContext, fun_pick, make_ascii_art, make_chart, make_meme
from pathlib import Path
box = Toolbox([make_chart, make_meme, make_ascii_art, fun_pick])
async def main():
    calls = json.loads(sys.argv[1])
    results = {{name: await box.invoke(name, call, ToolContext(workspace=Path(sys.argv[2])))
               for name, call in calls.items()}}
    print(json.dumps({{name: [result.ok, result.content] for name, result in results.items()}}))
asyncio.run(main())
"""
    workspace = os.environ["AGENT_WORKSPACE"]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, json.dumps(CALLS), workspace],
        env={**os.environ, **settings},
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == "" or not strict
    return json.loads(done.stdout)


def test_without_matplotlib_only_charts_are_missing() -> None:
    results = without("matplotlib")
    ok, content = results.pop("make_chart")
    assert not ok
    assert content.startswith("make_chart needs matplotlib: pip install matplotlib")
    assert all(ok for ok, _ in results.values()), results


def test_without_pillow_text_can_still_be_written_in_letters() -> None:
    results = without("PIL", "matplotlib")
    assert {name for name, (ok, _) in results.items() if ok} == {"make_ascii_art", "fun_pick"}
    assert results["make_meme"][1].startswith("make_meme needs pillow: pip install pillow")


@pytest.mark.parametrize("settings", [{"MPLBACKEND": "bogus"}, {"MPLBACKEND": "bogus", "MATPLOTLIBRC": "rc"}])
def test_settings_that_matplotlib_does_not_start_with_are_left_aside(tmp_path: Path, settings) -> None:
    (tmp_path / "rc").write_bytes(b"font.size: 10\n\xff\xfe")
    results = without(folder=tmp_path, strict=False, **settings)
    assert all(ok for ok, _ in results.values()), results
    assert "settings" not in str(results)


def test_settings_in_the_working_folder_that_cannot_be_read_are_said(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_bytes(b"font.size: 10\n\xff\xfe")
    results = without(folder=tmp_path, strict=False)
    ok, content = results.pop("make_chart")
    assert not ok
    assert content.startswith("make_chart needs matplotlib, whose settings cannot be read ('utf-8' codec")
    assert content.endswith("correct or remove the file matplotlibrc")
    assert all(ok for ok, _ in results.values()), results


@pytest.mark.parametrize(("module", "package"), [("matplotlib", "matplotlib"), ("PIL", "pillow")])
def test_a_package_that_is_there_but_does_not_start_is_said(tmp_path: Path, module, package) -> None:
    (tmp_path / module).mkdir()
    (tmp_path / module / "__init__.py").write_text("raise ImportError('DLL load failed')", encoding="utf-8")
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    results = without(PYTHONPATH=path)
    said = f"needs {package}, which is there but does not start (DLL load failed): pip install {package}"
    assert results["make_chart"] == [False, results["make_chart"][1]]
    assert said in results["make_chart"][1]
    assert results["make_meme"][0] is (module == "matplotlib")
    if module == "PIL":
        assert said in results["make_meme"][1]


@pytest.mark.parametrize("module", ["matplotlib", "numpy"])
def test_without_what_finds_fonts_a_picture_does_not_blame_the_machine(module, monkeypatch) -> None:
    monkeypatch.setitem(CALLS, "make_meme", {"text": "\u4f60 hello"})
    monkeypatch.setitem(CALLS, "make_ascii_art", {"text": "\u4f60A"})
    results = without(module)
    for tool in ("make_meme", "make_ascii_art"):
        ok, content = results[tool]
        assert ok
        assert f"Finding a font for them needs {module}: pip install {module}" in content
        assert "fonts-noto-cjk" not in content


async def test_with_everything_there_nothing_is_said_on_stderr() -> None:
    assert all(ok for ok, _ in without().values())


@pytest.mark.parametrize(
    ("module", "package"), [("matplotlib.figure", "matplotlib"), ("PIL", "pillow"), ("PIL.Image", "pillow")]
)
def test_a_missing_module_is_named_by_its_package(module, package) -> None:
    error = needs("draw", ModuleNotFoundError(f"No module named {module!r}", name=module))
    assert str(error).startswith(f"draw needs {package}: pip install {package}")


def test_the_marks_are_those_of_what_they_do() -> None:
    for tool in (make_chart, make_meme):
        assert (tool.read_only, tool.idempotent, tool.side_effects) == (False, True, False)
    assert (make_ascii_art.read_only, make_ascii_art.side_effects) == (True, False)
