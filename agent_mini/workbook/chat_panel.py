"""A conversation in a notebook: a text field, the answer as it is written, each tool call folded, pictures in between.

A click never blocks the kernel: the turn runs as a task of its own. Where nobody can click, a script is played
through the very same code and left behind as text, because the state of widgets is not saved in a notebook.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from IPython.display import Image as Picture
from IPython.display import display
from ipywidgets import HTML, Box, Button, HBox, Image, Layout, Text, VBox, Widget

from agent_mini.conversation import Conversation, fell_back_line, picture_path, stopped_line
from agent_mini.errors import AgentError, InputError
from agent_mini.human import Human
from agent_mini.tools import ToolError
from agent_mini.tools.pictures import read_picture
from agent_mini.types import Event, EventKind, LoopResult, StopReason
from agent_mini.workbook.chat_entries import Entry, plain_text
from agent_mini.workbook.human import WidgetHuman, someone_clicks
from agent_mini.workbook.show import View, show

REFRESH = 0.05
"""Seconds between two updates of an answer that is being written: the whole text is sent each time."""

MAX_SHOWN = 300
"""Pieces that are kept on the screen; the oldest go first."""

_PNG = b"\x89PNG\r\n\x1a\n"


class ChatPanel(VBox):
    """Shows a conversation and takes what a person types.

    Args:
        conversation: What is said, and what comes of it. While a person is there, the panel asks them in its own
            place before a tool with side effects runs.
        script: What ``play`` says.
    """

    def __init__(self, conversation: Conversation, script: Iterable[str] = ()) -> None:
        self.conversation = conversation
        self.script = tuple(script)
        self._entries: list[Entry] = []
        self._widgets: dict[int, HTML] = {}
        self._calls: dict[str, Entry] = {}
        self._answer: Entry | None = None
        self._flush: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()

        self._log = VBox(layout=Layout(flex="0 0 auto"))
        # From the bottom up, so that the newest piece stays in sight.
        window = Box(
            [self._log], layout=Layout(flex_flow="column-reverse", max_height="560px", overflow="auto")
        )
        self._field = Text(
            placeholder="Ask for something 说点什么", layout=Layout(flex="1 1 auto", width="auto")
        )
        self._field.on_msg(self._typed)
        self._send_button = self._button("Send 发送", self._begin)
        self._stop_button = self._button("Stop 停止", self._cancel)
        self._reset_button = self._button("Reset 重来", self._forget)
        self._stop_button.disabled = True
        super().__init__(
            [window, HBox([self._field, self._send_button, self._stop_button, self._reset_button])]
        )

    def __repr__(self) -> str:
        return plain_text(self._entries) or "ChatPanel: nothing was said yet"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle: Any = super()._repr_mimebundle_(**kwargs)
        if isinstance(bundle, dict):
            bundle["text/plain"] = repr(self)  # whole: it is what is left where there are no widgets
        return bundle

    async def play(self) -> None:
        """Say what the script says, turn after turn.

        With a person there the panel is displayed first, and theirs afterwards. Otherwise each turn is displayed
        when it has ended, as text and pictures.
        """
        live = someone_clicks()
        if live:
            display(self)
        for text in self.script:
            shown = len(self._entries)
            turn = self._start(text, live)
            try:
                await asyncio.wait([turn])
            except asyncio.CancelledError:
                turn.cancel()
                raise
            if not live:
                _show(self._entries[shown:])
            if turn.cancelled():
                break

    # --- what a person does; each may come in on another thread than the loop's -----------------------------

    def _button(self, label: str, action: Callable[[], None]) -> Button:
        button = Button(description=label, layout=Layout(width="auto"))
        button.on_click(lambda _: self._loop.call_soon_threadsafe(action))
        return button

    def _typed(self, _: Widget, content: Any, __: Any) -> None:
        if content.get("event") == "submit":  # the Enter key
            self._loop.call_soon_threadsafe(self._begin)

    def _begin(self) -> None:
        text = self._field.value
        if text.strip() and self._idle():
            self._field.value = ""
            self._start(text, live=True)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _forget(self) -> None:
        if self._idle():
            self.conversation.reset()
            self._entries.clear()
            self._widgets.clear()
            self._log.children = ()

    def _idle(self) -> bool:
        return self._task is None or self._task.done()

    # --- a turn ---------------------------------------------------------------------------------------------

    def _start(self, text: str, live: bool) -> asyncio.Task[None]:
        if not self._idle():
            raise InputError("the answer before is still being written", "wait for it, or stop it")
        human = WidgetHuman(place=self._place) if live else None
        self._task = self._loop.create_task(self._turn(text, human))
        return self._task

    async def _turn(self, text: str, human: Human | None) -> None:
        self._calls, self._answer = {}, None
        self._enable(False)
        self._add(Entry("person", text.strip()))
        try:
            self._end(await self.conversation.send(text, self._take, human=human))
        except asyncio.CancelledError:
            self._fail(stopped_line(self.conversation.interrupted))
            raise
        except InputError as error:
            self._fail(f"{error.message} ({error.hint})")
        except AgentError as error:
            self._fail(f"{error.code}: {error.message} ({error.hint})")
            if self.conversation.interrupted:
                self._fail(stopped_line(self.conversation.interrupted))
        except Exception as error:  # nobody else would see it: no cell is waiting
            self._fail(f"{type(error).__name__}: {error}")
        finally:
            self._enable(True)

    def _take(self, event: Event) -> None:
        """Show an event of the conversation."""
        data = event.data
        match event.kind:
            case EventKind.MODEL_DELTA:
                self._write(str(data["text"]))
            case EventKind.MODEL_REPLIED:
                self._finish_answer()
                if data["calls"]:
                    self._answer = None
                    if data["reasoning"]:
                        self._add(Entry("thought", str(data["reasoning"])))
            case EventKind.MODEL_FELL_BACK:
                self._break_off()
                self._add(Entry("note", fell_back_line(data)))
            case EventKind.TOOL_CALLED:
                entry = Entry("call", str(data["arguments"]), tool=str(data["tool"]))
                self._calls[str(data["call"])] = entry
                self._add(entry)
            case EventKind.TOOL_RETURNED:
                self._close_call(
                    self._calls[str(data["call"])], data["ok"], str(data["content"]), data["data"]
                )
            case _:
                pass

    def _write(self, text: str) -> None:
        if self._answer is None:
            self._answer = Entry("answer")
            self._add(self._answer)
        self._answer.text += text
        if self._flush is None:
            self._flush = self._loop.call_later(REFRESH, self._finish_answer)

    def _finish_answer(self) -> None:
        if self._flush is not None:
            self._flush.cancel()
            self._flush = None
        if self._answer is not None:
            self._refresh(self._answer)

    def _break_off(self) -> None:
        """End an answer that will not be written to its end."""
        if self._answer is not None:
            self._answer.text += " …"
            self._finish_answer()
            self._answer = None

    def _close_call(self, entry: Entry, ok: bool, content: str, data: Any) -> None:
        entry.ok, entry.result = ok, content
        if ok and (path := picture_path(data)):
            try:
                picture = read_picture(self.conversation.context, path)
            except ToolError:  # what a tool says about its pictures need not be true
                picture = b""
            if picture.startswith(_PNG):
                entry.picture, entry.path = picture, path
        self._refresh(entry)
        if entry.picture:
            self._place(
                Image(value=entry.picture, format="png", layout=Layout(max_width="600px")), after=entry
            )

    def _end(self, result: LoopResult) -> None:
        self._finish_answer()
        whole = result.stop_reason in (StopReason.ANSWERED, StopReason.CUT_OFF)
        if not (whole and self._answer is not None and self._answer.text.strip()):
            self._add(Entry("answer", result.text))
        if result.stop_reason is StopReason.CUT_OFF:
            self._add(Entry("note", "cut off by the model's length limit"))

    def _fail(self, text: str) -> None:
        self._break_off()
        self._add(Entry("note", text))

    # --- the widgets ----------------------------------------------------------------------------------------

    def _add(self, entry: Entry) -> None:
        self._entries.append(entry)
        widget = self._widgets[id(entry)] = HTML(entry.html())
        self._place(widget)

    def _refresh(self, entry: Entry) -> None:
        if widget := self._widgets.get(id(entry)):
            widget.value = entry.html()

    def _place(self, widget: Widget, after: Entry | None = None) -> None:
        """Show ``widget`` at the end, or below the one of ``after``."""
        children = list(self._log.children)
        above = None if after is None else self._widgets[id(after)]
        place = children.index(above) + 1 if above in children else len(children)
        children.insert(place, widget)
        self._log.children = tuple(children[-MAX_SHOWN:])
        for dropped in children[:-MAX_SHOWN]:
            dropped.close()

    def _enable(self, idle: bool) -> None:
        self._send_button.disabled = self._reset_button.disabled = not idle
        self._stop_button.disabled = idle


def _show(entries: list[Entry]) -> None:
    """Display entries without widgets: text, and the pictures where they belong."""
    block: list[Entry] = []
    for entry in entries:
        block.append(entry)
        if entry.picture:
            _show_block(block)
            block = []
            display(Picture(entry.picture))
    _show_block(block)


def _show_block(block: list[Entry]) -> None:
    if block:
        show(View(plain_text(block), html="".join(entry.html() for entry in block)))
