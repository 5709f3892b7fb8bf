"""Start a witness in a program before it begins, without leaving a frame below the program's own.

The interpreter imports this by itself. It does nothing unless WATCH_TREE or WATCH_HEAP is set to the arguments of
`watch_tree` or `watch_heap`, separated by bars.
"""

import os
import sys

if "WATCH_TREE" in os.environ:
    import watch_tree  # type: ignore[import-not-found]

    watch_tree.start(*os.environ.pop("WATCH_TREE").split("|"))

if "WATCH_HEAP" in os.environ and any(name.endswith("/start.py") for name in sys.orig_argv):
    import watch_heap  # type: ignore[import-not-found]

    watch_heap.start(*os.environ.pop("WATCH_HEAP").split("|"))
