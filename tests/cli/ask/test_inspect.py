"""How the source is opened in an editor."""

from __future__ import annotations

from pathlib import Path

import pytest

from wrongcall.cli.ask.inspect import Inspector, editor_command

COMMANDS = {
    "vim": ["vim", "+7", "--", "/a/prog.py"],
    "nano -w": ["nano", "-w", "+7", "--", "/a/prog.py"],
    "micro": ["micro", "+7", "/a/prog.py"],
    "code --wait": ["code", "--wait", "--goto", "/a/prog.py:7"],
    "'/opt/my editor/ed'": ["/opt/my editor/ed", "+7", "--", "/a/prog.py"],
    "unknown": ["unknown", "/a/prog.py"],
}


@pytest.mark.parametrize("editor", COMMANDS)
def test_the_editors_command_is_known(editor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    assert editor_command(Path("/a/prog.py"), 7) == COMMANDS[editor]


class Anything:
    """A trace whose only function is in a file with any name."""

    def __init__(self, path: str) -> None:
        self.function = self.program = self
        self.file, self.line, self.path = 1, 1, path
        self.files = {1: self}

    def call(self, number: int) -> Anything:
        return self


@pytest.mark.parametrize("name", ["+:!touch evil", "-c!touch evil", "prog.py", "/dev", "/a\0b", ""])
def test_only_existing_files_are_passed_to_the_editor(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if name and name[0] != "/":
        (tmp_path / name).write_text("")
    monkeypatch.setenv("VISUAL", "touch evil")
    inspector = Inspector(Anything(name), None, None)  # type: ignore[arg-type]
    text = "".join(
        part if isinstance(part, str) else part[0]
        for line in inspector._editor(1, "")
        for part in line
    )
    assert "no longer exists" in text
    assert not (tmp_path / "evil").exists()


def test_an_invalid_editor_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "vim '")
    inspector = Inspector(Anything("/a"), None, None)  # type: ignore[arg-type]
    assert "Can't parse $EDITOR" in str(inspector._editor(1, ""))
