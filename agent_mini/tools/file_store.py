"""Text files in one folder, within limits, so that nothing in it can be lost and nothing outside be touched.

A file that is overwritten or deleted is kept in ``.trash/NUMBER/`` under its own path, and nothing here ever
empties that: only a person does. The last changes that were asked for by a request are noted, so that one that
is run again after a crash changes nothing.

What this does not do: keep two programs that write the same file apart, or refuse to read a file that has another
name elsewhere (a hard link): whoever could make that link could read the file.
"""

import codecs
import errno
import os
import secrets
import stat
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from agent_mini.tools.base import ToolError
from agent_mini.tools.file_notes import Note, add_note, find_note
from agent_mini.tools.safe_folder import BY_HANDLE, Folder, HandleFolder, PathFolder, link_refused
from agent_mini.tools.safe_path import check_workspace, is_safe_piece

MAX_READ = 50_000
"""Characters given by one read."""
MAX_WRITE = 100 * 1024
"""Bytes taken by one write or append."""
MAX_FILES = 1000
MAX_TOTAL = 20 * 1024 * 1024
"""Files, and their bytes, in the whole folder, with what is kept in .trash."""
MAX_DEPTH = 32

TRASH = ".trash"
"""Names that begin like this are the store's own: the folder of what is kept, files being written, and the notes."""
NOTES = f"{TRASH}-requests.json"

_ONE_WRITER = threading.Lock()  # the calls of one step run side by side

