"""The script that starts the recorded process: it passes control to `boot` at once."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # this folder
__import__("wrongcall.recorder.boot", None, None, ["*"]).main()
