"""Typical wrong answers to the exercises of notebook 03."""

from pathlib import PurePosixPath

from agent_mini.tools import ToolError, tool
from agent_mini.workbook.attempt import attempt
from agent_mini.workbook.exercise import get

# --- 03.a ---------------------------------------------------------------------------------------------------

DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10))}


def checks_nothing(path):
    return path.split("/")


def looks_for_dots_anywhere(path):
    if ".." in path or path.startswith("/"):
        raise ToolError("outside")
    return path.split("/")


def only_looks_at_the_beginning(path):
    if path.startswith(("/", "../")):
        raise ToolError("outside")
    return path.split("/")


def only_leading_out(path):
    if path.startswith("/") or ".." in path.split("/"):
        raise ToolError("outside")
    return path.split("/")


def lets_pathlib_tidy_up(path):
    pieces = PurePosixPath(path).parts
    if path.startswith("/") or ".." in pieces:
        raise ToolError("outside")
    return list(pieces)


def strict(path, devices_of, separators="\\:"):
    for piece in path.split("/"):
        if not piece.strip(".") or any(c in separators or not c.isprintable() for c in piece):
            raise ToolError("no name")
        if piece[-1] in ". " or devices_of(piece) in DEVICES:
            raise ToolError("no name")
    return path.split("/")


def forgets_the_drive_letter(path):
    return strict(path, lambda piece: piece.split(".")[0].upper(), separators="\\")


def knows_devices_only_bare(path):
    return strict(path, str.upper)


def knows_devices_with_one_extension(path):
    return strict(path, lambda piece: piece.rpartition(".")[0].upper() or piece.upper())


def devices_by_their_beginning(path):
    return strict(
        path, lambda piece: "CON" if piece.upper().startswith("CON") else piece.split(".")[0].upper()
    )


def knows_few_control_characters(path):
    if any(character in path for character in "\0\n\r\t"):
        raise ToolError("no name")
    visible = path.replace("\x1b", "_").replace("\x7f", "_")
    strict(visible, lambda piece: piece.split(".")[0].upper())
    return path.split("/")


def takes_no_space(path):
    if " " in path:
        raise ToolError("no name")
    return strict(path, lambda piece: piece.split(".")[0].upper())


def gives_the_path_back(path):
    return path if ".." not in path else None


def raises_what_comes(path):
    raise ValueError("outside")


def test_safe_pieces(exercise_holds):
    exercise_holds(
        "03.a",
        (checks_nothing, "returned ['..', 'secret.txt']; expected a ToolError: '..' leads out"),
        (
            only_looks_at_the_beginning,
            "expected a ToolError: '..' leads out of the folder, wherever it stands",
        ),
        (only_leading_out, "only_leading_out('./note.txt') returned ['.', 'note.txt']; expected a ToolError"),
        (lets_pathlib_tidy_up, "expected a ToolError: '.' is no name"),
        (looks_for_dots_anywhere, "looks_for_dots_anywhere('./note.txt') returned ['.', 'note.txt']"),
        (forgets_the_drive_letter, "expected a ToolError: a drive letter leads to another disk on Windows"),
        (knows_devices_only_bare, "expected a ToolError: CON is a device on Windows, with an extension"),
        (
            knows_devices_with_one_extension,
            "expected a ToolError: AUX is a device on Windows, whatever follows",
        ),
        (devices_by_their_beginning, "'console.txt' was refused; expected its pieces"),
        (knows_few_control_characters, "expected a ToolError: it holds a control character, escape"),
        (takes_no_space, "'my notes.txt' was refused; expected its pieces"),
        (gives_the_path_back, "for 'notes/today.txt' you returned 'notes/today.txt'; expected its pieces"),
        (raises_what_comes, "raised ValueError: outside"),
        (3, "expected something to call, got 3"),
    )


def test_dots_inside_a_name_are_fine():
    def no_double_dots(path):
        if ".." in path:
            raise ToolError("outside")
        return strict(path, lambda piece: piece.split(".")[0].upper())

    assert "'2026..2027.txt' was refused" in attempt(get("03.a").check, no_double_dots).why


# --- 03.b ---------------------------------------------------------------------------------------------------


def acts_every_time(act):
    return lambda request_id, **arguments: act(**arguments)


def takes_nothing_for_new(act):
    done = {}

    def run(request_id, **arguments):
        if done.get(request_id):
            known, result = done[request_id]
            if known != arguments:
                raise ToolError("used before")
            return result
        result = act(**arguments)
        if result is not None:
            done[request_id] = arguments, result
        return result

    return run


def ignores_the_arguments(act):
    done = {}

    def run(request_id, **arguments):
        if request_id not in done:
            done[request_id] = act(**arguments)
        return done[request_id]

    return run


def ignores_the_request_id(act):
    done = {}

    def run(request_id, **arguments):
        key = tuple(arguments.items())
        if key not in done:
            done[key] = act(**arguments)
        return done[key]

    return run


def says_nothing_the_second_time(act):
    done = set()

    def run(request_id, **arguments):
        if request_id not in done:
            done.add(request_id)
            return act(**arguments)
        return None

    return run


