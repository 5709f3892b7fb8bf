"""Lets a witness into a program before it begins, without a frame of the witness below its own.

The interpreter imports this by itself. It does nothing unless WATCH_TREE names what `watch_tree`
needs: the file to write and the folders to watch, separated by a bar.
"""

import os

if "WATCH_TREE" in os.environ:
    import watch_tree

    watch_tree.start(*os.environ.pop("WATCH_TREE").split("|"))
