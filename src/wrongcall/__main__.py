"""Lets `python -m wrongcall` do what the command `wrongcall` does."""

import sys

# Python put the working directory first: a program's own json.py there is not ours to import.
if not sys.flags.safe_path:
    del sys.path[0]

from wrongcall.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
