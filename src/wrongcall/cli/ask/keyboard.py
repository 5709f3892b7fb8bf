"""The keys of a terminal, decoded by prompt_toolkit.

Imported only when a terminal dialogue begins: prompt_toolkit takes a while to load. While a key is
awaited, Ctrl-C is a key as well (save and quit), so that it doesn't hit a program running in the same
terminal; between keys it interrupts wrongcall as usual.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.key_binding import KeyBindings, KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output
from prompt_toolkit.output.plain_text import PlainTextOutput
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.utils import is_dumb_terminal

from wrongcall.cli.ask.keys import RESIZED, Pressed
from wrongcall.cli.ask.resizing import Resizes
from wrongcall.present.key_map import Key

_NAMES = {
    Keys.Up: "up", Keys.Down: "down", Keys.Right: "right", Keys.Left: "left",
    Keys.PageUp: "page-up", Keys.PageDown: "page-down", Keys.Home: "home", Keys.End: "end",
    Keys.Enter: "enter", Keys.ControlJ: "enter", Keys.Backspace: "backspace", Keys.Tab: "tab",
    Keys.ControlC: "quit", Keys.ControlD: "end-of-input", Keys.ControlL: "redraw",
    Keys.ControlZ: "suspend", Keys.Escape: "escape",
}  # fmt: skip
_ESCAPE_S = 0.05
"""An Escape that nothing follows within this time is the key itself, not the start of a sequence."""
_META_S = 0.2
"""The same in a line, where Escape can also be the start of a shortcut such as Alt-B."""


class Keyboard:
    """Answers as keys."""

    interactive = True

    def __init__(self, stdin: TextIO, output: Output | None = None) -> None:
        """Take the terminal until `end`. ``output``: where lines are edited; None: stdout."""
        self._input = Vt100Input(stdin)
        self._output = output
        self._descriptor = stdin.fileno()
        self._pending: list[KeyPress] = []
        self._before = termios.tcgetattr(self._descriptor)
        self._prompts: PromptSession[str] | None = None
        self._resizes: Resizes | None = None
        self.begin()

    # -- the terminal's modes ----------------------------------------------------------------------

    def begin(self) -> None:
        """Take the terminal: keys arrive one by one and are not echoed."""
        with suppress(termios.error):  # the terminal is gone
            tty.setcbreak(self._descriptor, termios.TCSADRAIN)
        if self._resizes is None:
            self._resizes = Resizes()

    def end(self) -> None:
        """Restore the terminal's modes."""
        with suppress(termios.error):
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)
        if self._resizes is not None:
            self._resizes.close()
            self._resizes = None

    @contextmanager
    def released(self) -> Iterator[bool]:
        """Lend the terminal to another program, such as an editor."""
        self.end()
        try:
            yield True
        finally:
            self.begin()

    def _suspend(self) -> None:
        """Stop, as Ctrl-Z asks for, until the shell continues us."""
        with self.released():
            os.kill(os.getpid(), signal.SIGTSTP)

    # -- keys --------------------------------------------------------------------------------------

    def pressed(self, keys: tuple[Key, ...], *, resizing: bool = False) -> Pressed | None:
        """Return the next key. ``resizing``: also `RESIZED`, as soon as the terminal has another size."""
        key = self.key(resizing=resizing)
        return None if key is None or key == "end-of-input" else Pressed(key)

    def key(self, *, resizing: bool = False) -> str | None:
        """Return a character, or the name of a key; None: the terminal is gone."""
        with self._input.raw_mode():
            if not self._pending and not self._read(self._resizes if resizing else None):
                return None
        if not self._pending:
            return RESIZED
        found = self._next_name()
        if found == "suspend":
            self._suspend()
            return "redraw"
        return found

    def _read(self, resizes: Resizes | None) -> bool:
        """Wait for keys, or for another size; return whether there is one, and not the end of the terminal."""
        while not self._pending:
            found = self._poll(None, resizes)
            if resizes is not None and resizes.clear():
                return True
            is_gone = bool(found & ~select.POLLIN)
            self._pending = self._input.read_keys()
            if not self._pending and (is_gone or self._input.closed):
                return False
            if not self._pending and not self._poll(_ESCAPE_S):
                self._pending = self._input.flush_keys()
        return True

    def _next_name(self) -> str:
        key = self._pending.pop(0).key
        if key is Keys.Escape and self._pending:
            self._drop_sequence()
            return "unknown"
        return _NAMES.get(key, "unknown") if isinstance(key, Keys) else key

    def _drop_sequence(self) -> None:
        """Drop the rest of a sequence that prompt_toolkit doesn't know: it is no answer."""
        if self._pending[0].key in ("[", "O") and len(self._pending) > 1:
            del self._pending[0]
        while self._pending:
            key = str(self._pending.pop(0).key)
            if key.isalpha() or key == "~":
                return

    def waits(self, seconds: float) -> bool:
        """Return whether a key is pressed within this time."""
        return bool(self._pending) or bool(self._poll(seconds))

    def _poll(self, seconds: float | None, resizes: Resizes | None = None) -> int:
        """Return what poll says about the terminal."""
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        if resizes is not None:
            poll.register(resizes, select.POLLIN)
        found = dict(poll.poll(None if seconds is None else seconds * 1000))
        return found.get(self._descriptor, 0)

    # -- lines -------------------------------------------------------------------------------------

    def line(self, prompt: str) -> str | None:
        """Let the user edit a line; None: cancelled by Escape, Ctrl-C or Ctrl-D."""
        store_typeahead(self._input, self._pending)
        if self._prompts is None:
            self._prompts = _prompts(self._input, self._output)
        try:
            text = self._prompts.prompt(ANSI(prompt), set_exception_handler=False)
        except (EOFError, KeyboardInterrupt):
            return None
        finally:
            self._pending = get_typeahead(self._input)
        # What is no text in the terminal's encoding arrives as lone surrogates.
        return text.encode("utf-8", "replace").decode().strip()


def _prompts(source: Input, output: Output | None) -> PromptSession[str]:
    """Return what reads lines; ``output``: where they are edited, None: stdout."""
    # On a dumb terminal prompt_toolkit edits in the simplest way, if the output is not set but found.
    with create_app_session(input=source, output=PlainTextOutput(sys.stdout)):
        session: PromptSession[str] = PromptSession(
            input=source,
            output=output or (None if is_dumb_terminal() else _vt100()),
            key_bindings=_bindings(),
            enable_suspend=True,
            include_default_pygments_style=False,
        )
    session.app.ttimeoutlen = _ESCAPE_S
    session.app.timeoutlen = _META_S
    return session


def _vt100() -> Output:
    output = Vt100_Output.from_pty(sys.stdout, term=os.environ.get("TERM"), enable_bell=False)
    # No requests for the cursor's position: not every terminal replies, and nothing here needs it.
    output.enable_cpr = False
    return output


def _bindings() -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("escape")
    def cancel(event: KeyPressEvent) -> None:
        event.app.exit(exception=EOFError())

    return bindings
