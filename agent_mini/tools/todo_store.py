"""To-do items in one SQLite file that several processes may use at the same moment.

Each call opens the file, does one short transaction and closes it again. ``BEGIN EXCLUSIVE`` takes the file
before anything is read, so two writers queue instead of failing half-way, and once it has begun nothing has to
be waited for. There is no write-ahead log: it would need files beside the list, which a folder that may only be
read does not take. Nothing is lost: a deleted item is only marked, and neither its id nor a request id is ever
given to another one.
"""

import sqlite3
import stat
import unicodedata
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Literal

from agent_mini.printable import printable
from agent_mini.tools.base import ToolError
from agent_mini.tools.safe_path import check_workspace, is_unseen

MAX_TITLE = 200
MAX_REQUEST_ID = 500
MAX_OPEN = 500
"""Open items at once: no person has more, a loop that went wrong soon would."""

WAIT_SECONDS = 10.0
_APPLICATION_ID = 0x41544F44  # stands in the file's header: a file without it is not ours to write to
_VERSION = 2
_SCHEMA = (
    """CREATE TABLE item (
        id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice
        title TEXT NOT NULL,
        due TEXT NOT NULL,                     -- as parse_due gives it, empty for none
        done INTEGER NOT NULL DEFAULT 0,
        deleted INTEGER NOT NULL DEFAULT 0
    )""",
    """CREATE TABLE request (
        id TEXT PRIMARY KEY,                   -- whoever asks again with the same one gets the same item
        item INTEGER NOT NULL REFERENCES item,
        said TEXT NOT NULL                     -- the due date in the words it was asked for with
    )""",
)
_OF_REQUEST = "WHERE id = (SELECT item FROM request WHERE id = ?)"
_SELECT = "SELECT id, title, due, done, deleted FROM item "
_NOT_OURS = "is damaged, or is no to-do list. It was left as it is: move it away to start a new list."

Mark = Literal["done", "deleted"]


@dataclass(frozen=True, slots=True)
class TodoItem:
    """One thing to be done.

    Args:
        id: A small number, never given to another item.
        title: What is to be done.
        due: ``YYYY-MM-DD`` or ``YYYY-MM-DD HH:MM``; empty for no date.
        done: Whether it has been done.
        deleted: Whether it has been taken off the list.
    """

    id: int
    title: str
    due: str = ""
    done: bool = False
    deleted: bool = False


