"""Run a script under PySnooper, which has no command of its own.

    python peer_pysnooper.py LOG SCRIPT [ARGUMENT ...]

Every line of every function called, at any depth, goes to LOG.
"""

import sys
from pathlib import Path

import pysnooper  # type: ignore[import-untyped,import-not-found,unused-ignore]


def main() -> None:
    log, script = sys.argv[1:3]
    sys.argv = sys.argv[2:]
    sys.path[0] = str(Path(script).parent)
    code = compile(Path(script).read_bytes(), script, "exec")
    scope = {"__name__": "__main__", "__file__": script}
    with pysnooper.snoop(log, depth=sys.maxsize, color=False):
        exec(code, scope)


if __name__ == "__main__":
    main()
