"""The JSON of an OpenAI-compatible ``/chat/completions``, and our values: pure functions, no I/O.

``request``   our values -> a request
``reply``     a whole answer -> a reply
``sse``       the bytes of a stream -> the data of its events
``stream``    the data of its events -> deltas and a reply
``serving``   the server's side of all that
``failures``  what a provider's error means
``loose``     reading JSON that does not keep to the format
"""

from agent_mini.models.wire.failures import provider_error, shorten
from agent_mini.models.wire.loose import parse_json
from agent_mini.models.wire.reply import reply_from_wire
from agent_mini.models.wire.request import messages_to_wire, request_body, tools_to_wire
from agent_mini.models.wire.serving import (
    ChatRequest,
    chunks_to_wire,
    error_to_wire,
    messages_from_wire,
    reply_to_wire,
    request_from_wire,
)
from agent_mini.models.wire.sse import SseDecoder
from agent_mini.models.wire.stream import StreamReader

__all__ = [
    "ChatRequest",
    "SseDecoder",
    "StreamReader",
    "chunks_to_wire",
    "error_to_wire",
    "messages_from_wire",
    "messages_to_wire",
    "parse_json",
    "provider_error",
    "reply_from_wire",
    "reply_to_wire",
    "request_body",
    "request_from_wire",
    "shorten",
    "tools_to_wire",
]
