"""Lets `python -m wrongcall` do what the command `wrongcall` does."""

import sys

from wrongcall.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
