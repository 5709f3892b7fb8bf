"""The trace of a run: one SQLite file, and the only part of wrongcall that knows it.

`format` defines how things are packed, `file` opens, locks and replaces the file, `write` fills it while the program
runs, and `read` looks things up in it. Writing imports nothing from reading.
"""
