"""The script that the recorded process is started with: it hands over to `boot` at once."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # this folder
__import__("wrongcall.recorder.boot", None, None, ["*"]).main()
