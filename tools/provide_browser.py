"""Install Debian's chromium, which the tests of the page run in, or say how to: part of `make test`."""

from __future__ import annotations

import os
import shutil
import sys

from environments import SetupError, run

NAMES = ("chromium", "chromium-browser", "google-chrome")


def main() -> int:
    """Install a browser if there is none; without one, only the tests of the page fail."""
    if any(shutil.which(name) for name in NAMES):
        return 0
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        print(
            "there is no chromium: the tests of the page need it; please install it",
            file=sys.stderr,
        )
        return 0
    print("installing chromium, for the tests of the page", flush=True)
    quietly = {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        run(["apt-get", "update"], quietly)
        run(["apt-get", "install", "--yes", "--no-install-recommends", "chromium"], quietly)
    except SetupError as error:
        print(f"chromium cannot be installed: {error}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
