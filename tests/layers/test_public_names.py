"""The public names, pinned: notebooks and readers use these, so a change here is a decision.

A failing test prints the line that takes the present state over.
"""

import importlib
import pkgutil

import pytest

import agent_mini

# The command is the public face of ``cli``; it has no names to import.
SUBPACKAGES = sorted(
    f"agent_mini.{module.name}"
    for module in pkgutil.iter_modules(agent_mini.__path__)
    if module.ispkg and module.name != "cli"
)
PACKAGES = ["agent_mini", *SUBPACKAGES]

PUBLIC: dict[str, list[str]] = {}


def public_names(package: str) -> list[str]:
    """``__all__`` of ``package``, every name in it resolved."""
    module = importlib.import_module(package)
    names = list(getattr(module, "__all__", []))
    for name in names:
        getattr(module, name)
    return sorted(names)


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_pinned(package: str) -> None:
    names = public_names(package)
    assert names == PUBLIC.get(package), f'to take it over: "{package}": {names},'


def test_no_pinned_package_is_gone() -> None:
    assert sorted(PUBLIC) == sorted(PACKAGES)
