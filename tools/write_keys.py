"""Write web/src/keys.ts: the page's part of the key map, the texts of its buttons, and the parts of a question.

They come from `wrongcall.present`: `key_map` and `question_parts`. ``--check``: only say whether the file is up to
date; exit code 1 if not.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from wrongcall.present.key_map import (
    FINDING,
    HOW_TO_ANSWER,
    PAGE,
    USUAL_VERDICTS,
    VERDICTS,
    Key,
    keys_at,
)
from wrongcall.present.question_parts import GROUP_PARTS_OF_PAGE, QUESTION_PARTS, QuestionPart
from wrongcall.session.answers import Verdict

_BESIDE = ("inside", "found", "undo", "why", "history", "origin", "back")
"""Commands that have buttons beside a question."""
_DECISIONS = ("yes", "no", "another")
"""Commands about a finding that have buttons on the page."""
TARGET = Path(__file__).resolve().parent.parent / "web" / "src" / "keys.ts"
_HEAD = """\
// The keys of the page, the texts of its buttons, and the parts of a question. Written by tools/write_keys.py from
// src/wrongcall/present/key_map.py and question_parts.py: don't edit.

import type { Verdict } from "./api";

"""


def source() -> str:
    """Return the text of keys.ts."""
    keys = keys_at(PAGE)
    beside = [key for key in keys if key.command in _BESIDE]
    decisions = [key for key in keys_at(FINDING) if key.command in _DECISIONS]
    rows = "".join(f"  [{json.dumps(key.key)}, {_text(key.help)}],\n" for key in keys)
    return (
        f"{_HEAD}/** The key of each command. */\n"
        f"export const KEYS = {_record({_name(k): json.dumps(k.key) for k in keys})} as const;\n\n"
        f"/** What each key does, in the order of the help. */\n"
        f"export const KEY_HELP: [key: string, does: string][] = [\n{rows}];\n\n"
        f"/** The texts of buttons beside a question. */\n"
        f"export const BUTTONS = {_record({_name(k): _button(k) for k in beside})} as const;\n\n"
        f"/** The same, of decisions about a finding. */\n"
        f"export const FINDING_BUTTONS = "
        f"{_record({_name(k): _button(k) for k in decisions})} as const;\n\n"
        f"/** The answers to a question, in the order of their buttons. */\n"
        f"export const ANSWERS: {_ANSWER}[] = {_answers(USUAL_VERDICTS)};\n\n"
        f"/** Those that are shown on demand. */\n"
        f"export const MORE_ANSWERS: {_ANSWER}[] = "
        f"{_answers(command for command in VERDICTS if command not in USUAL_VERDICTS)};\n\n"
        f"/** What was said with a verdict. */\n"
        f"export const SAID: Record<Verdict, string> = {_record(_said())};\n\n"
        f"{_parts('QUESTION_PARTS', 'QuestionPart', QUESTION_PARTS)}"
        f"{_parts('GROUP_PARTS', 'GroupPart', GROUP_PARTS_OF_PAGE)}"
        f"export const HOW_TO_ANSWER =\n  {_text(HOW_TO_ANSWER)};\n"
    )


_ANSWER = "{ verdict: Verdict; key: string; text: string }"


def _record(fields: Mapping[str, str]) -> str:
    inside = "".join(f"  {name}: {value},\n" for name, value in fields.items())
    return f"{{\n{inside}}}"


def _answers(commands: Iterable[str]) -> str:
    known = {key.command: key for key in keys_at(PAGE)}
    rows = "".join(
        f'  {{ verdict: "{_verdict(VERDICTS[command])}", key: "{known[command].key}", '
        f"text: {_button(known[command])} }},\n"
        for command in commands
    )
    return f"[\n{rows}]"


def _said() -> dict[str, str]:
    """Return what was said with each verdict, by the labels of the commands that give it."""
    commands = {verdict: command for command, verdict in VERDICTS.items()}
    commands[Verdict.WRONG_PART] = "part"
    labels = {key.command: key.label for key in keys_at(PAGE)}
    return {_verdict(verdict): _text(labels[commands[verdict]]) for verdict in Verdict}


def _verdict(verdict: Verdict) -> str:
    """Return a verdict as it is written in JSON: see `wrongcall.web.wire`."""
    return verdict.name.lower()


def _parts(name: str, kind: str, parts: Iterable[QuestionPart]) -> str:
    """Return the parts that the page shows."""
    titles = _record({part.name: _text(part.title) for part in parts if part.title})
    return (
        f"/** Names and titles, in the order in which they are shown. */\n"
        f"export const {name} = {titles} as const;\n\n"
        f"export type {kind} = keyof typeof {name};\n\n"
    )


def _button(key: Key) -> str:
    """Return the text of a key's button, as JavaScript writes it."""
    return _text(key.label[0].upper() + key.label[1:])


def _name(key: Key) -> str:
    """Return the name of a command as JavaScript writes it: trustModule."""
    first, *more = key.command.split("-")
    return first + "".join(word.capitalize() for word in more)


def _text(text: str) -> str:
    """Return a text as JavaScript writes it, with typographic apostrophes."""
    return json.dumps(text.replace("'", "\u2019"), ensure_ascii=False)


def main(arguments: list[str]) -> int:
    """Write the file, or check it."""
    text = source()
    if arguments == ["--check"]:
        if TARGET.read_text(encoding="utf-8") == text:
            return 0
        print(f"{TARGET.name} is not up to date; run: python tools/write_keys.py", file=sys.stderr)
        return 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
