"""Server-sent events: from bytes, cut anywhere, to the data of each event."""

import re
from codecs import BOM_UTF8


class SseDecoder:
    """Splits a stream of server-sent events.

    Lines end with CR, LF or CRLF and nothing else: ``str.splitlines`` would also split at U+2028, which JSON
    strings may hold.
    """

    def __init__(self) -> None:
        self._begun = bytearray()  # a line whose end is still to come
        self._after_cr = False
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[str]:
        """Take more bytes, cut anywhere; return the data of the events that are whole by now."""
        if not chunk:
            return []
        # A CR at the very end ends its line; the LF that may follow belongs to it.
        text = chunk.removeprefix(b"\n") if self._after_cr else chunk
        self._after_cr = chunk.endswith(b"\r")
        first, *others = re.split(rb"\r\n|\n|\r", text)
        self._begun += first
        if not others:
            return []
        lines = [bytes(self._begun), *others[:-1]]
        self._begun = bytearray(others[-1])
        events: list[str] = []
        for written in lines:
            line = written.removeprefix(BOM_UTF8)  # a stream may begin with it
            if line.startswith(b"data:"):
                self._data.append(line.removeprefix(b"data:").removeprefix(b" ").decode("utf-8", "replace"))
            elif not line.strip() and self._data:
                events.append("\n".join(self._data))
                self._data = []
            # Comments, which keep a connection alive, and other fields say nothing about the answer.
        return events

    def close(self) -> list[str]:
        """The stream has ended; return the data of a last event without its empty line."""
        return self.feed(b"\n\n")
