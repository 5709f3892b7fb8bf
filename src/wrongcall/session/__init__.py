"""The debugging session: it asks, takes answers, and names the wrong call. It never prints or prompts.

`session` (the state machine), `steps` (what it returns), `answers` (what it is
given), `knowledge` (what follows from that), `facts` and `from_trace` (what it needs of a trace),
`oracles`, ``strategies`` (which question next), `cost` (how many there are), `storage` (in the trace's
file).
"""

from __future__ import annotations

from wrongcall.session.answers import Answer, Choice, Decision, Entry, Part, Verdict, Where
from wrongcall.session.facts import Facts, NoFacts
from wrongcall.session.oracles import Oracle
from wrongcall.session.session import DEFAULT_STRATEGY, Session
from wrongcall.session.steps import (
    Contradiction,
    Finding,
    NeedsMoreTree,
    Next,
    NoBug,
    Question,
    Why,
)

__all__ = [
    "DEFAULT_STRATEGY",
    "Answer",
    "Choice",
    "Contradiction",
    "Decision",
    "Entry",
    "Facts",
    "Finding",
    "NeedsMoreTree",
    "Next",
    "NoBug",
    "NoFacts",
    "Oracle",
    "Part",
    "Question",
    "Session",
    "Verdict",
    "Where",
    "Why",
]
