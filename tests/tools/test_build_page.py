"""Building the page where that is not possible, and checking its sources."""

from __future__ import annotations

import shutil
from pathlib import Path

import build_page
import pytest
from environments import SetupError


@pytest.fixture(autouse=True)
def unbuilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been built yet."""
    monkeypatch.setattr(build_page, "STAMPS", tmp_path / "stamps")
    monkeypatch.setattr(build_page, "PAGE", tmp_path / "page")


def test_without_npm_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("build_page.shutil.which", lambda name: None)
    assert build_page.main(["--maybe"]) == 0
    said = capsys.readouterr().err
    assert "please install nodejs and npm" in said
    assert "everything else does" in said
    assert build_page.main([]) == 1


def test_without_a_network_it_says_so_in_a_few_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(command: object) -> None:
        raise SetupError("\n".join(["npm ci failed", "npm error ENOTFOUND", *["more"] * 100]))

    monkeypatch.setattr(build_page, "check_node", lambda: None)
    monkeypatch.setattr(build_page, "run", fail)
    assert build_page.main([]) == 1
    said = capsys.readouterr().err.splitlines()
    assert "no network?" in said[0]
    assert len(said) < 20


def test_what_is_built_from_unchanged_sources_is_not_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[object] = []
    page = build_page.PAGE
    page.mkdir()
    (page / "index.html").touch()
    monkeypatch.setattr(build_page, "check_node", lambda: None)
    monkeypatch.setattr(build_page, "run", commands.append)
    build_page.build()
    assert len(commands) == 2
    build_page.build()
    assert len(commands) == 2


PASSING_TEST = """import { expect, it } from "vitest";

it("passes", () => expect(1).toBe(1));
"""


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder like web/, with its tools and settings and a single empty source."""
    if not (build_page.WEB / "node_modules").exists():
        pytest.skip("the page's tools are not installed")
    for name in ("package.json", "tsconfig.json", "biome.jsonc"):
        shutil.copy(build_page.WEB / name, tmp_path / name)
    (tmp_path / "node_modules").symlink_to(build_page.WEB / "node_modules")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "some.ts").touch()
    (tmp_path / "src" / "some.test.ts").write_text(PASSING_TEST)
    monkeypatch.setattr(build_page, "WEB", tmp_path)
    return tmp_path


@pytest.mark.once
def test_sources_of_another_format_are_refused_until_they_are_formatted(
    web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = web / "src" / "some.ts"
    source.write_text("export const some = [ 'text' ]\n")
    assert build_page.main(["--check"]) == 1
    assert "some.ts" in capsys.readouterr().err
    assert build_page.main(["--format"]) == 0
    assert source.read_text() == 'export const some = ["text"];\n'
    assert build_page.main(["--check"]) == 0


@pytest.mark.once
def test_sources_with_wrong_types_are_refused(
    web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (web / "src" / "some.ts").write_text('export const some: number = "text";\n')
    assert build_page.main(["--check"]) == 1
    assert "not assignable" in capsys.readouterr().err


@pytest.mark.once
def test_an_effect_that_does_not_depend_on_what_it_reads_is_refused(
    web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (web / "src" / "some.ts").write_text(
        """import { useEffect } from "react";

export function useTitle(title: string) {
  useEffect(() => {
    document.title = title;
  }, []);
}
"""
    )
    assert build_page.main(["--check"]) == 1
    assert "useExhaustiveDependencies" in capsys.readouterr().err
