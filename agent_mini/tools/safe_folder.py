"""A folder that nothing is read from or written to outside, whatever somebody makes of it meanwhile.

A path that was checked can be another one when it is used: a folder is swapped for a link in between. So there
is no path to follow here. Each folder is opened from the one above, by one plain name, links refused, and what
is held is the folder itself. Where the system cannot do that (Windows), every use resolves the whole path again,
before and after, and compares; between the two a moment remains, and it is never longer than one call.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Protocol, Self

from agent_mini.tools.base import ToolError

BY_HANDLE = (
    hasattr(os, "O_NOFOLLOW")
    and hasattr(os, "O_DIRECTORY")
    and {os.open, os.stat, os.mkdir, os.rename, os.unlink} <= os.supports_dir_fd
    and os.listdir in os.supports_fd
)
"""Whether this system can open a name in a folder that is held open."""

# A pipe that nobody writes to, opened without O_NONBLOCK, would wait for ever.
_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Folder(Protocol):
    """A folder that is held: everything is done by one plain name in it, and no link is followed.

    Raises ``OSError`` as the system does, and ``ToolError`` for a link or anything else that is no folder.
    """

    @classmethod
    def at(cls, path: Path) -> Self:
        """Hold the folder at ``path``; links on the way are the owner's and are followed."""
        ...

    def enter(self, name: str, *, make: bool = False) -> Self:
        """Hold a folder in this one; it is made when it is missing and ``make`` says so."""
        ...

    def look(self, name: str) -> os.stat_result:
        """What is at ``name``; a link is looked at itself."""
        ...

    def names(self) -> list[str]:
        """What is in it, in order."""
        ...

    def open(self, name: str, flags: int) -> int:
        """Open a file and return its descriptor."""
        ...

    def make(self, name: str) -> None:
        """Make a folder where nothing is."""
        ...

    def move(self, name: str, target: Self, new_name: str) -> None:
        """Rename in one step; what is at the new name is replaced."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file."""
        ...

    def close(self) -> None:
        """Let it go."""
        ...


class HandleFolder:
    """A folder by its handle: it stays the same one, whatever happens to its name. The methods are ``Folder``'s."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    @classmethod
    def at(cls, path: Path) -> Self:
        return cls(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))

    def enter(self, name: str, *, make: bool = False) -> Self:
        _prepare_folder(self, name, make)
        return type(self)(self.open(name, os.O_RDONLY | os.O_DIRECTORY))

    def look(self, name: str) -> os.stat_result:
        return os.stat(name, dir_fd=self._handle, follow_symlinks=False)

    def names(self) -> list[str]:
        return sorted(os.listdir(self._handle))  # noqa: PTH208 (a path has no handle)

    def open(self, name: str, flags: int) -> int:
        return os.open(name, flags | _FLAGS | os.O_CLOEXEC, 0o666, dir_fd=self._handle)

    def make(self, name: str) -> None:
        os.mkdir(name, dir_fd=self._handle)

    def move(self, name: str, target: Self, new_name: str) -> None:
        os.replace(name, new_name, src_dir_fd=self._handle, dst_dir_fd=target._handle)

    def remove(self, name: str) -> None:
        os.unlink(name, dir_fd=self._handle)

    def close(self) -> None:
        os.close(self._handle)


class PathFolder:
    """A folder by its path, for a system without handles to folders. The methods are ``Folder``'s.

    Nothing is read from or written to a file before the path has been found to be the same after opening.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def at(cls, path: Path) -> Self:
        if not path.is_dir():
            raise FileNotFoundError(path)
        return cls(Path(os.path.realpath(path)))

    def enter(self, name: str, *, make: bool = False) -> Self:
        _prepare_folder(self, name, make)
        inner = type(self)(self._inside(name))
        inner._check()
        return inner

    def look(self, name: str) -> os.stat_result:
        return self._inside(name).lstat()

    def names(self) -> list[str]:
        self._check()
        return sorted(path.name for path in self._path.iterdir())

    def open(self, name: str, flags: int) -> int:
        path = self._inside(name)
        if path.is_symlink():
            raise link_refused(name)
        descriptor = os.open(path, flags | _FLAGS, 0o666)
        try:
            self._check()
            if not os.path.samestat(os.fstat(descriptor), path.lstat()):
                raise link_refused(name)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def make(self, name: str) -> None:
        self._inside(name).mkdir()

    def move(self, name: str, target: Self, new_name: str) -> None:
        self._inside(name).replace(target._inside(new_name))

    def remove(self, name: str) -> None:
        self._inside(name).unlink()

    def close(self) -> None:
        """Nothing is held."""

    def _inside(self, name: str) -> Path:
        self._check()
        return self._path / name

    def _check(self) -> None:
        """A link or a Windows junction anywhere on the way makes the resolved path another one."""
        real = os.path.realpath(self._path)
        if os.path.normcase(real) != os.path.normcase(self._path):
            raise link_refused(self._path.name)


def link_refused(name: str) -> ToolError:
    """The error for a link where a file or a folder should be."""
    return ToolError(
        f"path: {name!r} is a link, and a link can lead anywhere. Only plain files and folders are used."
    )


def _prepare_folder(folder: Folder, name: str, make: bool) -> None:
    """Make the folder ``name`` if that is wanted; say what is wrong when something else is there."""
    if make:
        with suppress(FileExistsError):
            folder.make(name)
    mode = folder.look(name).st_mode
    if stat.S_ISLNK(mode):
        raise link_refused(name)
    if not stat.S_ISDIR(mode):
        raise ToolError(f"path: {name!r} is not a folder, so nothing can be in it. Choose another name.")
