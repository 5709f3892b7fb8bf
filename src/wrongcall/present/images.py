"""Arrays of image shape as pixels: grey from two dimensions, colours from three with 3 or 4 channels.

Only an array that was recorded whole is shown. Numbers are pixels as imaging libraries read them: bytes from 0 to 255,
fractions from 0 to 1; other numbers of a grey image are scaled from the smallest to the largest, which is said.
"""

from __future__ import annotations

import math
from typing import TypedDict

from wrongcall.events import Layout
from wrongcall.present.values import Viewer
from wrongcall.recording import Ref, Value
from wrongcall.replay.heap import Peek
from wrongcall.replay.series import dtype_name, numbers

SMALLEST = 4
"""Pixels that an image has at least, in both directions."""
_CHANNELS = (1, 3, 4)
_NUMERIC = ("int", "uint", "float", "bool")


class Image(TypedDict):
    """An array as an image."""

    width: int
    height: int
    pixels: list[int]
    """Red, green, blue and opacity of each pixel, row by row, from 0 to 255; empty: it can't be shown."""
    scale: str
    """How numbers became brightness, in words."""
    trouble: str
    """Why it can't be shown; empty: it can."""


def is_image_shaped(peek: Peek, viewer: Viewer) -> bool:
    """Return whether an object is an array that could be an image."""
    return _shape(peek, viewer) is not None


def _shape(peek: Peek, viewer: Viewer) -> tuple[int, int, int] | None:
    """Return height, width and channels; None: it has no shape of an image."""
    if peek.layout != Layout.NDARRAY or not dtype_name(peek.attr("dtype")).startswith(_NUMERIC):
        return None
    sizes = _sizes(peek, viewer, "shape")
    if sizes is None or len(sizes) not in (2, 3) or min(sizes[:2]) < SMALLEST:
        return None
    channels = sizes[2] if len(sizes) == 3 else 1
    return (sizes[0], sizes[1], channels) if channels in _CHANNELS else None


def _sizes(peek: Peek, viewer: Viewer, name: str) -> list[int] | None:
    held = peek.attr(name)
    found = numbers(viewer.peek(held.oid)) if isinstance(held, Ref) else None
    return None if found is None else list(found)


def image_of(viewer: Viewer, oid: int) -> Image:
    """Return an array as an image."""
    peek = viewer.peek(oid)
    height, width, channels = _shape(peek, viewer) or (0, 0, 0)
    found: Image = {"width": width, "height": height, "pixels": [], "scale": "", "trouble": ""}
    if not channels:
        return {**found, "trouble": "it has no shape of an image"}
    known, all_of_it = peek.counts[1], height * width * channels
    if known < all_of_it or _sizes(peek, viewer, "recorded") not in (
        None,
        [height, width, channels],
        [height, width],
    ):
        return {**found, "trouble": _not_whole(all_of_it, known)}
    values = [_number(value) for value in peek.items(0, all_of_it)]
    cells = [value for value in values if value is not None and math.isfinite(value)]
    if len(cells) < len(values):
        return {**found, "trouble": "some of its elements are no numbers"}
    levels, scale = _levels(cells, dtype_name(peek.attr("dtype")))
    if channels > 1 and scale.startswith("from"):
        return {
            **found,
            "trouble": "its numbers are no colours: they are neither bytes nor from 0 to 1",
        }
    return {**found, "pixels": list(_pixels(levels, channels)), "scale": scale}


def _not_whole(elements: int, known: int) -> str:
    return (
        f"it has {elements:,} elements, of which {known:,} were recorded: "
        "of an array, the recorder keeps the first 1,000"
    )


def _number(value: Value) -> float | None:
    return float(value) if isinstance(value, bool | int | float) else None


def _levels(cells: list[float], dtype: str) -> tuple[list[int], str]:
    """Return the brightness of each number, and how it was made."""
    low, high = min(cells), max(cells)
    if dtype == "uint8":
        return [int(cell) for cell in cells], "bytes, 0 is black and 255 is white"
    if dtype.startswith(("float", "bool")) and low >= 0 and high <= 1:
        return [round(cell * 255) for cell in cells], "0 is black and 1 is white"
    spread = high - low
    scaled = [round((cell - low) / spread * 255) if spread else 0 for cell in cells]
    return scaled, f"from {low:g} (black) to {high:g} (white)"


def _pixels(levels: list[int], channels: int) -> list[int]:
    found: list[int] = []
    for at in range(0, len(levels), channels):
        pixel = levels[at : at + channels]
        colour = pixel[:3] if channels > 1 else pixel * 3
        found += [*colour, pixel[3] if channels == 4 else 255]
    return found
