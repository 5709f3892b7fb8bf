"""An independent witness: what expressions are right before each line of a plain run.

Run as a script, ``line_witness.py prog.py LINES EXPR...`` evaluates the expressions at every line event that
`sys.settrace` reports for these lines (JSON; none: all lines, and the ends of calls as line 0), and prints
``[line, [text, ...], frame]`` for each as JSON on the last line of standard error. Nothing of wrongcall is used.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import FrameType
from typing import Any

INNER = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


def main() -> None:
    program, lines, *expressions = sys.argv[1:]
    wanted = set(json.loads(lines))
    path = str(Path(program).resolve())
    compiled = [compile(text, "<asked>", "eval") for text in expressions]
    seen: list[Any] = []
    frames: dict[FrameType, int] = {}  # kept, so that they stay different

    def evaluated(code: Any, names: dict[str, Any]) -> str:
        try:
            return repr(eval(code, names))
        except Exception as exc:  # noqa: BLE001 - whatever it raises
            return f"raises {type(exc).__name__}"

    def watch(frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code.co_filename != path or frame.f_code.co_name in INNER:
            return None
        line = 0 if event == "return" else frame.f_lineno
        if (event == "line" and (not wanted or line in wanted)) or (
            event == "return" and not wanted
        ):
            names = {**frame.f_globals, **frame.f_locals}
            number = frames.setdefault(frame, len(frames))
            seen.append([line, [evaluated(code, names) for code in compiled], number])
        return watch

    code = compile(Path(path).read_text(), path, "exec")
    names = {"__name__": "__main__", "__file__": path}
    sys.settrace(watch)
    try:
        exec(code, names)
    finally:
        sys.settrace(None)
        print(json.dumps(seen), file=sys.stderr)


if __name__ == "__main__":
    main()