class TodoStore:
    """The to-do list in the file ``path``, which is made, with its folder, by the first ``add``.

    Every method raises ``ToolError``, one clear line, for what cannot be done and when the file cannot be used:
    damaged, foreign, read-only, busy for ten seconds, the disk full. What was in it stays.
    """

    def __init__(self, path: str | PathLike[str], given_up: Callable[[], bool] = lambda: False) -> None:
        self.path = Path(path)
        check_workspace(self.path)
        self._given_up = given_up

    def asked(self, title: str, request_id: str, said: str = "") -> TodoItem | None:
        """The item that ``add`` made for this request, as it is now; None when it has made none.

        For whoever has to know before the due date is read: "tomorrow" is another day when it is asked again.

        Args:
            title: As for ``add``.
            request_id: As for ``add``.
            said: The due date as it was said, or as ``parse_due`` gave it.
        """
        title = check_title(title)
        _check_request_id(request_id)
        if not request_id or not self._is_there():
            return None
        with self._transaction("BEGIN") as db:
            return _asked(db, title, request_id, said)

    def add(self, title: str, due: str = "", request_id: str = "", said: str = "") -> tuple[TodoItem, bool]:
        """Add an item.

        Args:
            title: What is to be done, 1 to 200 characters in one line.
            due: As ``parse_due`` gives it.
            request_id: The same one twice adds once; empty for none.
            said: The words that ``due`` was read from, when there were any.

        Returns:
            The item, and whether it is new. For a ``request_id`` seen before: the item of then, as it is now.
        """
        title = check_title(title)
        _check_request_id(request_id)
        self._make_folder()
        with self._transaction() as db:
            if request_id and (item := _asked(db, title, request_id, said or due)):
                return item, False
            if len(_open_items(db)) >= MAX_OPEN:
                raise ToolError(f"there are {MAX_OPEN} open items already: finish or delete some first")
            cursor = db.execute("INSERT INTO item (title, due) VALUES (?, ?)", (title, due))
            item = TodoItem(cursor.lastrowid or 0, title, due)
            _remember(db, request_id, item, said or due)
            return item, True

    def list(self) -> tuple[TodoItem, ...]:
        """The open items, the first due first, those without a date last."""
        if not self._is_there():
            return ()
        with self._transaction("BEGIN") as db:
            return _open_items(db)

    def done(self, id: int | None = None, title: str = "", request_id: str = "") -> tuple[TodoItem, bool]:
        """Mark an item as done.

        Args:
            id: Which one.
            title: Which one, in words: the title of an open item, or else of one that is done already, or else
                a part that only one open item has.
            request_id: The same one twice changes nothing the second time; empty for none.

        Returns:
            The item, and whether that changed it: one that was done before stays as it is.
        """
        return self._mark("done", id, title, request_id)

    def delete(self, id: int | None = None, title: str = "", request_id: str = "") -> tuple[TodoItem, bool]:
        """Take an item off the list; arguments and result are those of ``done``."""
        return self._mark("deleted", id, title, request_id)

    def _mark(self, mark: Mark, id: int | None, title: str, request_id: str) -> tuple[TodoItem, bool]:
        _check_request_id(request_id)
        if id is None and not title.strip():
            raise ToolError("id: missing. Give the id of the item, or its title.")
        if not self._is_there():
            raise ToolError(f"there is no item {_named(id, title)}. Open items: none.")
        with self._transaction() as db:
            for item in _items(db, _OF_REQUEST, request_id):
                return item, False
            item = _find(db, mark, id, title)
            _remember(db, request_id, item)
            if getattr(item, mark):
                return item, False
            db.execute(f"UPDATE item SET {mark} = 1 WHERE id = ?", (item.id,))  # noqa: S608 (one of two words)
            return replace(item, **{mark: True}), True

    def _is_there(self) -> bool:
        """Whether there is a file; opening anything else could wait for ever."""
        try:
            plain = stat.S_ISREG(self.path.stat().st_mode)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise ToolError(f"{self.path.name} cannot be used: {error.strerror or error}") from None
        if not plain:
            raise ToolError(f"{self.path.name} is not a file. Move it away to start a new list.")
        return True

    def _make_folder(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ToolError(
                f"the folder of {self.path.name} cannot be made: {error.strerror or error}"
            ) from None

    @contextmanager
    def _transaction(self, begin: str = "BEGIN EXCLUSIVE") -> Generator[sqlite3.Connection]:
        """A connection in one transaction: committed at the end, rolled back when anything is raised in it."""
        self._is_there()
        try:
            with closing(sqlite3.connect(self.path, timeout=WAIT_SECONDS, isolation_level=None)) as db:
                self._prepare(db)
                with _committed(db, begin):
                    yield db
                    if self._given_up():
                        raise ToolError(
                            f"{self.path.name}: nobody waits for this any more. Nothing was changed."
                        )
        except sqlite3.Error as error:
            raise ToolError(f"{self.path.name} {_explain(error)}") from None

    def _prepare(self, db: sqlite3.Connection) -> None:
        """Make the table in a new file; leave a file that is not ours alone."""
        if _number(db, "application_id") != _APPLICATION_ID:
            with _committed(db):
                if _number(db, "application_id") != _APPLICATION_ID:  # nobody else was faster
                    if _number(db, "application_id") or db.execute("SELECT 1 FROM sqlite_master").fetchone():
                        raise ToolError(f"{self.path.name} {_NOT_OURS}")
                    for table in _SCHEMA:
                        db.execute(table)
                    db.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                    db.execute(f"PRAGMA user_version = {_VERSION}")
        if (version := _number(db, "user_version")) != _VERSION:
            raise ToolError(
                f"{self.path.name} has format version {version}, this program reads {_VERSION}. "
                "It was left as it is: update the program, or move the file away to start a new list."
            )


def check_title(title: str) -> str:
    """``title`` without the spaces around it, in Unicode's composed form (NFC).

    Raises:
        ToolError: It is no title: empty, too long, or not one line of plain text.
    """
    title = unicodedata.normalize("NFC", title.strip())
    if not 1 <= len(title) <= MAX_TITLE:
        given = f"given {len(title)} characters" if title else "none was given"
        raise ToolError(f"title: what is to be done, in 1 to {MAX_TITLE} characters; {given}")
    if printable(title) != title or any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in title):
        raise ToolError("title: one line of plain text, without line breaks and control characters")
    if all(c.isspace() or is_unseen(c) for c in title):
        raise ToolError("title: there is nothing to be seen in it")
    return title


