"""agent_mini.tools.safe_path: every way out that a path can name, refused by name."""

import re
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_mini.tools import Toolbox, ToolContext, ToolError, files
from agent_mini.tools.file_store import FileStore
from agent_mini.tools.safe_path import MAX_PIECES, is_safe_piece, safe_pieces

HOSTILE = [
    ("", "it is empty"),
    ("/", "it is absolute"),
    ("/etc/passwd", "it is absolute"),
    ("/./notes.txt", "it is absolute"),
    ("\\Windows\\win.ini", "it is absolute"),
    ("//server/share/x", "it names a network share"),
    ("\\\\server\\share\\x", "it names a network share"),
    ("\\\\?\\C:\\x", "it names a network share"),
    ("\\\\.\\PhysicalDrive0", "it names a network share"),
    ("C:\\x", "it begins with a drive letter"),
    ("c:/x", "it begins with a drive letter"),
    ("C:x", "it begins with a drive letter"),
    ("~/x", "would be a home folder"),
    ("~root/x", "would be a home folder"),
    ("file:///etc/passwd", "'file:' has the forbidden character ':'"),
    ("..", "'..' leads to another folder"),
    ("../x", "'..' leads to another folder"),
    ("a/../x", "'..' leads to another folder"),
    ("a/b/../../../x", "'..' leads to another folder"),
    ("a/..", "'..' leads to another folder"),
    ("...", "'...' leads to another folder"),
    ("....//x", "'....' leads to another folder"),
    (".", "'.' means the folder itself"),
    ("./x", "'.' means the folder itself"),
    ("a/./x", "'.' means the folder itself"),
    (". ./x", "'. .' leads to another folder"),
    (".. /x", "'.. ' begins or ends with a space"),
    ("a/ ../x", "' ..' begins or ends with a space"),
    ("..\\x", "'..\\\\x' has the forbidden character '\\\\'"),
    ("a\\..\\..\\x", "has the forbidden character '\\\\'"),
    ("．．/x", "'．．' leads to another folder"),
    ("‥/x", "'‥' leads to another folder"),
    ("…/x", "'…' leads to another folder"),
    ("。。/x", "'。。' leads to another folder"),
    ("..／x", "'／', which looks like a slash"),
    ("..＼x", "'＼', which looks like a slash"),
    ("..∕x", "'∕', which looks like a slash"),
    ("..⁄x", "'⁄', which looks like a slash"),
    ("%2e%2e/x", "the encoded character '%2e'"),
    ("%2E%2E%2Fx", "the encoded character '%2E'"),
    ("..%2fx", "the encoded character '%2f'"),
    ("..%5cx", "the encoded character '%5c'"),
    ("%252e%252e%252fx", "the encoded character '%25'"),
    ("%25252e/x", "the encoded character '%25'"),
    ("%c0%ae%c0%ae/x", "the encoded character '%c0'"),
    ("%u002e%u002e/x", "the encoded character '%u002e'"),
    ("a%00.txt", "the encoded character '%00'"),
    ("a//b", "'' is an empty piece"),
    ("a/", "'' is an empty piece"),
    ("a\0.txt", "the control character '\\x00'"),
    ("a.txt\0.png", "the control character '\\x00'"),
    ("a\n", "the control character '\\n'"),
    ("a\tb", "the control character '\\t'"),
    ("a\rb", "the control character '\\r'"),
    ("a\x1b[31m", "the control character '\\x1b'"),
    ("a\x7f", "the control character '\\x7f'"),
    ("a\x85b", "the control character '\\x85'"),
    ("CON", "'CON' is a device on Windows"),
    ("nul", "'nul' is a device on Windows"),
    ("a/Aux.txt", "'Aux.txt' is a device on Windows"),
    ("prn.tar.gz", "'prn.tar.gz' is a device on Windows"),
    ("com1", "'com1' is a device on Windows"),
    ("COM0", "'COM0' is a device on Windows"),
    ("LPT9.log", "'LPT9.log' is a device on Windows"),
    ("COM¹", "'COM¹' is a device on Windows"),
    ("lpt³.txt", "'lpt³.txt' is a device on Windows"),
    ("ＣＯＮ", "'ＣＯＮ' is a device on Windows"),
    ("CONIN$", "'CONIN$' is a device on Windows"),
    ("conout$.txt", "'conout$.txt' is a device on Windows"),
    ("CLOCK$", "'CLOCK$' is a device on Windows"),
    ("NUL .txt", "'NUL .txt' is a device on Windows"),
    ("NUL/x", "'NUL' is a device on Windows"),
    ("a.", "'a.' ends with a dot"),
    ("a.txt...", "'a.txt...' ends with a dot"),
    ("a ", "'a ' begins or ends with a space"),
    (" a", "' a' begins or ends with a space"),
    ("   ", "'   ' begins or ends with a space"),
    ("a\u3000", "begins or ends with a space"),
    ("a\u00a0", "begins or ends with a space"),
    ("a<b", "the forbidden character '<'"),
    ("a>b", "the forbidden character '>'"),
    ('a"b', "the forbidden character '\"'"),
    ("a|b", "the forbidden character '|'"),
    ("a?b", "the forbidden character '?'"),
    ("*.txt", "the forbidden character '*'"),
    ("notes.txt:secret", "the forbidden character ':'"),
    ("notes.txt::$DATA", "the forbidden character ':'"),
    ("notes~1", "can be the short name of another file"),
    ("TRASH~1.TXT", "can be the short name of another file"),
    ("a\u202etxt.exe", "the invisible character '\\u202e'"),
    ("a\u2066b", "the invisible character '\\u2066'"),
    ("a\u200bb", "the invisible character '\\u200b'"),
    ("a\u200db", "the invisible character '\\u200d'"),
    ("\ufeffa", "the invisible character '\\ufeff'"),
    ("a\u00adb", "the invisible character '\\xad'"),
    ("a\u2028b", "the invisible character '\\u2028'"),
    ("a\u3164b", "the invisible character '\\u3164'"),
    ("a\ufe0f.txt", "the invisible character '\\ufe0f'"),
    ("❤\ufe0f.txt", "the invisible character '\\ufe0f'"),
    ("葛\U000e0101.txt", "the invisible character '\\U000e0101'"),
    ("a\U000e0041", "the invisible character '\\U000e0041'"),
    ("a\ud800", "'\\ud800', which is no character"),
    ("a\ue000", "'\\ue000', which is no character"),
    ("x" * 256, "is too long: 256 bytes, at most 255"),
    ("长" * 86, "is too long: 258 bytes, at most 255"),
    ("/".join(["x" * 250] * 5), "it is too long: 1254 bytes, at most 1000"),
    ("/".join("a" * (MAX_PIECES + 1)), "it is 17 pieces deep, at most 16"),
]


