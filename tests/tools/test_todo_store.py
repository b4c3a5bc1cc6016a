"""agent_mini.tools.todo_store: real files, real processes, real trouble."""

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from agent_mini.tools import ToolError
from agent_mini.tools.todo_store import MAX_OPEN, TodoItem, TodoStore

ADD_MANY = """
import sys
from agent_mini.tools.todo_store import TodoStore
store, who, count = TodoStore(sys.argv[1]), sys.argv[2], int(sys.argv[3])
for number in range(count):
    store.add(f"{who}-{number}", request_id=f"{who}-{number}")
    print(number, flush=True)
"""


@pytest.fixture
def store(tmp_path: Path) -> TodoStore:
    return TodoStore(tmp_path / "not yet there" / "todo.sqlite")


def start(program: str, *arguments: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")


def titles(store: TodoStore) -> list[str]:
    return [item.title for item in store.list()]


def test_a_list_is_kept(store: TodoStore) -> None:
    assert store.list() == ()
    assert not store.path.parent.exists()  # looking makes nothing
    assert store.add("  买牛奶 🥛👨‍👩‍👧 ", "2026-12-02") == (
        TodoItem(1, "买牛奶 🥛👨‍👩‍👧", "2026-12-02"),
        True,
    )
    store.add("no date")
    store.add("at three", "2026-12-01 15:00")
    store.add("that day", "2026-12-01")
    assert [item.id for item in TodoStore(store.path).list()] == [4, 3, 1, 2]


def test_done_and_deleted_twice_change_nothing_more(store: TodoStore) -> None:
    store.add("milk")
    store.add("bread")
    assert store.done(1) == (TodoItem(1, "milk", done=True), True)
    assert store.done(1) == store.done(title="MILK ") == (TodoItem(1, "milk", done=True), False)
    assert store.delete(2) == (TodoItem(2, "bread", deleted=True), True)
    assert store.delete(2) == store.delete(title="bread") == (TodoItem(2, "bread", deleted=True), False)
    assert store.list() == ()


def test_an_id_is_never_used_twice(store: TodoStore) -> None:
    ids: list[int] = []
    for _ in range(3):
        item, _ = store.add("again")
        ids.append(item.id)
        store.delete(item.id)
    assert ids == [1, 2, 3]


def test_a_title_may_stand_for_the_id_when_only_one_item_is_meant(store: TodoStore) -> None:
    for title in ("write report", "write report today", "call mum"):
        store.add(title)
    assert store.done(title="Write Report")[0].id == 1  # the whole title counts more than a part
    assert store.done(title="report")[0].id == 2  # the other one is done
    store.add("call dad")
    with pytest.raises(
        ToolError, match=r"title: 'call' can mean several items, give the id: 3 'call mum', 4 "
    ):
        store.delete(title="call")
    with pytest.raises(
        ToolError, match=r"item 3 is 'call mum', not 'call dad': give only one of id and title"
    ):
        store.delete(3, "call dad")
    assert store.delete(3, "mum")[1]


def test_the_second_time_does_not_hit_another_item(store: TodoStore) -> None:
    for title in ("call Ann", "call Annabel"):
        store.add(title)
    for act in (store.done, store.delete):
        first, changed = act(title="call Ann")
        assert (first.id, changed) == (1, True)
        assert act(title="call Ann") == (first, False)
    assert titles(store) == ["call Annabel"]
    store.add("call Ann")
    assert store.delete(title="call Ann") == (TodoItem(3, "call Ann", deleted=True), True)
    store.delete(2)
    store.add("call Annabel")
    store.add("call Annabel again")
    store.delete(4)
    with pytest.raises(ToolError, match="there is no item called 'call Annabel'"):
        store.done(title="call Annabel")  # it was deleted, and the other one is another one


@pytest.mark.parametrize("mark", ["done", "delete"])
def test_the_same_request_marks_once_whatever_has_happened_since(store: TodoStore, mark: str) -> None:
    act = getattr(store, mark)
    for _ in range(2):
        store.add("pay")
        first, _ = act(title="pay", request_id="r1")
        assert first.id == 1
    assert [item.id for item in store.list()] == [2]
    assert act(title="pay", request_id="r2")[0].id == 2


def test_how_an_accent_is_written_does_not_count(store: TodoStore) -> None:
    composed, in_parts = "caf\u00e9", "CAFE\u0301"
    assert store.add(in_parts.lower(), "", "r1") == (TodoItem(1, composed), True)
    assert store.add(composed, "", "r1") == (TodoItem(1, composed), False)
    assert store.done(title=in_parts)[0].id == 1
    assert store.done(1, in_parts)[0].id == 1


def test_an_unknown_item_lists_what_is_open(store: TodoStore) -> None:
    with pytest.raises(ToolError, match=r"^there is no item with id 1. Open items: none.$"):
        store.done(1)
    store.add("milk")
    store.add("bread")
    store.delete(2)
    for wanted in (2, 7, 2**70, -1):
        with pytest.raises(ToolError, match=rf"^there is no item with id {wanted}. Open items: 1 'milk'.$"):
            store.done(wanted)
    with pytest.raises(ToolError, match=r"^there is no item called 'rent'. Open items: 1 'milk'.$"):
        store.delete(title="rent")
    with pytest.raises(ToolError, match=r"^id: missing. Give the id of the item, or its title.$"):
        store.done(title=" ")
    for number in range(12):
        store.add(f"more {number}")
    with pytest.raises(ToolError, match=r"and 3 more.$"):
        store.done(99)


def test_the_same_request_adds_once_whatever_has_happened_since(store: TodoStore) -> None:
    first, new = store.add("pay", "2026-12-01", "r1")
    assert new
    assert store.add(" pay ", "2026-12-01", "r1") == (first, False)
    store.done(1)
    store.delete(1)
    assert store.add("pay", "2026-12-01", "r1") == (TodoItem(1, "pay", "2026-12-01", True, True), False)
    for title, due in (("rent", "2026-12-01"), ("pay", "2026-12-02"), ("pay", "")):
        with pytest.raises(
            ToolError,
            match=r"^request_id: 'r1' was used before for 'pay', due '2026-12-01' \(id 1\). A new request",
        ):
            store.add(title, due, "r1")
    second, _ = store.add("tea", "2026-12-02", "r2", "tomorrow")
    for said in ("tomorrow", "2026-12-02"):  # "tomorrow" is another day when it is asked again
        assert store.asked("tea", "r2", said) == second
        assert store.add("tea", "2026-12-03", "r2", said) == (second, False)
    assert store.asked("tea", "r3", "tomorrow") is None
    assert store.add("pay")[0].id == store.add("pay")[0].id - 1  # no request id, no such promise


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("", "none was given"),
        (" \n ", "none was given"),
        ("x" * 201, "given 201 characters"),
        ("a\nb", "line breaks and control characters"),
        ("a\tb", "line breaks and control characters"),
        ("a\0b", "line breaks and control characters"),
        ("a\x1b[31mb", "line breaks and control characters"),
        ("a\u2028b", "line breaks and control characters"),
        ("a\u202eb", "line breaks and control characters"),
        ("a\ud800b", "line breaks and control characters"),
        ("\u200b\u200d", "nothing to be seen"),
        ("\u3164\ufe0f\u2800 \U000e0100", "nothing to be seen"),
    ],
)
def test_what_is_no_title_is_refused(store: TodoStore, title: str, reason: str) -> None:
    with pytest.raises(ToolError, match=f"^title: .*{reason}"):
        store.add(title)
    assert not store.path.exists()


