"""Server-sent events: from bytes, cut anywhere, to the data of each event."""

import re


class SseDecoder:
    """Splits a stream of server-sent events.

    Lines end with CR, LF or CRLF and nothing else: ``str.splitlines`` would also split at U+2028, which JSON
    strings may hold.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[str]:
        """Take more bytes, cut anywhere; return the data of the events that are whole by now."""
        # A CR at the very end stays: the next byte may be its LF.
        *lines, self._rest = re.split(rb"\r\n|\n|\r(?!\Z)", self._rest + chunk)
        events: list[str] = []
        for line in lines:
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
