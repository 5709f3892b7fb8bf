"""Commands that only show something about a call: source, editor, history, origin, values."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from wrongcall.cli.ask.input import Input
from wrongcall.cli.ask.keys import Command
from wrongcall.cli.ask.terminal import Terminal
from wrongcall.cli.progress import telling_if_slow
from wrongcall.errors import WrongcallError
from wrongcall.present import Viewer, excerpt
from wrongcall.present.lines import Line, paragraph
from wrongcall.present.origin_tree import shown_tree
from wrongcall.present.screens.origin_tree import origin_tree_lines
from wrongcall.present.screens.question import value_lines
from wrongcall.present.screens.source import source_lines
from wrongcall.present.screens.trails import history_lines, origin_lines
from wrongcall.present.text import safe
from wrongcall.recording import Recording

MAX_VERSIONS = 200
"""Values of a place that are shown in a dialogue."""
_NODES_SHOWN = 16
"""Nodes of an origin that are shown in a dialogue."""
_OPENED = 3
_EDITORS_WITH_LINES = ("vi", "vim", "nvim", "nano", "emacs", "emacsclient", "ed", "joe", "micro")

_EDITORS_WITH_ENDS = ("vi", "vim", "nvim", "nano", "emacsclient", "ed")
"""Of these it is known that ``--`` ends their options."""


class Inspector:
    """Shows things about a call."""

    def __init__(self, recording: Recording, terminal: Terminal, source: Input) -> None:
        self.recording = recording
        self.terminal = terminal
        self.source = source
        self._actions: dict[str, Callable[[int, str], list[Line]]] = {
            "source": self._source,
            "edit": self._editor,
            "history": self._history,
            "origin": self._origin,
            "examine": self._examine,
        }

    def handles(self, command: Command) -> bool:
        """Return whether a command is one of these."""
        return command.name in self._actions

    def lines(self, command: Command, call: int) -> list[Line]:
        """Run a command about a call; return what it shows."""
        try:
            with telling_if_slow("reading the call") if command.name != "edit" else nullcontext():
                return self._actions[command.name](call, command.argument)
        except WrongcallError as error:
            return paragraph(str(error), self.terminal.size.width, "marked")

    def _source(self, call: int, argument: str) -> list[Line]:
        return source_lines(excerpt(self.recording, call), self.terminal.size.width)

    def _history(self, call: int, place: str) -> list[Line]:
        versions = self.recording.places.history(call, place)
        width = self.terminal.size.width
        return history_lines(self.recording, place, versions, width, most=MAX_VERSIONS)

    def _origin(self, call: int, place: str) -> list[Line]:
        places, width = self.recording.places, self.terminal.size.width
        trail = origin_lines(self.recording, place, places.origin(call, place), width)
        tree = shown_tree(self.recording, places.origin_tree(call, place), _NODES_SHOWN)
        if not tree.parts:
            return trail
        heading: Line = (("depended on", "heading"),)
        return [*trail, heading, *origin_tree_lines(self.recording, tree, width)]

    def _examine(self, call: int, place: str) -> list[Line]:
        view = self.recording.call(call)
        _, value = self.recording.places.find(call, place)
        size = replace(self.terminal.size, detail=1)
        viewer = Viewer(self.recording, view.last, everything=True)
        tree = viewer.tree(value, place, depth=_OPENED, width=size.value_width)
        return value_lines((tree,), size)

    def _editor(self, call: int, argument: str) -> list[Line]:
        """Open the file in the user's editor, at the function."""
        function = self.recording.call(call).function
        path = Path(self.recording.program.files[function.file].path)
        try:
            command = editor_command(path, function.line)
        except ValueError as error:
            return paragraph(f"Can't parse $EDITOR: {error}.", 80, "marked")
        if command is None:
            return paragraph("Set $EDITOR to open the source in an editor.", 80, "marked")
        # A trace may say anything: what is not the whole name of a file could be an option.
        if not path.is_absolute() or not _is_file(path):
            return paragraph(
                f"{safe(str(path))} no longer exists; press v to see its source.", 80, "marked"
            )
        try:
            with self.source.released() as has_terminal:
                stdin = None if has_terminal else subprocess.DEVNULL
                subprocess.run(command, check=False, stdin=stdin)
        except OSError as error:
            return paragraph(f"{safe(command[0])}: {error.strerror}", 80, "marked")
        return []


def editor_command(path: Path, line: int) -> list[str] | None:
    """Return how to open a file at a line in the user's editor; None: there is no editor."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    words = shlex.split(editor) if editor else []
    if not words:
        return None
    name = Path(words[0]).name
    if name in ("code", "codium", "subl"):
        flag = ["--goto"] if name != "subl" else []
        return [*words, *flag, f"{path}:{line}"]
    at = [f"+{line}"] if name in _EDITORS_WITH_LINES else []
    end = ["--"] if name in _EDITORS_WITH_ENDS else []
    return [*words, *at, *end, str(path)]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except ValueError:  # no name of a file has this character
        return False
