"""Values that are words: one of a few, the path of a file, free text."""

import re

from agent_mini.planner.extract.found import Found
from agent_mini.planner.extract.when import find_when
from agent_mini.planner.intents import Slot
from agent_mini.planner.normalise import PATH, QUOTED
from agent_mini.planner.reading import Reading, Span
from agent_mini.planner.scene import Scene

_EDGE = " \t\n，,。.！!？?；;：:、~～-—…\"'“”「」"
_GAP = re.compile(r"[\s，,：:、]*")


def find_choice(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The value whose word is longest and stands earliest; one letter weighs as much as four places."""
    hits = [
        (start / 4 - (end - start), start, value, (start, end))
        for value, phrases in slot.words.items()
        for _, (start, end) in phrases.all(piece.text)
    ]
    if not hits:
        return None
    _, _, value, span = min(hits)
    return Found(value, span)


def find_path(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The path of a file, as it was typed."""
    if (start := piece.text.find(PATH)) >= 0:
        span = (start, start + len(PATH))
        return Found(piece.typed_at(*span).strip(), span)
    for span, quoted in _quoted(piece):
        if _is_path(quoted, scene):
            return Found(quoted, span)
    return None


def find_text(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """A text as it was typed: a quoted one, or what stands behind one of ``after`` and before one of ``until``."""
    quoted = [(span, text) for span, text in _quoted(piece) if not _is_path(text, scene)]
    if quoted and slot.quoted:
        return Found(quoted[0][1], quoted[0][0])
    earlier: Found | None = None
    for start, end in _frames(piece.text, slot):
        if own := [(span, text) for span, text in quoted if span[0] - start in (0, 1) and span[1] <= end]:
            return Found(own[0][1], own[0][0])
        if PATH in piece.text[start:end]:
            continue
        text, span = _cut(piece, (start, end), slot, scene)
        if _means_earlier(text, scene):
            earlier = earlier or Found(text, span, sure=False, earlier=True)
        elif text and text.lower() not in slot.placeholders:
            return Found(text, span)
        elif earlier is None:
            return None  # "add something to my list": its place is there, and nothing is in it
    return earlier


def _is_path(text: str, scene: Scene) -> bool:
    """Whether a quoted text is the name of a file."""
    ending = text.rpartition(".")[2].lower() if "." in text else ""
    return (
        ending in scene.intents.language.file_endings
        or scene.intents.language.path.fullmatch(text) is not None
    )


def whole_text(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """All of a bare answer, with nothing left out but the words of other slots."""
    text, span = _cut(piece, (0, len(piece)), slot, scene)
    if text and not any(find_when(piece, slot, scene) for _ in slot.without):
        text = piece.typed.strip()
    return Found(text, span) if text and text.lower() not in slot.placeholders else None


def _quoted(piece: Reading) -> list[tuple[Span, str]]:
    """Each quoted text, and where it stands."""
    spans = [match.span() for match in re.finditer(QUOTED, piece.text)]
    return [(span, piece.typed_at(*span)[1:-1]) for span in spans]


def _frames(text: str, slot: Slot) -> list[Span]:
    """Where the text may stand: behind each of ``after``, else of ``loosely_after``, else before one of ``until``."""
    for after, around in slot.frames:
        # In 存到 there is no 存: what stands around is looked for as a whole.
        places = [span for phrase, span in around.all(text) if phrase in after]
        spans = [_up_to_end(text, _skip(text, end, slot), slot) for _, end in places]
        if full := [(start, end) for start, end in spans if text[start:end].strip()]:
            return full
        if places:  # 买牛奶加到待办: what would stand behind it stands before
            stop = slot.until.first(text)
            return [(0, stop[0])] if slot.bare_until and stop and 0 < stop[0] < places[0][0] else []
    stop = slot.until.first(text) if slot.bare_until else None
    return [(_skip(text, 0, slot), stop[0])] if stop else []


def _up_to_end(text: str, start: int, slot: Slot) -> Span:
    stop = slot.until.first(text[start:])
    return start, start + stop[0] if stop else len(text)


def _skip(text: str, start: int, slot: Slot) -> int:
    """The end of all words that lead up to the text: 添加, 1条, 待办, a colon."""
    while True:
        gap = _GAP.match(text, start)
        place = gap.end() if gap else start
        end = slot.skip.end_at(text, place)
        if end is None or end <= place:
            return place
        start = end


def _cut(piece: Reading, span: Span, slot: Slot, scene: Scene) -> tuple[str, Span]:
    """What was typed there, without the words of the slots it is kept apart from, and the edges taken off."""
    start, end = span
    cuts = [found.span for _ in slot.without if (found := find_when(piece, slot, scene))]
    cuts = [(left, right) for left, right in cuts if start <= left and right <= end]
    if not cuts:
        inner = piece.text[start:end]
        start += len(inner) - len(inner.lstrip(_EDGE))
        end = start + len(inner.strip(_EDGE))
        return piece.typed_at(start, end).strip(), (start, end)
    left, right = cuts[0]
    if not piece.text[start:left].strip(_EDGE):  # remind me tomorrow to …
        right = min(_skip(piece.text, right, slot), end)
    kept = [piece.typed_at(start, left).strip(_EDGE), piece.typed_at(right, end).strip(_EDGE)]
    return " ".join(filter(None, kept)), span


def _means_earlier(text: str, scene: Scene) -> bool:
    found = scene.intents.language.pronouns.first(text.lower())
    return bool(text) and found is not None and found[1] - found[0] >= len(text) - 2 and found[0] <= 2
