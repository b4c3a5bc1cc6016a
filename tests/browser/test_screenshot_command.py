from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_mini.cli import run
from agent_mini.workbook.outputs import picture_size
from agent_mini.workbook.screenshot import missing_part


@pytest.mark.slow
def test_it_saves_what_the_screen_shows(
    require: Callable[[str, str | None], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    require("chromium", missing_part())
    picture = tmp_path / "start.png"
    code = run(["notebooks", "screenshot", "00", str(picture), "--cell", "3"])
    assert code == 0, capsys.readouterr().err
    assert picture_size("image/png", b64encode(picture.read_bytes())) == "1440x900"
