"""The trace of a run: one SQLite file, and the only part of wrongcall that knows it.

`format` says how things are packed, `file` how the file is opened, locked and replaced, `write` fills
it while the program runs, `read` finds in it what is asked for. Writing imports nothing of reading.
"""
