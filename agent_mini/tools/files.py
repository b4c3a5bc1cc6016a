"""Text files in the workspace. Which paths may be used is in ``safe_path``, how files are kept in ``file_store``."""

from typing import Any, Literal

from agent_mini.tools.base import ToolContext, ToolError, tool
from agent_mini.tools.file_store import MAX_READ, TRASH, FileStore
from agent_mini.tools.replayed import request_of
from agent_mini.tools.safe_path import safe_pieces
from agent_mini.types import ToolResult

# No side effects to be approved: nothing is destroyed, since what is overwritten or deleted is kept in .trash.


@tool(title="Files 文件")
def files(
    action: Literal["list", "read", "write", "append", "delete"],
    context: ToolContext,
    path: str = "",
    content: str = "",
) -> ToolResult:
    """List, read, write, append to and delete text files in the person's own folder. Use it to keep or fetch text.

    在用户自己的文件夹里列出、读取、写入、追加、删除文本文件。要保存或读取文字时用它。

    Args:
        action: What to do. An overwritten or deleted file is kept under .trash and can be read there.
        path: A relative path such as notes/today.txt; for list a folder, or nothing for all files.
        content: The text to write or append, at most 100 KB at once; write line breaks yourself.
    """
    store = FileStore(context.workspace)
    if action == "list":
        return _list(store, path)
    pieces = safe_pieces(path)
    if action != "read" and any(piece.casefold().startswith(TRASH) for piece in pieces):
        raise ToolError(
            f"path: names that begin with {TRASH!r} can be read, but not changed. Choose another name."
        )
    path = "/".join(pieces)
    data: dict[str, Any] = {"action": action, "path": path}
    request = request_of(context, action, path, content)
    match action:
        case "read":
            text, cut = store.read(pieces)
            note = f"[{path} is longer than {MAX_READ} characters: this is its beginning]\n"
            data |= {"content": text, "cut": cut}
            said = note + text[: MAX_READ - len(note)] if cut else text
        case "write":
            kept = store.write(pieces, content, request)
            data |= {"size": len(content.encode()), "kept": kept}
            said = f"written: {path} ({data['size']} bytes)"
            said += f"; the earlier content is kept as {kept}" if kept else ""
        case "append":
            if not content:
                raise ToolError("content: there is nothing to append")
            data |= {"size": store.append(pieces, content, request)}
            said = f"appended: {path} has {data['size']} bytes now"
        case "delete":
            data |= {"kept": store.delete(pieces, request)}
            said = f"deleted: {path}; it is kept as {data['kept']}"
    return ToolResult(True, said, data)


def _list(store: FileStore, path: str) -> ToolResult:
    pieces = safe_pieces(path.removesuffix("/") or path) if path not in ("", ".", "./") else ()
    entries, others = store.list(pieces)
    lines = [f"{entry.path} ({entry.size} bytes)" for entry in entries] or ["there are no files yet"]
    if others:
        lines.append(
            f"[not shown: {others} links, devices and files beyond the limit or with unusable names]"
        )
    plain = [{"path": entry.path, "size": entry.size} for entry in entries]
    return ToolResult(True, "\n".join(lines), {"action": "list", "path": "/".join(pieces), "entries": plain})
