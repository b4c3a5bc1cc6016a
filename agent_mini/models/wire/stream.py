"""Reading an answer that comes in pieces.

``StreamReader`` takes the data of the stream's events and gives deltas and, at the end, the reply: it puts the
pieces together as one whole answer and reads that as it reads any other.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models.wire.loose import as_int, as_object, as_text, bad_output, is_json_object, parse_json
from agent_mini.models.wire.reply import (
    call_items,
    first_choice,
    read_arguments,
    read_content,
    read_id,
    reply_from_wire,
)
from agent_mini.thinking import ThinkSplitter
from agent_mini.types import Delta, Reply


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""


class StreamReader:
    """Puts an answer together from the data of its events.

    Args:
        model: The model's name where the answer does not tell.
        used_ids: Ids of the calls already in the conversation; the reply's are different ones.

    Raises:
        ModelError: From ``feed`` and ``reply``, for what cannot be used and for an error inside the stream.
    """

    def __init__(self, *, model: str = "", used_ids: Collection[str] = ()) -> None:
        self._model = model
        self._used_ids = used_ids
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._thinking = ThinkSplitter()
        self._calls: list[_Call] = []
        self._positions: dict[int, int] = {}  # from the server's index to the place in _calls
        self._answered = False
        self._finish_reason: Any = None
        self._usage: Any = None
        self.done = False
        """Whether the server has said that nothing more comes."""

    @property
    def complete(self) -> bool:
        """Whether the answer has come to its end; a server may leave out ``[DONE]``, or close at once."""
        return self.done or self._finish_reason is not None

    def feed(self, data: str) -> list[Delta]:
        """Take the data of one event; return what it adds to the reply."""
        self.done = self.done or data.strip() == "[DONE]"
        if self.done or not data.strip():
            return []
        chunk = as_object(parse_json(data), "a piece of the answer")
        self._model = as_text(chunk.get("model")) or self._model
        self._usage = chunk.get("usage") or self._usage
        choice = first_choice(chunk)
        if choice is None:  # it only reports usage
            return []
        self._answered = True
        self._finish_reason = choice.get("finish_reason") or self._finish_reason
        piece = as_object(choice.get("delta") or {}, "a delta")
        return self._add_content(piece) + self._add_calls(piece)

    def close(self) -> list[Delta]:
        """The stream has ended; return what was held back because a tag might have begun there."""
        return _content_deltas(*self._thinking.close())

    def reply(self) -> Reply:
        """The whole reply."""
        if not self._answered:
            raise bad_output("no answer in the stream")
        if not self.complete:
            raise ModelError(ErrorCode.LLM_UNAVAILABLE, "the stream ended before the answer did")
        calls = [
            {"id": call.id, "function": {"name": call.name, "arguments": call.arguments}}
            for call in self._calls
        ]
        message = {"content": "".join(self._text), "reasoning": "".join(self._thoughts), "tool_calls": calls}
        choice = {"message": message, "finish_reason": self._finish_reason}
        answer = {"model": self._model, "choices": [choice], "usage": self._usage}
        return reply_from_wire(answer, used_ids=self._used_ids)

    def _add_content(self, piece: Mapping[str, Any]) -> list[Delta]:
        text, thoughts = read_content(piece)
        self._text.append(text)
        self._thoughts.append(thoughts)
        answer, thinking = self._thinking.feed(text)
        return _content_deltas(answer, thoughts + thinking)

    def _add_calls(self, piece: Mapping[str, Any]) -> list[Delta]:
        deltas: list[Delta] = []
        touched: set[int] = set()
        for item in call_items(piece):
            function = as_object(item.get("function") or {}, "a tool call's function")
            arguments = read_arguments(function.get("arguments"))
            part = _Call(read_id(item.get("id")), as_text(function.get("name")), arguments)
            position = self._place(part, as_int(item.get("index")), touched)
            touched.add(position)
            call = self._calls[position]
            tool_name = "" if call.name else part.name
            call.id = call.id or part.id
            call.name = call.name or part.name
            call.arguments += arguments
            if tool_name or arguments:
                deltas.append(Delta(call=position, tool_name=tool_name, arguments=arguments))
        return deltas

    def _place(self, part: _Call, index: int | None, touched: Collection[int]) -> int:
        """The position of the call that ``part`` belongs to; a new one where it cannot continue a known one."""
        if index is not None:
            position = self._positions.get(index)
        elif part.id:
            same_id = [at for at, call in enumerate(self._calls) if call.id == part.id]
            position = same_id[-1] if same_id else None
        else:
            position = len(self._calls) - 1 if self._calls else None
        if position is not None and not (
            part.name and (position in touched or _begins_another(part, self._calls[position]))
        ):
            return position
        position = len(self._calls)
        self._calls.append(_Call())
        if index is None:
            self._positions.setdefault(position, position)
        else:
            self._positions[index] = position
        return position


def _begins_another(part: _Call, call: _Call) -> bool:
    """Whether a part that names a tool is another call than ``call``, though index or id say it is the same.

    Some servers give all calls one index, or one id; some repeat the name with every part of one call.
    """
    if not call.name:
        return False
    if part.name != call.name or (part.id and call.id and part.id != call.id):
        return True
    return bool(part.arguments.strip()) and is_json_object(call.arguments)


def _content_deltas(text: str, reasoning: str) -> list[Delta]:
    return [Delta(text=text, reasoning=reasoning)] if text or reasoning else []
