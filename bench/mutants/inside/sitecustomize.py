"""Switch a program from its mutated code to the original while it runs; see ``mutants.switching``.

The mutated function asks ``__mutant_is_on__()`` which of its two bodies to execute. The mutant is on until the function
with the call in question has been entered MUTANT_UNTIL times, and off from then on.
"""

import builtins
import os

_until = int(os.environ.get("MUTANT_UNTIL", "0"))
_entered = 0


def is_on() -> bool:
    """Return whether the mutated code is executed."""
    return _entered < _until


def enter() -> None:
    """Count an entry of the function with the call in question."""
    global _entered
    _entered += 1


builtins.__mutant_is_on__ = is_on  # type: ignore[attr-defined]
builtins.__mutant_enter__ = enter  # type: ignore[attr-defined]
