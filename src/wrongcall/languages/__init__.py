"""The source of a program, whatever its language.

`expressions` has the views that every language gives of its syntax, `sources` picks the language of a file, and
`python` is the only place that knows Python's syntax trees.
"""
