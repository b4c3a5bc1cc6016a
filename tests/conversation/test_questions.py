"""agent_mini.conversation.questions: the prepared requests."""

from pathlib import Path

import pytest

from agent_mini.config import CHECKOUT
from agent_mini.conversation import demo_requests
from agent_mini.errors import InputError
from agent_mini.prompts import language_of


def test_eight_requests_in_both_languages() -> None:
    requests = demo_requests(CHECKOUT / "data")
    assert len(requests) == 8
    languages = [language_of(text) for text in requests]
    assert languages.count("en") == languages.count("zh") == 4


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file or directory"),
        (b"request = []", "request: List should have at least 1 item"),
        (b"[[request]]\ntext = 1\ntools = []", "request.0.text: Input should be"),
        (b"[[request", "Expected"),
        (b"\xff\xfe", "not UTF-8 text"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, content: bytes | None, reason: str) -> None:
    path = tmp_path / "demo_requests.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        demo_requests(tmp_path)
    assert caught.value.message.startswith(f"{path}: {reason}")
    assert caught.value.hint == "restore the file, or unset AGENT_DATA_DIR"