Pieces = Sequence[str]


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file: its path below the folder, with ``/``, and its size in bytes."""

    path: str
    size: int


class FileStore:
    """The files in ``workspace/files``. Paths are given as the pieces of ``safe_pieces``.

    Every method raises ``ToolError``, one clear line, when it cannot do its work; the file is then as it was.

    Args:
        workspace: Where the folder is, or will be made by the first write.
        folder_kind: How folders are held; the safest way the system has, when not given.
    """

    def __init__(
        self, workspace: Path, folder_kind: type[Folder] = HandleFolder if BY_HANDLE else PathFolder
    ) -> None:
        check_workspace(workspace)
        self._workspace = workspace
        self._kind = folder_kind

    def read(self, pieces: Pieces) -> tuple[str, bool]:
        """The text of a file without a byte order mark, and whether it was cut off after 50,000 characters."""
        with _explained(pieces), self._held(pieces[:-1]) as folder:
            _must_be_file(folder.look(pieces[-1]), pieces)
            with os.fdopen(folder.open(pieces[-1], os.O_RDONLY), "rb") as file:
                _must_be_file(os.fstat(file.fileno()), pieces)
                content = file.read(4 * MAX_READ + 4)  # no character is longer than four bytes
                whole = not file.read(1)
        try:
            text = codecs.getincrementaldecoder("utf-8-sig")().decode(content, final=whole)
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            raise ToolError(f"path: {'/'.join(pieces)!r} is not UTF-8 text, and only text can be read")
        return text[:MAX_READ], not whole or len(text) > MAX_READ

    def write(self, pieces: Pieces, content: str, request: str = "") -> str:
        """Make ``content`` the whole of a file, in one step; its folders are made as needed.

        Args:
            pieces: The path.
            content: At most 100 KB of text.
            request: The same one twice changes nothing the second time; empty for none.

        Returns:
            The path under which the earlier content is kept; empty when there was none, or it was the same.
        """
        data, kept = _as_bytes(content), ""
        with _ONE_WRITER, _explained(pieces):
            if (done := self._noted(request).kept) is not None:
                return done
            files, size = self._used()
            _must_fit(files + 1, size + len(data))
            old = self._content(pieces)
            if old == data:
                self._note_if_possible(request, Note(kept=""))
                return ""
            if old is not None:
                _must_fit(files + 1, size + len(data) + len(old))
                with self._slot(pieces) as (folder, kept):
                    _put(folder, pieces[-1], old)
            with self._held(pieces[:-1], make=True) as folder:
                _put(folder, pieces[-1], data)
            self._note_if_possible(request, Note(kept=kept))
        return kept

    def append(self, pieces: Pieces, content: str, request: str = "") -> int:
        """Add ``content`` at the end of a file, which is made when it is missing, and return its size in bytes.

        The arguments are those of ``write``.
        """
        data = _as_bytes(content)
        with _ONE_WRITER, _explained(pieces):
            note = self._noted(request)
            old = self._content(pieces) if request else None
            if note.size is not None:
                return note.size
            if note.before is not None and old and data in old[note.before :]:
                return len(old)  # it came as far as this before the crash, and not to the second note
            files, size = self._used()
            _must_fit(files + 1, size + len(data))
            self._note(request, Note(before=len(old or b"")))
            with self._held(pieces[:-1], make=True) as folder:
                size = _append(folder, pieces, data)
            self._note_if_possible(request, Note(size=size))
            return size

    def delete(self, pieces: Pieces, request: str = "") -> str:
        """Take a file away, and return the path under which it is kept; ``request`` is that of ``write``."""
        with _ONE_WRITER, _explained(pieces):
            if (done := self._noted(request).kept) and self._is_kept(done):
                return done
            with self._held(pieces[:-1]) as folder:
                _must_be_file(folder.look(pieces[-1]), pieces)
                with self._slot(pieces) as (slot, kept):
                    self._note_if_possible(request, Note(kept=kept))
                    folder.move(pieces[-1], slot, pieces[-1])
        return kept

    def list(self, pieces: Pieces = ()) -> tuple[tuple[FileEntry, ...], int]:
        """The files below a folder, at most a thousand, and how many other things are there.

        Those are links, devices, names that could not be asked for, and what is beyond the thousand.
        """
        entries: list[FileEntry] = []
        others = 0
        try:
            with _explained(pieces), self._held(pieces) as folder:
                for path, status in _walk(folder, pieces, everything=False):
                    plain = stat.S_ISREG(status.st_mode) and all(map(is_safe_piece, path))
                    if plain and len(entries) < MAX_FILES:
                        entries.append(FileEntry("/".join(path), status.st_size))
                    else:
                        others += 1
        except _Missing:
            if pieces:
                raise
        return tuple(entries), others

    def _content(self, pieces: Pieces) -> bytes | None:
        """What is in a file that may be written to; None when there is none."""
        with suppress(FileNotFoundError), self._held(pieces[:-1]) as folder:
            status = folder.look(pieces[-1])
            _must_be_own_file(status, pieces)
            with os.fdopen(folder.open(pieces[-1], os.O_RDONLY), "rb") as file:
                _must_be_own_file(os.fstat(file.fileno()), pieces)
                return file.read(MAX_TOTAL)
        return None

    def _noted(self, request: str) -> Note:
        """What this request did before; empty when it is new."""
        return find_note(self._content((NOTES,)), request) if request else Note()

    def _note(self, request: str, note: Note) -> None:
        if request:
            content = add_note(self._content((NOTES,)), request, note)
            with self._held((), make=True) as folder:
                _put(folder, NOTES, content)

    def _note_if_possible(self, request: str, note: Note) -> None:
        """For what has been done, or does no harm twice: it must not fail for want of a note."""
        with suppress(OSError, ToolError):
            self._note(request, note)

    def _is_kept(self, path: str) -> bool:
        pieces = path.split("/")
        if pieces[0] != TRASH or not all(map(is_safe_piece, pieces)):
            return False
        with suppress(FileNotFoundError), self._held(pieces[:-1]) as folder:
            return stat.S_ISREG(folder.look(pieces[-1]).st_mode)
        return False

    def _used(self) -> tuple[int, int]:
        """How many files there are, and their bytes, counted no further than the limits."""
        files = size = 0
        with suppress(FileNotFoundError), self._held(()) as folder:
            for _, status in _walk(folder, (), everything=True):
                files, size = files + 1, size + status.st_size
                if files > MAX_FILES or size > MAX_TOTAL:
                    break
        return files, size

    @contextmanager
    def _held(self, pieces: Pieces, make: bool = False) -> Generator[Folder]:
        """The folder of these pieces, opened one by one from the workspace down."""
        if make:
            self._workspace.mkdir(parents=True, exist_ok=True)
        folder = self._kind.at(self._workspace)
        try:
            for name in ("files", *pieces):
                inner = folder.enter(name, make=make)
                folder.close()
                folder = inner
            yield folder
        finally:
            folder.close()

    @contextmanager
    def _slot(self, pieces: Pieces) -> Generator[tuple[Folder, str]]:
        """A new folder in the trash for one file, and the path that the file will have there."""
        with self._held((TRASH,), make=True) as trash:
            number = 1 + max((int(name) for name in trash.names() if name.isdecimal()), default=0)
            while True:
                try:
                    trash.make(str(number))
                    break
                except FileExistsError:  # another program was faster
                    number += 1
        below = (TRASH, str(number), *pieces[:-1])
        with self._held(below, make=True) as folder:
            yield folder, "/".join((*below, pieces[-1]))


class _Missing(ToolError):
    """There is no such file or folder."""


def _walk(
    folder: Folder, above: Pieces, *, everything: bool
) -> Iterator[tuple[tuple[str, ...], os.stat_result]]:
    """Every file below, and whatever else is no folder; the store's own only when ``everything`` says so."""
    for name in folder.names():
        if name.startswith(TRASH) and not everything:
            continue
        path = (*above, name)
        try:
            status = folder.look(name)
            if not stat.S_ISDIR(status.st_mode) or len(path) > MAX_DEPTH:
                yield path, status
                continue
            inner = folder.enter(name)
        except (OSError, ToolError):  # gone, or swapped for something else
            continue
        try:
            yield from _walk(inner, path, everything=everything)
        finally:
            inner.close()


