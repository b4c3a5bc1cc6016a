"""agent_mini.tools.file_store and safe_folder: real links, pipes, races and full disks."""

import itertools
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from agent_mini.tools import ToolError
from agent_mini.tools import file_store as module
from agent_mini.tools.file_store import MAX_READ, MAX_WRITE, FileEntry, FileStore
from agent_mini.tools.safe_folder import BY_HANDLE, Folder, HandleFolder, PathFolder

KINDS = [PathFolder, *([HandleFolder] if BY_HANDLE else [])]
NOTES = ("notes.txt",)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> type[Folder]:
    return request.param


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def store(workspace: Path, kind: type[Folder]) -> FileStore:
    return FileStore(workspace, kind)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder beside the workspace with a file in it, which must stay as it is."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "notes.txt").write_text("outside", encoding="utf-8")
    return folder


def intact(outside: Path) -> bool:
    return {path.name: path.read_bytes() for path in outside.iterdir()} == {"notes.txt": b"outside"}


def under(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


def link(path: Path, target: Path) -> None:
    try:
        path.symlink_to(target, target_is_directory=target.is_dir())
    except OSError:
        pytest.skip("no links may be made here")


def test_a_file_lives(store: FileStore, workspace: Path) -> None:
    assert store.list() == ((), 0)
    assert not workspace.exists()  # looking makes nothing
    path = ("笔记", "今天.txt")
    assert store.write(path, "你好\r\n") == ""
    assert (workspace / "files/笔记/今天.txt").read_bytes() == "你好\r\n".encode()
    assert store.append(path, "再见\n") == 15
    assert store.read(path) == ("你好\r\n再见\n", False)
    assert store.list() == store.list(("笔记",)) == ((FileEntry("笔记/今天.txt", 15),), 0)
    kept = store.delete(path)
    assert store.list() == ((), 0)
    assert store.read(tuple(kept.split("/"))) == ("你好\r\n再见\n", False)
    assert store.append(path, "") == 0


def test_nothing_that_was_written_is_ever_lost(store: FileStore, workspace: Path) -> None:
    for number in range(3):
        store.write(("a", "b.txt"), f"version {number}")
        assert store.write(("a", "b.txt"), f"version {number}") == ""  # the same again is no new version
    assert store.delete(("a", "b.txt")) == ".trash/3/a/b.txt"
    kept = [store.read((".trash", str(number), "a", "b.txt"))[0] for number in (1, 2, 3)]
    assert kept == ["version 0", "version 1", "version 2"]
    assert store.list() == ((), 0)
    assert len(store.list((".trash",))[0]) == 3
    assert under(workspace) == [f"files/.trash/{number}/a/b.txt" for number in (1, 2, 3)]


def test_what_is_not_there_is_named(store: FileStore) -> None:
    for attempt in (store.read, store.delete, store.list):
        with pytest.raises(
            ToolError, match=r"^path: there is no 'a/b'. Use action=list to see what is there.$"
        ):
            attempt(("a", "b"))
    store.write(("a",), "x")
    for attempt in (
        store.read,
        store.delete,
        lambda path: store.write(path, "x"),
        lambda path: store.append(path, "x"),
    ):
        with pytest.raises(ToolError, match=r"^path: 'a' is not a folder, so nothing can be in it."):
            attempt(("a", "b"))
    store.write(("c", "d"), "x")
    for attempt in (
        store.read,
        store.delete,
        lambda path: store.write(path, "x"),
        lambda path: store.append(path, "x"),
    ):
        with pytest.raises(
            ToolError, match=r"^path: 'c' is a folder. Give the path of a file in it, or list it.$"
        ):
            attempt(("c",))


def test_a_workspace_that_is_a_file_is_named(tmp_path: Path, kind: type[Folder]) -> None:
    (tmp_path / "workspace").touch()
    with pytest.raises(
        ToolError, match=r"^path: 'a' cannot be used: something else is where a folder should be.$"
    ):
        FileStore(tmp_path / "workspace", kind).write(("a",), "x")


EVERY_WAY: list[Callable[[FileStore, tuple[str, ...]], object]] = [
    lambda store, path: store.read(path),
    lambda store, path: store.write(path, "changed"),
    lambda store, path: store.append(path, "changed"),
    lambda store, path: store.delete(path),
]


@pytest.mark.parametrize("use", EVERY_WAY)
def test_a_link_to_a_file_is_not_followed(
    store: FileStore, workspace: Path, outside: Path, use: Callable[[FileStore, tuple[str, ...]], object]
) -> None:
    (workspace / "files").mkdir(parents=True)
    link(workspace / "files/notes.txt", outside / "notes.txt")
    link(workspace / "files/new.txt", outside / "new.txt")
    for name in ("notes.txt", "new.txt"):
        with pytest.raises(ToolError, match=rf"^path: '{name}' is a link, and a link can lead anywhere."):
            use(store, (name,))
    assert store.list() == ((), 2)
    assert intact(outside)


@pytest.mark.parametrize("use", [*EVERY_WAY, lambda store, path: store.list(path[:-1])])
@pytest.mark.parametrize("place", ["files", "files/sub", "files/a/sub"])
def test_a_link_to_a_folder_is_not_followed(
    store: FileStore,
    workspace: Path,
    outside: Path,
    place: str,
    use: Callable[[FileStore, tuple[str, ...]], object],
) -> None:
    (workspace / place).parent.mkdir(parents=True)
    link(workspace / place, outside)
    with pytest.raises(ToolError, match=r"^path: '(files|sub)' is a link"):
        use(store, (*place.split("/")[1:], "notes.txt"))
    assert intact(outside)


def test_a_trash_that_leads_out_is_not_used(store: FileStore, workspace: Path, outside: Path) -> None:
    store.write(NOTES, "old")
    link(workspace / "files/.trash", outside)
    for attempt in (lambda: store.write(NOTES, "new"), lambda: store.delete(NOTES)):
        with pytest.raises(ToolError, match=r"^path: '.trash' is a link"):
            attempt()
    assert store.read(NOTES) == ("old", False)
    assert intact(outside)


def test_a_workspace_may_be_a_link_of_its_owner(tmp_path: Path, outside: Path, kind: type[Folder]) -> None:
    link(tmp_path / "workspace", outside)
    FileStore(tmp_path / "workspace", kind).write(NOTES, "mine")
    assert (outside / "files/notes.txt").read_text(encoding="utf-8") == "mine"


def test_a_file_with_another_name_elsewhere_is_not_written_to(
    store: FileStore, workspace: Path, outside: Path
) -> None:
    (workspace / "files").mkdir(parents=True)
    (workspace / "files/notes.txt").hardlink_to(outside / "notes.txt")
    for attempt in (lambda: store.write(NOTES, "x"), lambda: store.append(NOTES, "x")):
        with pytest.raises(ToolError, match=r"^path: 'notes.txt' has another name somewhere \(a hard link\)"):
            attempt()
    assert intact(outside)
    assert store.delete(NOTES) == ".trash/1/notes.txt"  # that takes away only the name in here
    assert intact(outside)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("use", EVERY_WAY)
def test_pipes_and_sockets_are_not_waited_for(
    store: FileStore, workspace: Path, use: Callable[[FileStore, tuple[str, ...]], object]
) -> None:
    (workspace / "files").mkdir(parents=True)
    os.mkfifo(workspace / "files/pipe")
    with tempfile.TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{short}/s")  # the path of a socket must be short
        Path(short, "s").rename(workspace / "files/socket")
        for name in ("pipe", "socket"):
            with pytest.raises(
                ToolError, match=rf"^path: '{name}' is a device or a pipe. Only plain files are used.$"
            ):
                use(store, (name,))
    assert store.list() == ((), 2)


@pytest.mark.skipif(not BY_HANDLE, reason="folders cannot be held open here")
def test_a_folder_that_is_held_stays_the_same_one(workspace: Path, outside: Path) -> None:
    """The check has been passed, then the folder is swapped for a link, then it is used."""
    (workspace / "sub").mkdir(parents=True)
    root = HandleFolder.at(workspace)
    held = root.enter("sub")
    (workspace / "sub").rename(workspace / "moved")
    link(workspace / "sub", outside)
    os.close(held.open("notes.txt", os.O_WRONLY | os.O_CREAT))
    held.move("notes.txt", held, "new.txt")
    assert under(workspace / "moved") == ["new.txt"]
    held.remove("new.txt")
    with pytest.raises(OSError, match=r"Too many levels of symbolic links|Not a directory"):
        root.open("sub", os.O_RDONLY | os.O_DIRECTORY)  # as if the swap came after the look
    held.close()
    root.close()
    assert intact(outside)


def test_a_path_that_was_swapped_is_refused_before_it_is_used(workspace: Path, outside: Path) -> None:
    (workspace / "sub").mkdir(parents=True)
    (workspace / "sub/notes.txt").write_text("inside", encoding="utf-8")
    held = PathFolder.at(workspace).enter("sub")
    (workspace / "sub").rename(workspace / "moved")
    link(workspace / "sub", outside)
    target = PathFolder.at(workspace)
    for attempt in (
        lambda: held.open("notes.txt", os.O_RDWR),
        lambda: held.look("notes.txt"),
        lambda: held.make("new"),
        lambda: held.remove("notes.txt"),
        lambda: held.move("notes.txt", target, "x"),
        lambda: target.move("moved", held, "x"),
        lambda: held.enter("notes.txt"),
        held.names,
    ):
        with pytest.raises(ToolError, match=r"^path: 'sub' is a link"):
            attempt()
    assert intact(outside)


@pytest.mark.skipif(not BY_HANDLE, reason="without handles a moment remains")
def test_a_race_for_a_folder_never_leads_out(workspace: Path, outside: Path) -> None:
    store, sub, path = FileStore(workspace), workspace / "files/sub", ("sub", "notes.txt")
    store.write(path, "inside")
    over, done = threading.Event(), 0

    def swap() -> None:
        nonlocal done
        for number in itertools.count():
            with suppress(OSError):  # the store may be faster, and make the folder anew
                sub.rename(workspace / f"moved-{number}")
                sub.symlink_to(outside)
                done += 1
                sub.unlink()
                (workspace / f"moved-{number}").rename(sub)
            if over.is_set():
                return

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        for number in range(5000):
            if number >= 300 and done >= 50:
                break
            with suppress(ToolError):
                store.write(path, str(number))
            with suppress(ToolError):
                [store.append, store.write][number % 2](path, "more")
            with suppress(ToolError):
                assert "outside" not in store.read(path)[0]
            if number % 10 == 0:
                with suppress(ToolError):
                    store.delete(path)
            assert intact(outside)
    finally:
        over.set()
        swapping.join(timeout=30)
    assert not swapping.is_alive()
    assert done >= 50
    assert intact(outside)


def test_writers_side_by_side_lose_nothing(store: FileStore) -> None:
    """The calls of one step run at the same time: each append is there, each version is kept."""

    def work(who: str) -> None:
        for number in range(10):
            store.append(("log.txt",), f"{who}{number}\n")
            store.write(NOTES, f"{who}{number}")

    threads = [threading.Thread(target=work, args=(who,)) for who in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    written = sorted(f"{who}{number}" for who in "abcd" for number in range(10))
    assert sorted(store.read(("log.txt",))[0].split()) == written
    versions = [store.read((".trash", str(number), "notes.txt"))[0] for number in range(1, 40)]
    assert sorted([*versions, store.read(NOTES)[0]]) == written


APPEND_MANY = """
import sys
from pathlib import Path
from agent_mini.tools.file_store import FileStore
for number in range(50):
    FileStore(Path(sys.argv[1])).append(("log.txt",), f"{sys.argv[2]}{number}\\n")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="appending is not one step there")
def test_processes_that_append_at_once_lose_nothing(workspace: Path) -> None:
    running = [subprocess.Popen([sys.executable, "-c", APPEND_MANY, workspace, who]) for who in "abc"]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0]
    lines = (workspace / "files/log.txt").read_text(encoding="utf-8").split()
    assert sorted(lines) == sorted(f"{who}{number}" for who in "abc" for number in range(50))


def test_only_text_is_read(store: FileStore, workspace: Path) -> None:
    store.write(("a",), "")
    for content in (b"\xff\xfeh\x00i\x00", b"a\0b", b"\x89PNG\r\n", "é".encode("latin-1"), "你".encode()[:2]):
        (workspace / "files/a").write_bytes(content)
        with pytest.raises(ToolError, match=r"^path: 'a' is not UTF-8 text, and only text can be read$"):
            store.read(("a",))
    (workspace / "files/a").write_bytes("\ufeff你好".encode())
    assert store.read(("a",)) == ("你好", False)


@pytest.mark.parametrize("letter", ["a", "é", "你", "🥛"])
def test_a_long_file_is_read_up_to_the_limit(store: FileStore, workspace: Path, letter: str) -> None:
    store.write(NOTES, "")
    for length, cut in ((MAX_READ, False), (MAX_READ + 1, True), (5 * MAX_READ, True)):
        (workspace / "files/notes.txt").write_text(letter * length, encoding="utf-8")
        assert store.read(NOTES) == (letter * min(length, MAX_READ), cut)


def test_only_text_of_bounded_size_is_written(store: FileStore, workspace: Path) -> None:
    for content, reason in (
        ("x" * (MAX_WRITE + 1), r"^content: 102401 bytes are too many, at most 102400 at once."),
        ("你" * (MAX_WRITE // 3 + 1), r"^content: 102402 bytes are too many"),
        ("a\0b", r"^content: only text can be written, without NUL characters$"),
        ("a\ud800", r"^content: character 2 is half a character. Write whole ones.$"),
    ):
        for attempt in (store.write, store.append):
            with pytest.raises(ToolError, match=reason):
                attempt(NOTES, content)
    assert not workspace.exists()
    store.write(NOTES, "x" * MAX_WRITE)
    assert store.append(NOTES, "x" * MAX_WRITE) == 2 * MAX_WRITE


def test_the_folder_has_a_limit_for_files(store: FileStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FILES", 3)
    for name in "ab":
        store.write((name,), name)
    store.write(("a",), "again")  # with what is kept, that makes three
    for attempt in (lambda: store.write(("c",), ""), lambda: store.append(("d", "e"), "")):
        with pytest.raises(
            ToolError, match=r"^the folder is full: at most 3 files and 20 MB, with what is kept in"
        ):
            attempt()
    with pytest.raises(ToolError, match="the folder is full"):
        store.write(("b",), "again")
    assert store.read(("b",)) == ("b", False)
    store.delete(("b",))
    assert store.list()[0] == (FileEntry("a", 5),)


def test_the_folder_has_a_limit_for_bytes(store: FileStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TOTAL", 100)
    store.write(("a",), "x" * 40)
    for attempt in (lambda: store.write(("b",), "x" * 61), lambda: store.append(("a",), "x" * 61)):
        with pytest.raises(ToolError, match="the folder is full"):
            attempt()
    store.append(("a",), "x" * 10)
    with pytest.raises(ToolError, match="the folder is full"):  # 50 there, 50 to be kept, one more
        store.write(("a",), "y")
    assert store.read(("a",)) == ("x" * 50, False)


def test_what_a_person_put_there_is_listed_when_it_can_be_asked_for(
    store: FileStore, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write(("b", "c.txt"), "x")
    (workspace / "files/nul.txt").write_text("", encoding="utf-8")
    (workspace / "files/.trash-left-behind").write_text("", encoding="utf-8")
    assert store.list() == ((FileEntry("b/c.txt", 1),), 1)
    for number in range(5):
        (workspace / f"files/{number}").write_text("", encoding="utf-8")
    monkeypatch.setattr(module, "MAX_FILES", 4)
    entries, others = store.list()
    assert ([entry.path for entry in entries], others) == (["0", "1", "2", "3"], 3)


def test_folders_deeper_than_the_limit_are_not_walked(store: FileStore, workspace: Path) -> None:
    deep = workspace.joinpath("files", *["d"] * 40)
    deep.mkdir(parents=True)
    (deep / "x").write_text("", encoding="utf-8")
    assert store.list() == ((), 1)


FULL = """
import resource, sys
from pathlib import Path
from agent_mini.tools import ToolError
from agent_mini.tools.file_store import FileStore
store = FileStore(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
for action in (store.write, store.append):
    try:
        action(("notes.txt",), "y" * 2000, *sys.argv[2:])
    except ToolError as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits for files here")
def test_a_full_disk_leaves_what_was_there(store: FileStore, workspace: Path) -> None:
    """A limit for the size of a file gives the same errors, for real, as a disk with no room left."""
    store.write(NOTES, "before")
    done = subprocess.run(
        [sys.executable, "-c", FULL, workspace],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == "path: 'notes.txt' cannot be used: the disk is full.\n" * 2
    assert store.read(NOTES) == ("before", False)
    assert under(workspace) == ["files/.trash/1/notes.txt", "files/notes.txt"]
    store.delete(NOTES)
    subprocess.run([sys.executable, "-c", FULL, workspace, "r1"], timeout=60, check=True, capture_output=True)
    assert store.list() == ((), 0)  # a file that could not be begun is not there either
    assert store.append(NOTES, "y" * 2000, "r1") == 2000  # there is room again


def test_the_same_request_changes_the_folder_once(store: FileStore) -> None:
    for _ in range(2):
        assert store.append(NOTES, "line\n", "r1") == 5
    assert store.append(NOTES, "line\n", "r2") == 10
    assert [store.write(NOTES, "new", "r3") for _ in range(2)] == [".trash/1/notes.txt"] * 2
    store.append(NOTES, " and newer")
    assert store.write(NOTES, "new", "r3") == ".trash/1/notes.txt"
    assert store.append(NOTES, "line\n", "r1") == 5
    assert store.read(NOTES) == ("new and newer", False)
    assert [store.delete(NOTES, "r4") for _ in range(2)] == [".trash/2/notes.txt"] * 2
    store.write(NOTES, "another")
    assert store.delete(NOTES, "r4") == ".trash/2/notes.txt"
    assert store.read(NOTES) == ("another", False)
    assert store.list() == ((FileEntry("notes.txt", 7),), 0)
    assert store.write(NOTES, "another", "r5") == ""  # it was like that
    store.write(NOTES, "newer")
    assert store.write(NOTES, "another", "r5") == ""
    assert store.read(NOTES) == ("newer", False)


def test_an_append_that_cannot_be_noted_is_not_begun(store: FileStore, workspace: Path) -> None:
    store.write(NOTES, "before")
    (workspace / "files/.trash-requests.json").mkdir()  # no note can be written
    with pytest.raises(ToolError, match="is a folder"):
        store.append(NOTES, "x", "r1")
    assert store.read(NOTES) == ("before", False)


def test_an_append_that_was_cut_off_before_its_second_note_is_known_again(
    store: FileStore, workspace: Path
) -> None:
    store.write(NOTES, "line\n")
    notes = workspace / "files/.trash-requests.json"
    store.append(NOTES, "line\n", "r1")
    note = notes.read_text(encoding="utf-8")
    for wrote, size in ((True, 10), (False, 10)):
        notes.write_text(note.replace('"size":10', '"before":5'), encoding="utf-8")
        if not wrote:
            (workspace / "files/notes.txt").write_bytes(b"line\n")
        assert store.append(NOTES, "line\n", "r1") == size
        assert store.read(NOTES) == ("line\nline\n", False)


def test_only_the_last_requests_are_noted_and_damaged_notes_are_no_notes(
    store: FileStore, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent_mini.tools.file_notes.MAX_NOTES", 3)
    for number in range(4):
        store.append(NOTES, "x", f"r{number}")
    assert store.append(NOTES, "x", "r1") == 2
    assert store.append(NOTES, "x", "r0") == 5
    notes = workspace / "files/.trash-requests.json"
    for damage in ("", "{", "[]", '{"a": 1}', "null", "\0"):
        notes.write_text(damage, encoding="utf-8")
        before = len(store.read(NOTES)[0])
        assert store.append(NOTES, "x", "r3") == before + 1


def test_a_workspace_that_no_system_can_have_is_named(tmp_path: Path, kind: type[Folder]) -> None:
    with pytest.raises(ToolError, match=r"^the path of the workspace has a NUL character in it: set AGENT_"):
        FileStore(tmp_path / "a\0b", kind)


@pytest.fixture
def read_only(kind: type[Folder]) -> Iterator[FileStore]:
    """A store whose files this process, with the rights it has now, may read but not change."""
    if not hasattr(os, "geteuid"):
        pytest.skip("rights work differently here")
    with tempfile.TemporaryDirectory() as name:
        store, folder, user = FileStore(Path(name), kind), Path(name, "files"), os.geteuid()
        store.write(NOTES, "before")
        Path(name).chmod(0o755)
        folder.chmod(0o555)
        (folder / "notes.txt").chmod(0o444)
        if user == 0:
            os.seteuid(65534)
        try:
            yield store
        finally:
            os.seteuid(user)
            folder.chmod(0o755)


def test_a_read_only_folder_is_one_clear_line(read_only: FileStore) -> None:
    assert read_only.read(NOTES) == ("before", False)
    for use in EVERY_WAY[1:]:
        with pytest.raises(
            ToolError, match=r"cannot be used: it may not be opened: check the rights of the workspace"
        ):
            use(read_only, NOTES)
    assert read_only.read(NOTES) == ("before", False)
