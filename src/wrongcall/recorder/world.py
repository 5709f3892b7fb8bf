"""The builtins as they were before the program began.

A program may replace builtins (`mock.patch("builtins.open")`, a `compile` of its own). Modules whose functions run
during the program call ``keep_builtins(globals())`` after their imports: a function takes its builtins from its globals
when it is made.
"""

from __future__ import annotations

import builtins

BUILTINS = dict(vars(builtins))


def keep_builtins(namespace: dict[str, object]) -> None:
    """Give the functions that a module defines from here on the interpreter's own builtins."""
    namespace["__builtins__"] = BUILTINS
