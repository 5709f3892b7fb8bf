"""Read one command at a time: prompt, read a key, ask for what its command needs."""

from __future__ import annotations

from wrongcall.cli.ask.input import Input
from wrongcall.cli.ask.keys import RESIZED, Command, Pressed
from wrongcall.cli.ask.terminal import Terminal
from wrongcall.present.key_map import Key
from wrongcall.present.lines import Line, paragraph
from wrongcall.present.text import safe

QUIT = Command("quit")
REDRAW = Command("redraw")


class Prompter:
    """Asks for commands on a terminal."""

    def __init__(self, terminal: Terminal, source: Input) -> None:
        self.terminal = terminal
        self.source = source

    def say(self, text: str, style: str = "marked") -> None:
        """Show a sentence."""
        self.terminal.show(paragraph(text, self.terminal.size.width, style))

    def read(self, prompt: str, keys: tuple[Key, ...], *, moving: bool = False) -> Command:
        """Return a command that applies here; the end of the input means quit.

        ``moving``: keys without a letter, such as the arrows, mean something as well.
        """
        while True:
            pressed = self._next(prompt, keys)
            if pressed is None or pressed.key in ("quit", "escape"):
                return QUIT
            if pressed.key == RESIZED:
                return REDRAW
            if len(pressed.key) > 1 and (moving or pressed.key == "redraw"):
                return Command(pressed.key)
            if pressed.key == "enter":
                return REDRAW
            key = next((key for key in keys if key.key == pressed.key), None)
            if key is None and moving and pressed.key == " ":
                return Command("page")
            if key is None:
                self._unknown(pressed)
            elif not key.wants or pressed.argument:
                return Command(key.command, pressed.argument)
            elif argument := self.ask(key.wants):
                return Command(key.command, argument)

    def _next(self, prompt: str, keys: tuple[Key, ...]) -> Pressed | None:
        self.terminal.write(self.terminal.prompt_text(((prompt, "key"), (" >", "quiet"))))
        # What was written line by line is the terminal's to fit; a whole screen is ours.
        pressed = self.source.pressed(keys, resizing=self.terminal.is_whole)
        if pressed is None:
            self.terminal.write("\n")
            return None
        named = len(pressed.key) > 1 and self.source.interactive
        self.terminal.write("\n" if named else f"{_echo(pressed)}\n")
        return pressed

    def _unknown(self, pressed: Pressed) -> None:
        self.say(f"{safe(pressed.key)!r} does nothing here; press ? for the keys.")

    def ask(self, wants: str) -> str:
        """Ask for some text; in a pipe it should have followed the key."""
        if not self.source.interactive:
            self.say(f"Missing argument: {wants}")
            return ""
        return self.source.line(self.terminal.prompt_text(((f"  {wants}", "quiet"),))) or ""

    def pick(self, lines: list[Line], wants: str) -> str:
        """Show a list, and ask which one; in a pipe the next line answers."""
        self.terminal.show(lines)
        prompt = self.terminal.prompt_text(((wants, "key"), (" >", "quiet")))
        found = self.source.line(prompt) or ""
        if not self.source.interactive:
            self.terminal.write(f"{prompt}{safe(found)}\n")
        return found


def _echo(pressed: Pressed) -> str:
    return safe(f"{pressed.key} {pressed.argument}".rstrip())
