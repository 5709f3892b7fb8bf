"""The argument that tells a recorded process how it is recorded."""

from __future__ import annotations

import pytest

from wrongcall.recorder import settings
from wrongcall.recorder.settings import RecorderSettings


def test_what_is_written_is_read() -> None:
    odd = ["a b", "'\"\\", "line\nbreak", "grün", "\udcff not decodable", ""]
    told = RecorderSettings(7, "/a b/ü", odd, odd[::-1], "/x/_native.so", "/cache")
    told.folder, told.process = "/shared", 3
    told.trace, told.import_folder = "/ü.wrongcall", "/a b"
    changed = {
        name for name, value in vars(RecorderSettings(0, "")).items() if value != vars(told)[name]
    }
    assert changed == set(vars(told))  # every field is tried
    written = told.written()
    assert written.isascii()
    assert vars(settings.read(written)) == vars(told)


def test_what_is_not_said_has_a_default() -> None:
    found = settings.read("{'ring': 3, 'root': '/r'}")
    assert (found.include, found.exclude) == ([], [])
    assert (found.native, found.code_cache) == (None, None)


def test_unknown_fields_are_ignored() -> None:
    found = settings.read("{'ring': 3, 'root': '/r', 'colour': ['red', {'a': None}]}")
    assert (found.ring, found.root) == (3, "/r")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        "{'ring': open('x')}",
        "{'ring': 3, **other}",
        "{'ring': (1, 2)}",
        "{1: x}",
    ],
)
def test_anything_but_a_literal_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not the settings of a recorder"):
        settings.read(text)


@pytest.mark.parametrize("missing", ["ring", "root"])
def test_the_ring_and_the_root_are_needed(missing: str) -> None:
    given = {"ring": 3, "root": "/r"}
    del given[missing]
    with pytest.raises(ValueError, match="not the settings of a recorder"):
        settings.read(repr(given))
