"""The files of the page, read once from the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from wrongcall.errors import WrongcallError
from wrongcall.web import assets
from wrongcall.web.assets import load_assets


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in the place of the built page."""
    monkeypatch.setattr(assets, "files", lambda package: tmp_path)
    (tmp_path / "page").mkdir()
    return tmp_path / "page"


def test_all_files_are_found_by_their_paths_with_their_types(page: Path) -> None:
    (page / "index.html").write_bytes(b"<html>")
    (page / "assets" / "deep").mkdir(parents=True)
    (page / "assets" / "index.js").write_bytes(b"run()")
    (page / "assets" / "deep" / "font.woff2").write_bytes(b"\0")
    (page / "assets" / "unknown.xyz").write_bytes(b"?")
    found = load_assets()
    assert {name: asset.type.partition(";")[0] for name, asset in found.items()} == {
        "index.html": "text/html",
        "assets/index.js": "text/javascript",
        "assets/deep/font.woff2": "font/woff2",
        "assets/unknown.xyz": "application/octet-stream",
    }
    assert found["assets/index.js"].content == b"run()"


def test_an_installation_without_the_page_says_how_to_get_it(page: Path) -> None:
    with pytest.raises(WrongcallError, match=r"this installation has no page: .* make web"):
        load_assets()


def test_a_directory_named_index_html_is_not_the_page(page: Path) -> None:
    (page / "index.html").mkdir()
    with pytest.raises(WrongcallError, match="no page"):
        load_assets()