def test_what_is_no_request_id_is_refused(store: TodoStore) -> None:
    for request_id in ("x" * 501, "a\0", "\ud800"):
        with pytest.raises(ToolError, match=r"^request_id: "):
            store.add("ok", request_id=request_id)
    assert store.add("t" * 200, request_id="r" * 500)[1]


def test_sql_in_a_title_is_a_title(store: TodoStore) -> None:
    title = "'); DROP TABLE item; --"
    store.add(title)
    assert titles(store) == [title]
    with pytest.raises(ToolError, match="there is no item called '%'"):
        store.delete(title="%")


def test_a_list_has_an_end(store: TodoStore) -> None:
    store.add("first")
    with closing(sqlite3.connect(store.path)) as db, db:
        db.executemany("INSERT INTO item (title, due) VALUES (?, '')", [("x",)] * (MAX_OPEN - 1))
    with pytest.raises(
        ToolError, match=f"there are {MAX_OPEN} open items already: finish or delete some first"
    ):
        store.add("one too many")
    store.done(1)
    assert store.add("fits")[1]


def test_processes_that_add_at_once_lose_nothing(store: TodoStore) -> None:
    running = [start(ADD_MANY, store.path, who, 50) for who in "abcd"]
    for process in running:
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "")
    assert sorted(titles(store)) == sorted(f"{who}-{number}" for who in "abcd" for number in range(50))
    assert sorted(item.id for item in store.list()) == list(range(1, 201))


