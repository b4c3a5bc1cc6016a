"""What every test shares: settings of its own, and parts that a machine may not have."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

PARTS = frozenset({"chromium", "local-model", "postgres"})
REQUIRED = frozenset(filter(None, os.environ.get("AGENT_REQUIRE", "").split(",")))


def pytest_configure() -> None:
    if unknown := REQUIRED - PARTS:
        raise pytest.UsageError(
            f"AGENT_REQUIRE: unknown {', '.join(sorted(unknown))}; known: {', '.join(sorted(PARTS))}"
        )


@pytest.fixture(scope="session")
def require() -> Callable[[str, str | None], None]:
    """``require("chromium", missing)``: skip when ``missing`` gives a reason, or fail if AGENT_REQUIRE lists it."""

    def require_part(part: str, missing: str | None) -> None:
        assert part in PARTS
        if missing:
            (pytest.fail if part in REQUIRED else pytest.skip)(f"{part}: {missing}")

    return require_part


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting of whoever runs the tests reaches them, nor do they write to that person's workspace."""
    for name in list(os.environ):
        if name.startswith(("AGENT_", "LLM_")) or name == "DATABASE_URL":
            monkeypatch.delenv(name)
    monkeypatch.setenv("AGENT_ENV_FILE", "none")
    monkeypatch.setenv("AGENT_WORKSPACE", str(tmp_path / "workspace"))