def _put(folder: Folder, name: str, content: bytes) -> None:
    """Write a file beside its place, then put it there in one step."""
    temporary = f"{TRASH}-{secrets.token_hex(8)}"
    descriptor = folder.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)  # the content must be on disk before its name is
        folder.move(temporary, folder, name)
    except BaseException:
        with suppress(OSError, ToolError):
            folder.remove(temporary)
        raise


def _append(folder: Folder, pieces: Pieces, data: bytes) -> int:
    """Add at the end of a file, or leave everything as it was; the size it has then."""
    name, is_new = pieces[-1], False
    try:
        _must_be_own_file(folder.look(name), pieces)
    except FileNotFoundError:
        is_new = True
    try:
        descriptor = folder.open(name, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        with os.fdopen(descriptor, "ab", buffering=0) as file:
            before = os.fstat(descriptor)
            _must_be_own_file(before, pieces)
            try:
                # One write: two programs that append at the same moment do not mix their lines.
                if (written := file.write(data)) != len(data):
                    raise OSError(errno.ENOSPC, f"{written} of {len(data)} bytes fitted")
                os.fsync(descriptor)
            except OSError:
                file.truncate(before.st_size)
                raise
    except OSError:
        with suppress(OSError, ToolError):
            if is_new and folder.look(name).st_size == 0:
                folder.remove(name)
        raise
    return before.st_size + len(data)


def _must_fit(files: int, size: int) -> None:
    if files > MAX_FILES or size > MAX_TOTAL:
        raise ToolError(
            f"the folder is full: at most {MAX_FILES} files and {MAX_TOTAL // 1024**2} MB, with what is kept "
            f"in {TRASH}. A person has to remove some."
        )


def _as_bytes(content: str) -> bytes:
    if "\0" in content:
        raise ToolError("content: only text can be written, without NUL characters")
    try:
        data = content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ToolError(
            f"content: character {error.start + 1} is half a character. Write whole ones."
        ) from None
    if len(data) > MAX_WRITE:
        raise ToolError(
            f"content: {len(data)} bytes are too many, at most {MAX_WRITE} at once. Write less, or append in parts."
        )
    return data


def _must_be_file(status: os.stat_result, pieces: Pieces) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise link_refused(pieces[-1])
    if stat.S_ISDIR(status.st_mode):
        raise ToolError(f"path: {'/'.join(pieces)!r} is a folder. Give the path of a file in it, or list it.")
    if not stat.S_ISREG(status.st_mode):
        raise ToolError(f"path: {'/'.join(pieces)!r} is a device or a pipe. Only plain files are used.")


def _must_be_own_file(status: os.stat_result, pieces: Pieces) -> None:
    """A second hard link can be anywhere, so what is written to here would change there."""
    _must_be_file(status, pieces)
    if status.st_nlink > 1:
        raise ToolError(
            f"path: {'/'.join(pieces)!r} has another name somewhere (a hard link), so writing to it could change "
            "a file elsewhere. Choose another name."
        )


@contextmanager
def _explained(pieces: Pieces) -> Generator[None]:
    """Make one clear line of what the system says."""
    path = "/".join(pieces) or "files"
    try:
        yield
    except FileNotFoundError:
        raise _Missing(f"path: there is no {path!r}. Use action=list to see what is there.") from None
    except OSError as error:
        match error.errno:
            case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
                reason = "the disk is full"
            case errno.EACCES | errno.EPERM | errno.EROFS:
                reason = "it may not be opened: check the rights of the workspace folder"
            case errno.EEXIST | errno.ENOTDIR:
                reason = "something else is where a folder should be"
            case errno.ELOOP | errno.ENXIO:
                reason = "it was changed into something else meanwhile"
            case _:
                reason = error.strerror or type(error).__name__
        raise ToolError(f"path: {path!r} cannot be used: {reason}.") from None
