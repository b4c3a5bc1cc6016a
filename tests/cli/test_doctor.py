"""agent-mini doctor: says what is missing and what to do, and fails only for what is required."""

import socket
import threading
import time
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from agent_mini.cli import doctor, run
from agent_mini.config import Settings, load_settings


def part(checks: list[doctor.Check], name: str) -> doctor.Check:
    (check,) = [check for check in checks if check.part == name]
    return check


def test_this_machine_is_ready(capsys):
    assert run(["doctor"]) == 0
    out = capsys.readouterr().out
    for name in (
        "Python",
        "packages",
        "ipykernel",
        "settings",
        "workspace",
        "kernel",
        "Chinese font",
        "network",
    ):
        assert name in out
    assert "missing" not in out
    assert "1 + 1 is 2" in out


def test_what_is_required_and_absent_fails_with_a_remedy(capsys, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("AGENT_WORKSPACE", str(tmp_path / "file" / "below"))
    assert run(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "missing" in out
    assert "AGENT_WORKSPACE" in out


def test_settings_that_cannot_be_read(monkeypatch):
    monkeypatch.setenv("LLM_TIMEOUT", "soon")
    checks = doctor.quick_checks()
    assert part(checks, "settings").state == "missing"
    assert part(checks, "settings").found.startswith("LLM_TIMEOUT: ")
    assert part(checks, "workspace").state == "missing"


@pytest.mark.parametrize(
    ("pins", "found"),
    [
        (["httpx==0.0.1"], f"httpx is {metadata.version('httpx')}, needed is ==0.0.1"),
        (["no-such-package==1.0"], "no-such-package is not installed"),
        (["httpx>=0.1", "no-such-package==1; sys_platform == 'nowhere'"], None),
    ],
)
def test_packages_are_compared_with_the_pins(tmp_path, pins, found):
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_text(f"[project]\ndependencies = {pins!r}\n", encoding="utf-8")
    check = doctor.packages(pyproject)
    if found:
        assert (check.state, check.found) == ("missing", found)
        assert "uv sync" in check.remedy
    else:
        assert (check.state, check.found) == ("ok", "1 as pinned")


def test_the_projects_own_pins_hold_here():
    assert doctor.packages().state == "ok"
    assert Requirement("ipykernel>=7.4").specifier.contains(doctor.ipykernel_version().found)


def test_a_workspace_is_made_and_left_empty(tmp_path, monkeypatch):
    monkeypatch.setenv("AGENT_WORKSPACE", str(tmp_path / "a" / "b"))
    assert doctor.workspace_writable().state == "ok"
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_a_kernel_that_does_not_start_is_told(monkeypatch):
    monkeypatch.setattr("sys.executable", str(Path("no") / "such" / "python"))
    check = doctor.kernel_starts()
    assert (check.part, check.state) == ("kernel", "missing")
    assert check.found
    assert check.remedy


SECRET = "sk-very-secret"


def with_key(**values: object) -> Settings:
    return load_settings().model_copy(
        update={"llm_api_key": Settings(llm_api_key=SECRET).llm_api_key, **values}
    )


def test_a_key_is_never_shown(capsys, monkeypatch):
    monkeypatch.setenv("LLM_API_KEY", SECRET)
    monkeypatch.setenv("LLM_BASE_URL", "http://127.0.0.1:9/v1")
    assert run(["doctor"]) == 0
    printed = capsys.readouterr()
    assert "LLM_API_KEY is set" in printed.out
    assert SECRET not in printed.out + printed.err


def test_without_a_key_or_offline_the_network_is_left_alone():
    nowhere = {"llm_base_url": "http://127.0.0.1:9/v1"}
    assert doctor.network(load_settings().model_copy(update=nowhere)).found == "not needed"
    assert doctor.network(with_key(agent_offline=True, **nowhere)).found == "not needed"


def serve(answer: bytes | None) -> tuple[socket.socket, str]:
    """A server on loopback that gives one answer to everybody, or none."""
    server = socket.create_server(("127.0.0.1", 0))

    def talk() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(5)
                connection.recv(4096)
                if answer is None:
                    connection.recv(1)
                else:
                    connection.sendall(answer)

    threading.Thread(target=talk, daemon=True).start()
    return server, f"http://127.0.0.1:{server.getsockname()[1]}/v1"


def test_any_answer_of_the_server_is_an_answer():
    server, address = serve(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    with server:
        assert doctor.network(with_key(llm_base_url=address)) == doctor.Check(
            "network", "ok", "127.0.0.1 answers"
        )


@pytest.mark.parametrize("answer", [None, b"nonsense\r\n\r\n", b""])
def test_a_server_that_does_not_answer_is_told_in_time(monkeypatch, answer):
    monkeypatch.setattr(doctor, "NETWORK_TIMEOUT", 0.3)
    server, address = serve(answer)
    with server:
        started = time.monotonic()
        check = doctor.network(with_key(llm_base_url=address))
        assert time.monotonic() - started < 20
    assert check.state == "optional"
    assert "LLM_BASE_URL" in check.remedy


def test_postgresql_by_its_address_which_is_not_shown(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://user:password@host/db")
    assert doctor.postgresql() == doctor.Check("PostgreSQL", "ok", "DATABASE_URL is set")


def test_what_is_optional_and_absent_is_no_failure(monkeypatch):
    monkeypatch.setenv("PATH", "")
    checks = doctor.optional_checks(load_settings())
    assert {check.state for check in checks} <= {"ok", "optional"}
    assert part(checks, "Chromium") == doctor.chromium()
    assert doctor.chromium().state == "optional"
    assert part(checks, "key").found == "not set"


def test_a_matplotlib_that_does_not_start_is_no_failure(monkeypatch):
    def broken():
        raise ImportError("DLL load failed")

    monkeypatch.setattr("agent_mini.fonts.load_matplotlib", broken)
    check = doctor.chinese_font()
    assert (check.state, check.remedy) == (
        "optional",
        "matplotlib, which finds fonts, does not start: DLL load failed",
    )


def test_a_state_is_a_word_too_and_brackets_are_printed_as_they_are(capsys):
    doctor.print_checks([doctor.Check("kernel", "missing", "[Errno 13] [red]", "do [this]")])
    out = capsys.readouterr().out
    assert "missing" in out
    assert "[Errno 13] [red]" in out
    assert "do [this]" in out
