"""The execution tree as columns, and what a search for the bug knows about it.

`tree` is the structure, `states` what is known about a node, `suspects` where the bug can still be, `weights` and
`coverage` how likely a node holds it, `balance` groups of sibling calls, `reading` and `costs` how long questions are,
`growing` a tree whose program is still running, and `from_trace` the only module that knows traces. The loops are in
``native``, written in C.
"""
