"""Every role that a line names has a look, and every look can be drawn."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import wrongcall.present
from wrongcall.cli.ansi import Painter
from wrongcall.present.styles import STYLES, Style

SOURCES = Path(wrongcall.present.__file__).parent


def roles(path: Path) -> set[str]:
    """Return the roles of all parts in a module: pairs of an expression and a word."""
    pairs = (
        node.elts for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Tuple) and len(node.elts) == 2
    )  # fmt: skip
    found = set()
    for text, role in pairs:
        is_text = isinstance(text, ast.JoinedStr | ast.Name | ast.Attribute | ast.Call)
        if (
            is_text
            and isinstance(role, ast.Constant)
            and isinstance(role.value, str)
            and role.value.isalpha()
        ):
            found.add(role.value)
    return found


def test_every_role_that_screens_name_has_a_style() -> None:
    named = set()
    for path in (SOURCES / "screens").glob("*.py"):
        named |= roles(path)
    assert {"heading", "quiet", "number", "name", "wrong"} <= named
    assert named <= STYLES.keys()


@pytest.mark.parametrize("role", STYLES)
def test_each_style_differs_from_plain_text(role: str) -> None:
    assert STYLES[role] != Style()
    assert Painter(colour=True).text((("x", role),)) != "x"


@pytest.mark.parametrize("role", STYLES)
def test_styles_use_only_known_colours(role: str) -> None:
    assert STYLES[role].colour in ("", "red", "green", "yellow", "cyan")


def test_right_and_wrong_have_different_colours() -> None:
    assert STYLES["wrong"].colour != STYLES["right"].colour
    assert STYLES["old"].colour != STYLES["new"].colour
