"""Arrays as images: the pixels are what numpy says, and only of arrays that were recorded whole."""

from __future__ import annotations

import numpy as np
import pytest

from tests.present.conftest import Record
from wrongcall.present import Viewer
from wrongcall.present.images import Image, image_of, is_image_shaped
from wrongcall.recording import Ref

START = "import numpy as np\ndef use(a): pass\n"
ARRAYS = {
    "bytes": "np.arange(48, dtype=np.uint8).reshape(6, 8) * 5",
    "colours": "np.arange(75, dtype=np.uint8).reshape(5, 5, 3)",
    "opacity": "np.arange(64, dtype=np.uint8).reshape(4, 4, 4)",
    "fractions": "np.linspace(0, 1, 30).reshape(5, 6)",
    "any numbers": "np.arange(-10, 10).reshape(4, 5)",
    "one value": "np.full((4, 4), 7)",
    "truths": "np.eye(4, dtype=bool)",
    "infinite": "np.full((4, 4), np.inf)",
    "no colours": "np.arange(300, 348).reshape(4, 4, 3)",
    "too large": "np.zeros((40, 40))",
    "row": "np.arange(10)",
    "thin": "np.zeros((2, 300))",
    "channels": "np.zeros((5, 5, 7))",
    "texts": "np.full((4, 4), 'x')",
}


@pytest.fixture
def images(record: Record) -> dict[str, Image]:
    run = record(START + "".join(f"use({text})\n" for text in ARRAYS.values()))
    found = {}
    for name, call in zip(ARRAYS, run.calls("use"), strict=True):
        value, viewer = call.args[0].value, Viewer(run.recording, call.args[0].time)
        assert isinstance(value, Ref)
        found[name] = image_of(viewer, value.oid)
        assert (found[name]["width"] > 0) == is_image_shaped(viewer.peek(value.oid), viewer)
    return found


def pixels(image: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    assert not image["trouble"]
    return np.array(image["pixels"]).reshape(image["height"], image["width"], 4)


def test_pixels_are_what_numpy_says(images: dict[str, Image]) -> None:
    made = {name: eval(text, {"np": np}) for name, text in ARRAYS.items()}
    for name in ("bytes", "fractions", "truths"):
        whole = made[name] if name == "bytes" else np.rint(made[name] * 255.0)
        for channel in range(3):
            assert (pixels(images[name])[:, :, channel] == whole).all()
        assert (pixels(images[name])[:, :, 3] == 255).all()
    assert (pixels(images["colours"])[:, :, :3] == made["colours"]).all()
    assert (pixels(images["opacity"]) == made["opacity"]).all()


def test_other_numbers_are_scaled_and_that_is_said(images: dict[str, Image]) -> None:
    shown = pixels(images["any numbers"])[:, :, 0]
    assert (shown.min(), shown.max()) == (0, 255)
    assert (np.diff(shown.ravel()) > 0).all()
    image = images["any numbers"]
    assert image["scale"] == "from -10 (black) to 9 (white)"
    assert (pixels(images["one value"])[:, :, 0] == 0).all()


def test_what_cannot_be_shown_says_why(images: dict[str, Image]) -> None:
    for name, why in (
        ("too large", "1,600 elements"),
        ("infinite", "no numbers"),
        ("no colours", "no colours"),
    ):
        image = images[name]
        assert why in image["trouble"]
        assert image["pixels"] == []
    assert [name for name, image in images.items() if "no shape" in image["trouble"]] == [
        "row",
        "thin",
        "channels",
        "texts",
    ]