@pytest.fixture(scope="module")
def workspace() -> Iterator[Path]:
    """A workspace with things beside it that nothing may touch."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "workspace" / "files").mkdir(parents=True)
        (root / "workspace" / "secret.txt").write_text("secret", encoding="utf-8")
        (root / "x").write_text("outside", encoding="utf-8")
        yield root / "workspace"


def surroundings(workspace: Path) -> dict[str, bytes | None]:
    """Everything around the folder of files, with contents."""
    return {
        str(path): path.read_bytes() if path.is_file() else None
        for path in workspace.parent.rglob("*")
        if workspace / "files" not in path.parents
    }


@pytest.mark.parametrize(("path", "reason"), HOSTILE)
async def test_a_hostile_path_is_refused_and_the_reason_named(
    workspace: Path, path: str, reason: str
) -> None:
    before = surroundings(workspace)
    for action in ("write", "append", "read", "delete"):
        arguments = {"action": action, "path": path} | (
            {"content": "x"} if action in ("write", "append") else {}
        )
        result = await Toolbox([files]).invoke("files", arguments, ToolContext(workspace=workspace))
        assert not result.ok
        assert result.content.startswith("path: ")
        assert reason in result.content
        assert result.content.endswith("Write a relative path of plain names, such as notes/today.txt.")
        assert "\n" not in result.content
        assert len(result.content) < 300
    assert surroundings(workspace) == before
    assert list((workspace / "files").iterdir()) == []


def test_there_are_enough_hostile_paths() -> None:
    assert len({path for path, _ in HOSTILE}) == len(HOSTILE) >= 60


@pytest.mark.parametrize(
    "path",
    [
        *[
            "a",
            "notes/today.txt",
            "笔记/今天.md",
            "报告：第一版（终稿）？.txt",
            "a b.txt",
            ".hidden",
            "..a",
            "a..b",
            "a.b.c",
        ],
        *[
            "100%.txt",
            "50%off",
            "console.txt",
            "com10",
            "auxiliary.md",
            "lpt",
            "naïve.txt",
            "日本語.txt",
            "🥛.txt",
            "❤.txt",
        ],
        *[
            "a~b",
            "a~",
            "$HOME",
            "-rf",
            "x" * 255,
            "长" * 85,
            "/".join("a" * MAX_PIECES),
            "等等……吧.txt",
            "#1;2&3'4`5",
        ],
    ],
)
def test_a_plain_path_is_taken(path: str) -> None:
    assert safe_pieces(path) == tuple(path.split("/"))


def test_two_spellings_of_one_name_are_one_name() -> None:
    assert safe_pieces(unicodedata.normalize("NFD", "é/naïve.txt")) == ("é", "naïve.txt")
    assert not is_safe_piece(unicodedata.normalize("NFD", "é"))


NASTY = [
    *[
        "..",
        ".",
        "/",
        "\\",
        "//",
        "~",
        ":",
        "C:",
        "%2e",
        "%2f",
        "%",
        " ",
        "\0",
        "\n",
        "CON",
        "nul",
        "．",
        "／",
        "…",
    ],
    *[
        "a",
        "b.txt",
        "é",
        "e\u0301",
        "笔",
        "files",
        "x",
        "workspace",
        "secret.txt",
        "\u202e",
        "\ud800",
        ".trash",
        "*",
    ],
]


@settings(max_examples=300)
@given(st.text(max_size=60) | st.lists(st.sampled_from(NASTY), max_size=9).map("".join))
def test_any_path_is_refused_or_lands_inside(workspace: Path, path: str) -> None:
    before, folder = surroundings(workspace), workspace / "files"
    try:
        pieces = safe_pieces(path)
        FileStore(workspace).append(pieces, "+")
    except ToolError as error:
        assert re.match(r"path: .+\.$", str(error))
    else:
        assert folder.joinpath(*pieces).resolve().is_relative_to(folder.resolve())
        assert folder.joinpath(*pieces).read_text(encoding="utf-8").strip("+") == ""
        assert all(piece in names for piece, names in zip(pieces, _names(folder, pieces), strict=True))
    assert surroundings(workspace) == before


def _names(folder: Path, pieces: tuple[str, ...]) -> Iterator[list[str]]:
    """What is in each folder on the way, so that every piece is found to be a name of its own."""
    for depth in range(len(pieces)):
        yield [path.name for path in folder.joinpath(*pieces[:depth]).iterdir()]
