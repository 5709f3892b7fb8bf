"""An algorithmic and omniscient debugger: it records a run and finds the call that went wrong.

The parts, in the order in which data flows through them: `recorder` (inside the debugged program),
`trace` (the file), `tree` (the calls), `session` (questions and answers), `present` (what is
shown) and the interfaces. Imports point the other way only.
"""

__version__ = "0.2.0"
