"""Expressions that a person asks about a recording: parsed and evaluated here, over recorded values.

Nothing of the program runs. `expression` compiles the text, `operators`, `pure_calls` and `pure_methods` do what
Python's own do, `recorded` says what an object of the program must tell for that, and `budget` limits the work. What
the recording does not tell raises `NotKnownError`: an answer is never a guess.
"""
