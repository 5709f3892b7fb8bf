"""One definition of what the extensions are made of, which setup.py uses too."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from wrongcall.interpreters import native_sources

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "wrongcall"


def test_every_source_belongs_to_an_extension() -> None:
    parts = ("analysis/effects", "recorder", "replay", "trace/format", "tree")
    found = [path for part in parts for path in native_sources.sources(PACKAGE, part)]
    assert sorted(found) == sorted(PACKAGE.rglob("*.c"))
    headers = {path for part in parts for path in native_sources.headers(PACKAGE, part)}
    assert headers == set(PACKAGE.rglob("*.h"))


def test_headers_are_found_from_the_include_folders() -> None:
    folders = native_sources.include_folders(PACKAGE, "recorder")
    assert [folder.is_dir() for folder in folders] == [True, True]
    assert (folders[1] / "recorder.h").is_file()


def test_further_flags_come_from_the_environment() -> None:
    flags = native_sources.compile_flags({"WRONGCALL_CFLAGS": "-g '-DA=b c'"})
    assert flags == [*native_sources.FLAGS, "-g", "-DA=b c"]
    sanitized = {"WRONGCALL_SANITIZE": "1"}
    assert "-fsanitize=address" in native_sources.compile_flags(sanitized)
    assert native_sources.link_flags(sanitized) == ["-fsanitize=address"]
    assert native_sources.link_flags({}) == []


def test_setup_builds_with_these_sources_and_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    setuptools = pytest.importorskip("setuptools")
    made: dict[str, object] = {}
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(setuptools, "setup", lambda **named: made.update(named))
    runpy.run_path("setup.py")
    recorder = made["ext_modules"][0]  # type: ignore[index]
    assert recorder.name == "wrongcall.recorder._native"
    expected = [str(p.relative_to(ROOT)) for p in native_sources.sources(PACKAGE, "recorder")]
    assert recorder.sources == expected
    assert recorder.extra_compile_args == native_sources.compile_flags()
