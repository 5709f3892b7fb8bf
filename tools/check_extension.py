"""Build, pack or test the extension for VS Code with node and npm: `make vsix`, `make test-vscode`.

    check_extension.py package
    check_extension.py test [--maybe]

What npm installs is pinned by editors/vscode/package-lock.json, and is installed again only if that has changed. The
tests have a stand-in for VS Code's API, the client that the authors of the Debug Adapter Protocol provide, and the real
adapter. With --maybe, it is not an error if they can't be run (no npm, or no network for it): a message says so.
"""

from __future__ import annotations

import argparse
import sys

from build_page import check_node, done, is_done
from environments import ROOT, VENVS, SetupError, digest, run

EXTENSION = ROOT / "editors" / "vscode"


def main() -> int:
    """Do what is asked; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("script", choices=("package", "test"))
    parser.add_argument("--maybe", action="store_true")
    arguments = parser.parse_args()
    try:
        check_node()
        install()
    except SetupError as error:
        print(f"the extension for VS Code is not checked: {error}", file=sys.stderr)
        return 0 if arguments.maybe else 1
    print(f"the extension for VS Code: {arguments.script}", flush=True)
    python = {"WRONGCALL_PYTHON": str(VENVS / "main" / "bin" / "python")}
    try:
        run(["npm", "--prefix", EXTENSION, "run", "--silent", arguments.script], python)
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def install() -> None:
    """Install what package-lock.json names."""
    lock = digest([EXTENSION / "package-lock.json", EXTENSION / "package.json"])
    if (EXTENSION / "node_modules").exists() and is_done("extension", lock):
        return
    print("the extension for VS Code: installing its package-lock.json", flush=True)
    run(["npm", "--prefix", EXTENSION, "ci", "--ignore-scripts", "--no-audit", "--no-fund"])
    done("extension", lock)


if __name__ == "__main__":
    sys.exit(main())