def _check_request_id(request_id: str) -> None:
    if len(request_id) > MAX_REQUEST_ID:
        raise ToolError(f"request_id: at most {MAX_REQUEST_ID} characters; given {len(request_id)}")
    if any(unicodedata.category(c) in ("Cc", "Cs") for c in request_id):
        raise ToolError("request_id: plain text, without control characters")


@contextmanager
def _committed(db: sqlite3.Connection, begin: str = "BEGIN EXCLUSIVE") -> Generator[None]:
    db.execute(begin)
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # some errors have ended the transaction already
            db.execute("ROLLBACK")
        raise


def _number(db: sqlite3.Connection, pragma: str) -> int:
    return db.execute(f"PRAGMA {pragma}").fetchone()[0]


def _items(db: sqlite3.Connection, which: str, *values: object) -> tuple[TodoItem, ...]:
    rows = db.execute(_SELECT + which, values)
    return tuple(
        TodoItem(id, title, due, bool(done), bool(deleted)) for id, title, due, done, deleted in rows
    )


def _open_items(db: sqlite3.Connection) -> tuple[TodoItem, ...]:
    return _items(db, "WHERE NOT done AND NOT deleted ORDER BY due = '', due, id")


def _asked(db: sqlite3.Connection, title: str, request_id: str, said: str) -> TodoItem | None:
    """The item of a request that was made before with these words."""
    for item in _items(db, _OF_REQUEST, request_id):
        then = db.execute("SELECT said FROM request WHERE id = ?", (request_id,)).fetchone()[0]
        if item.title != title or said.strip() not in (then, item.due):
            due = f", due {then!r}" if then else ""
            raise ToolError(
                f"request_id: {request_id!r} was used before for {item.title!r}{due} (id {item.id}). "
                "A new request needs a new request_id."
            )
        return item
    return None


def _remember(db: sqlite3.Connection, request_id: str, item: TodoItem, said: str = "") -> None:
    if request_id:
        db.execute("INSERT INTO request VALUES (?, ?, ?)", (request_id, item.id, said.strip()))


def _find(db: sqlite3.Connection, mark: Mark, id: int | None, title: str) -> TodoItem:
    """The one item that is meant; when it is not just one, the error lists what is open."""
    items, wanted = _items(db, "ORDER BY id"), _folded(title.strip())
    if id is not None:
        found = [item for item in items if item.id == id and (mark == "deleted" or not item.deleted)]
        if found and wanted not in _folded(found[0].title):
            raise ToolError(f"item {id} is {found[0].title!r}, not {title!r}: give only one of id and title")
    else:
        open_items = [item for item in items if not item.done and not item.deleted]
        exact = [item for item in items if _folded(item.title) == wanted]
        found = (
            [item for item in exact if item in open_items]
            or [item for item in exact if mark == "deleted" and not item.deleted][-1:]
            or [item for item in exact if getattr(item, mark)][-1:]
        )
        if not exact:  # or a model that asks a second time would hit another item
            found = [item for item in open_items if wanted in _folded(item.title)]
    if len(found) == 1:
        return found[0]
    if found:
        raise ToolError(f"title: {title!r} can mean several items, give the id: {_shown(found)}")
    raise ToolError(f"there is no item {_named(id, title)}. Open items: {_shown(_open_items(db))}.")


def _folded(title: str) -> str:
    """``title`` as it is compared: capitals, and how an accent is written, do not count."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", title).casefold())


def _named(id: int | None, title: str) -> str:
    return f"with id {id}" if id is not None else f"called {title[:MAX_TITLE]!r}"


def _shown(items: Sequence[TodoItem]) -> str:
    shown = [f"{item.id} {item.title!r}" for item in items[:10]]
    more = [f"and {len(items) - 10} more"] if len(items) > 10 else []
    return ", ".join(shown + more) or "none"


def _explain(error: sqlite3.Error) -> str:
    """What a person can do about it; the low byte of SQLite's code says what kind of trouble it is."""
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"has been in use by another program for {WAIT_SECONDS:.0f} seconds. Try again."
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return "cannot be opened for writing: check the rights of the workspace folder."
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            return f"cannot be written: {error}. Nothing was changed: is the disk full?"
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_ERROR | sqlite3.SQLITE_SCHEMA:
            return _NOT_OURS
        case _:
            return f"cannot be used: {error}"
