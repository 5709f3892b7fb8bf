"""How each role of a text looks: the one table for terminals, reading commands and HTML reports.

A part of a line (`lines.Part`) names its role; what the role looks like is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """The look of a role."""

    colour: str = ""
    """red, green, yellow or cyan; empty: as the text around it."""
    bold: bool = False
    dim: bool = False
    reverse: bool = False


STYLES = {
    "heading": Style(bold=True),
    "name": Style("cyan"),
    "number": Style(dim=True),
    "quiet": Style(dim=True),
    "old": Style("red"),
    "new": Style("green"),
    "wrong": Style("red", bold=True),
    "right": Style("green", bold=True),
    "marked": Style("yellow", bold=True),
    "executed": Style("green"),
    "key": Style("cyan", bold=True),
    "chosen": Style(reverse=True),
}