def notes_it_before_it_acts(act):
    done = {}

    def run(request_id, **arguments):
        if request_id not in done:
            done[request_id] = [arguments, None]
            done[request_id][1] = act(**arguments)
        known, result = done[request_id]
        if known != arguments:
            raise ToolError("used before")
        return result

    return run


def hashes_the_arguments(act):
    done = {}

    def run(request_id, **arguments):
        values = frozenset(arguments.items())
        if request_id not in done:
            done[request_id] = values, act(**arguments)
        if done[request_id][0] != values:
            raise ToolError("used before")
        return done[request_id][1]

    return run


def one_memory_for_all(act, done={}):  # noqa: B006 (that is the mistake)
    def run(request_id, **arguments):
        key = request_id, act.__qualname__
        if key not in done:
            done[key] = arguments, act(**arguments)
        known, result = done[key]
        if known != arguments:
            raise ToolError("used before")
        return result

    return run


def acts_at_once(act):
    return act(title="交房租")


def minds_the_order(act):
    done = {}

    def run(request_id, **arguments):
        values = list(arguments.items())
        if request_id not in done:
            done[request_id] = values, act(**arguments)
        if done[request_id][0] != values:
            raise ToolError("used before")
        return done[request_id][1]

    return run


def test_once(exercise_holds):
    exercise_holds(
        "03.b",
        (acts_every_time, "run('r1', title='交房租') twice, where act returns 'item 1': act ran 2 times"),
        (takes_nothing_for_new, "where act returns None: act ran 2 times; expected once"),
        (ignores_the_arguments, "gave 'item 1'; expected a ToolError: the request_id was used for something"),
        (ignores_the_request_id, "run('r2', …) returned 'item 1' and act ran once in all; expected 'item 2'"),
        (says_nothing_the_second_time, "a second time returned None; expected 'item 1' again"),
        (notes_it_before_it_acts, "returned None; expected 'item 1': what failed was not done"),
        (minds_the_order, "in another order gave 'a ToolError' and act ran once; expected 'item 1' and once"),
        (hashes_the_arguments, "raised TypeError: unhashable type: 'list'"),
        (one_memory_for_all, "expected a memory for each"),
        (acts_at_once, "acts_at_once(act) returned 'item 1'; expected a function run(request_id"),
    )


# --- 03.c ---------------------------------------------------------------------------------------------------


def plain_function(total: float, people: int) -> list[float]:
    return [round(total / people, 2)] * people


def made(function, **marks):
    function.__name__ = "split_bill"
    return tool(title="Split a bill", **({"read_only": True} | marks))(function)


def loses_a_cent(total: float, people: int) -> list[float]:
    """Split a bill."""
    return [round(total / people, 2)] * people


def one_pays_the_rest(total: float, people: int) -> list[float]:
    """Split a bill."""
    share = int(total * 100) // people / 100
    return [round(total - share * (people - 1), 2)] + [share] * (people - 1)


def not_in_cents(total: float, people: int) -> list[float]:
    """Split a bill."""
    return [total / people] * people


def divides_by_zero(total: float, people: int) -> list[float]:
    """Split a bill."""
    share, left = divmod(round(total * 100), people)
    return [(share + (number < left)) / 100 for number in range(people)]


def only_refuses_zero(total: float, people: int) -> list[float]:
    """Split a bill."""
    if people == 0:
        raise ToolError("people: at least 1")
    return divides_by_zero(total, people)


def does_not_say_what(total: float, people: int) -> list[float]:
    """Split a bill."""
    if people < 1:
        raise ToolError("that cannot be done")
    return divides_by_zero(total, people)


def undescribed(total: float, people: int) -> list[float]:
    return divides_by_zero(total, people)


def in_texts(total: str, people: str) -> list[float]:
    """Split a bill."""
    return divides_by_zero(float(total), int(people))


def one_sum(total: float, people: int) -> float:
    """Split a bill."""
    return round(total / people, 2)


@tool(title="Split a bill", read_only=True)
def share_bill(total: float, people: int) -> list[float]:
    """Split a bill."""
    return divides_by_zero(total, people)


def test_split_bill(exercise_holds):
    exercise_holds(
        "03.c",
        (plain_function, "expected a Tool, got plain_function: @tool above the function"),
        (share_bill, "the tool is called 'share_bill'; expected 'split_bill'"),
        (made(undescribed), "the tool has no description"),
        (made(in_texts), "the schema has {'total': 'string', 'people': 'string'}; expected total, a number"),
        (made(divides_by_zero, read_only=False), "expected read_only: it only computes"),
        (made(loses_a_cent), "[33.33, 33.33, 33.33]; expected shares that add up to 100"),
        (made(one_pays_the_rest), "expected shares that differ by one cent at most"),
        (made(not_in_cents), "expected whole cents"),
        (made(divides_by_zero), "was told 'split_bill failed: ZeroDivisionError"),
        (made(only_refuses_zero), "with people -2 and was told '[]'; expected a ToolError"),
        (made(does_not_say_what), "expected the name of the argument that is wrong, people"),
        (made(one_sum), "total 100 and people 4 and got 25.0; expected a list of numbers"),
    )


def test_a_blank_tool_is_not_attempted():
    @tool(title="Split a bill")
    def split_bill(total: float, people: int) -> list[float]: ...

    assert attempt(get("03.c").check, split_bill).state == "not attempted yet"
