"""Check that chromium is there for the tests of the page; install it on request.

Part of `make test`. Only `make test APT=yes` installs anything (Debian's package).
"""

from __future__ import annotations

import shutil
import sys

from environments import SetupError, install_packages

NAMES = ("chromium", "chromium-browser", "google-chrome")


def main() -> int:
    """Look for a browser; return the exit status."""
    if any(shutil.which(name) for name in NAMES):
        return 0
    try:
        install_packages(["chromium"], "no chromium found, which the tests of the page need")
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
