"""An algorithmic and omniscient debugger: it records a run and finds the call that went wrong.

The parts, in the order in which data flows through them: `recorder` (inside the debugged program),
`trace` (the file), `tree` (the calls), `session` (questions and answers), `present` (what is
shown) and the interfaces. Imports point the other way only.
"""

__version__ = "0.2.0"


def breakpoint(*args: object, **named: object) -> None:
    """Open the recording so far, for ``PYTHONBREAKPOINT=wrongcall.breakpoint``."""
    # By name and only here: every module imports this one, and interfaces are above all others.
    from importlib import import_module  # noqa: PLC0415

    import_module("wrongcall.at_breakpoint").open_recording()
