"""agent_mini.shipped: what is said about a data file that cannot be used."""

from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from agent_mini.errors import ErrorCode, InputError
from agent_mini.shipped import parse_shipped, read_shipped


class Shop(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    shelves: list[int] = []


def test_a_good_file_is_read_with_or_without_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "shop.toml"
    for mark in (b"", b"\xef\xbb\xbf"):
        path.write_bytes(mark + 'name = "小店"\nshelves = [1, 2]\n'.encode())
        assert read_shipped(path, Shop) == Shop(name="小店", shelves=[1, 2])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"name = 3", "name: Input should be a valid string"),
        (b'name = "x"\nshelves = [1, "two"]', "shelves.1: Input should be a valid integer"),
        (b'name = "x"\ncolour = 1', "colour: Extra inputs are not permitted"),
        (b"name", "after a key"),
        (b"\xff", "not UTF-8 text"),
        (b"x = " + b"[" * 10_000, ""),
    ],
)
def test_a_bad_one_is_named_with_what_is_wrong_in_it(tmp_path: Path, text: bytes, words: str) -> None:
    path = tmp_path / "shop.toml"
    path.write_bytes(text)
    with pytest.raises(InputError) as caught:
        read_shipped(path, Shop)
    assert caught.value.message.startswith(f"{path}: ")
    assert words in caught.value.message
    assert "\n" not in caught.value.message
    assert (caught.value.code, caught.value.hint) == (
        ErrorCode.SETTINGS_INVALID,
        "restore the file, or unset AGENT_DATA_DIR",
    )


def test_one_that_is_not_there_or_is_a_folder_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(InputError, match="directory"):
            read_shipped(path, Shop)


def test_text_can_be_read_under_any_name() -> None:
    with pytest.raises(InputError, match=r"^mine\.toml: name: Field required"):
        parse_shipped("", Shop, Path("mine.toml"))