def test_a_process_killed_in_the_middle_and_run_again_doubles_nothing(store: TodoStore) -> None:
    killed = start(ADD_MANY, store.path, "a", 500)
    assert killed.stdout is not None
    seen = [killed.stdout.readline() for _ in range(20)]
    killed.kill()
    killed.communicate(timeout=60)
    assert seen[-1] == "19\n"
    assert len(store.list()) >= 20  # what was reported is there
    again = start(ADD_MANY, store.path, "a", 60)
    assert again.communicate(timeout=60) == ("".join(f"{number}\n" for number in range(60)), "")
    assert len(set(titles(store))) == len(titles(store)) >= 60


def test_a_writer_that_keeps_the_file_is_waited_for_only_so_long(
    store: TodoStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent_mini.tools.todo_store.WAIT_SECONDS", 0.1)
    store.add("milk")
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for attempt in (lambda: store.add("bread"), lambda: store.done(1)):
            with pytest.raises(ToolError, match=r"^todo.sqlite has been in use by another program for"):
                attempt()
        assert titles(store) == ["milk"]  # reading goes on meanwhile
        other.execute("ROLLBACK")
    assert store.add("bread")[1]


def test_a_reader_that_keeps_the_file_stops_a_writer_before_it_has_begun(
    store: TodoStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once somebody has looked whether the caller still waits, there is nothing to wait for any more."""
    monkeypatch.setattr("agent_mini.tools.todo_store.WAIT_SECONDS", 0.1)
    store.add("milk")
    looked: list[bool] = []
    writer = TodoStore(store.path, lambda: bool(looked.append(True)))
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM item").fetchall()
        with pytest.raises(ToolError, match=r"^todo.sqlite has been in use by another program for"):
            writer.add("bread")
    assert looked == []
    assert writer.add("bread")[1]
    assert looked == [True]


def test_nothing_is_changed_for_a_caller_who_has_given_up(store: TodoStore) -> None:
    store.add("milk")
    late = TodoStore(store.path, lambda: True)
    for attempt in (lambda: late.add("bread"), lambda: late.done(1), lambda: late.delete(1)):
        with pytest.raises(ToolError, match=r"^todo.sqlite: nobody waits for this any more. Nothing was"):
            attempt()
    assert store.list() == (TodoItem(1, "milk"),)


def damaged_in_the_middle(path: Path) -> None:
    TodoStore(path).add("milk")
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE item (id INTEGER)")


def of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA application_id = 77")


def without_its_table(path: Path) -> None:
    TodoStore(path).add("milk")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("ALTER TABLE item RENAME TO other")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_text("buy milk\n", encoding="utf-8"),
        lambda path: path.write_bytes(b"\0" * 5000),
        lambda path: path.write_bytes(b"SQLite format 3\0" + b"\1" * 3000),
        damaged_in_the_middle,
        foreign,
        of_another_program,
        without_its_table,
    ],
)
def test_a_damaged_or_foreign_file_is_left_as_it_is(tmp_path: Path, spoil: Callable[[Path], object]) -> None:
    path = tmp_path / "todo.sqlite"
    spoil(path)
    before = path.read_bytes()
    store = TodoStore(path)
    for attempt in (lambda: store.add("x"), store.list, lambda: store.done(1)):
        with pytest.raises(
            ToolError, match=r"^todo.sqlite is damaged, or is no to-do list. It was left as it is: "
        ):
            attempt()
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["todo.sqlite"]  # noqa: PTH208


def test_a_newer_file_is_left_to_a_newer_program(store: TodoStore) -> None:
    store.add("milk")
    with closing(sqlite3.connect(store.path)) as db:
        db.execute("PRAGMA user_version = 9")
    with pytest.raises(ToolError, match=r"has format version 9, this program reads 2. It was left as it is"):
        store.list()


def test_an_empty_file_is_a_new_list(tmp_path: Path) -> None:
    """What a crash leaves that came between making the file and the first commit."""
    path = tmp_path / "todo.sqlite"
    path.touch()
    assert TodoStore(path).list() == ()
    assert TodoStore(path).add("milk")[1]


def test_a_path_that_no_system_can_have_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"^the path of the workspace has a NUL character in it: set AGENT_"):
        TodoStore(tmp_path / "a\0b" / "todo.sqlite")


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    folder = tmp_path / "todo.sqlite"
    folder.mkdir()
    with pytest.raises(ToolError, match=r"^todo.sqlite is not a file. Move it away to start a new list.$"):
        TodoStore(folder).list()
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(ToolError, match=r"^the folder of x.sqlite cannot be made: "):
        TodoStore(blocked / "x.sqlite").add("milk")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "todo.sqlite")
    with pytest.raises(ToolError, match="is not a file"):
        TodoStore(tmp_path / "todo.sqlite").add("milk")


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """A folder with a list in it, which this process, with the rights it has now, may read but not change."""
    if not hasattr(os, "geteuid"):
        pytest.skip("rights work differently here")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        TodoStore(folder / "todo.sqlite").add("milk")
        user = os.geteuid()
        folder.chmod(0o555)
        if user == 0:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            os.seteuid(user)
            folder.chmod(0o755)


def test_a_read_only_folder_is_one_clear_line(read_only_folder: Path) -> None:
    words = r"^todo.sqlite cannot be opened for writing: check the rights of the workspace folder.$"
    with pytest.raises(ToolError, match=words):
        TodoStore(read_only_folder / "todo.sqlite").add("bread")
    assert titles(TodoStore(read_only_folder / "todo.sqlite")) == ["milk"]
    with pytest.raises(ToolError, match=r"^the folder of todo.sqlite cannot be made: Permission denied$"):
        TodoStore(read_only_folder / "new" / "todo.sqlite").add("bread")


FILL = """
import resource, sys
from agent_mini.tools import ToolError
from agent_mini.tools.todo_store import TodoStore
store, added = TodoStore(sys.argv[1]), 0
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
try:
    while added < 400:
        store.add(f"{added:0200}")
        added += 1
except ToolError as error:
    print(added, error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits for files here")
def test_a_full_disk_loses_nothing(store: TodoStore) -> None:
    """A limit for the size of a file gives the same errors, for real, as a disk with no room left."""
    output, errors = start(FILL, store.path).communicate(timeout=60)
    added, _, message = output.partition(" ")
    assert (errors, message[:28]) == ("", "todo.sqlite cannot be written"[:28])
    assert message.endswith("Nothing was changed: is the disk full?\n")
    assert titles(store) == [f"{number:0200}" for number in range(int(added))]
    assert store.add("room again")[1]
