"""``WRONGCALL=record python prog.py``: what `wrongcall.pth` calls when Python starts and the variable is set.

The interpreter has not begun the program yet, so this process becomes ``wrongcall record prog.py``, with the same
interpreter and its options. Outside, nothing changes: same process, same standard streams, same exit. The variable
is taken out of the environment: ``wrongcall record`` records the Python processes that the program starts.

Without the variable, this module is not even loaded: `wrongcall.pth` only looks for it.
"""

import os
import sys

VARIABLE = "WRONGCALL"
RECORD = "record"


def begin() -> None:
    """Become the recorder of the program, if there is one that can be recorded."""
    wanted = os.environ.pop(VARIABLE, "")
    if wanted != RECORD:
        told = f"wrongcall: {VARIABLE}={wanted} has no meaning; try: {VARIABLE}={RECORD}\n"
        sys.stderr.write(told)
        return
    program = recorded_command(sys.orig_argv, sys.argv)
    if program is None:
        os.environ[VARIABLE] = wanted  # for the programs that this one starts
        return
    flags, words = program
    main = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__main__.py")
    command = [sys.executable, *flags, main, RECORD, "--python", sys.executable, "--", *words]
    os.execv(sys.executable, command)


def recorded_command(original: list[str], given: list[str]) -> tuple[list[str], list[str]] | None:
    """Split a command into python's options and the program with its arguments.

    ``given`` is ``sys.argv`` before the program begins. None: there is no script or module, but ``-c``, standard input
    or an interactive session.
    """
    if not given or given[0] in ("", "-", "-c"):
        return None
    if given[0] != "-m":
        at = len(original) - len(given)
        return original[1:at], given
    at = len(original) - len(given)  # of the module
    if original[at - 1] == "-m":
        return original[1 : at - 1], ["-m", *original[at:]]
    if original[at].startswith("-m"):
        return original[1:at], ["-m", original[at][2:], *original[at + 1 :]]
    return None  # joined with other options: -Im
