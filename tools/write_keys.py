"""Write web/src/keys.ts, the page's part of the key map (`wrongcall.present.key_map`).

``--check``: only say whether it is up to date; exit code 1 if not.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from wrongcall.present.key_map import HOW_TO_ANSWER, PAGE, Key, keys_at

TARGET = Path(__file__).resolve().parent.parent / "web" / "src" / "keys.ts"
_HEAD = """\
// The keys of the page. Written by tools/write_keys.py from src/wrongcall/present/key_map.py: don't edit.

"""


def source() -> str:
    """Return the text of keys.ts."""
    keys = keys_at(PAGE)
    names = "".join(f"  {_name(key)}: {json.dumps(key.key)},\n" for key in keys)
    rows = "".join(f"  [{json.dumps(key.key)}, {_text(key.help)}],\n" for key in keys)
    return (
        f"{_HEAD}/** The key of each command. */\nexport const KEYS = {{\n{names}}} as const;\n\n"
        f"/** What each key does, in the order of the help. */\n"
        f"export const KEY_HELP: [key: string, does: string][] = [\n{rows}];\n\n"
        f"export const HOW_TO_ANSWER =\n  {_text(HOW_TO_ANSWER)};\n"
    )


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
