"""The Model Context Protocol: agents ask the recording instead of guessing.

`server` describes eight tools to the official SDK; each is a thin function over a recording or a search. Every answer
is text within a budget of tokens (`pages`), with a cursor for the rest and a hint which call to make next. What an
agent may read and run is decided when the server starts (`permissions`); its answers are kept in a session of its own.
"""
