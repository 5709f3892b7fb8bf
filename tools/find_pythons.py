"""Print the interpreters that wrongcall is developed and tested on, one path per line.

These are all CPythons from 3.11 up, with the global lock, on this machine: `python3` and `python3.N` on PATH, the
versions of pyenv, and those that `make pythons` provided. A name on PATH proves nothing (pyenv's shims exist for
versions that are not active, `python3` may be a virtual environment), so each candidate is run and asked what it is.

The first line is the main interpreter: the version of the first `python3` that qualifies. The other versions follow in
ascending order. Of several installations of one minor version, those that can make a virtual environment and compile an
extension are preferred, then the newest patch version.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

OLDEST = (3, 11)
PROVIDED = Path(__file__).resolve().parent.parent / ".pythons" / "root" / "usr" / "bin"
"""Where `provide_pythons.py` puts interpreters."""

# Runs in the candidate, which may be any version of any implementation.
PROBE = """
import json, os, sys, sysconfig
try:
    import ensurepip, venv
    has_venv = True
except ImportError:
    has_venv = False
headers = sysconfig.get_path("include") or ""
print(json.dumps({
    "path": os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
    "implementation": sys.implementation.name,
    "version": list(sys.version_info),
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "has_venv": has_venv,
    "has_headers": os.path.exists(os.path.join(headers, "Python.h")),
    "compiler": (sysconfig.get_config_var("CC") or "cc").split()[0],
}))
"""


@dataclass(frozen=True)
class Interpreter:
    """What an installed CPython reported about itself."""

    path: str
    version: tuple[int, int, int]
    has_venv: bool = True
    has_headers: bool = True
    compiler: str = "cc"
    is_final: bool = True

    @property
    def minor(self) -> tuple[int, int]:
        return self.version[:2]

    @property
    def name(self) -> str:
        return f"CPython {'.'.join(map(str, self.version))}"

    @property
    def preference(self) -> tuple[bool, bool, tuple[int, int, int]]:
        return (self.has_venv and self.has_headers, self.is_final, self.version)


def candidates() -> Iterator[Path]:
    """Yield everything that may be an interpreter; all `python3` before all `python3.N`."""
    folders = [Path(folder) for folder in os.get_exec_path() if Path(folder).is_dir()]
    for folder in folders:
        yield folder / "python3"
    for folder in folders:
        yield from _numbered(folder)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob("versions/*/bin/python"))
    if PROVIDED.is_dir():
        yield from _numbered(PROVIDED)


def _numbered(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if re.fullmatch(r"python3\.\d+", p.name))


def probe(candidate: Path) -> Interpreter | None:
    """Ask a candidate what it is; return None unless it runs and qualifies."""
    command = [str(candidate), "-I", "-c", PROBE]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
        facts = json.loads(answer.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    qualifies = (
        facts["implementation"] == "cpython"
        and tuple(facts["version"][:2]) >= OLDEST
        and not facts["free_threaded"]
    )
    if not qualifies:
        return None
    major, minor, patch, level, _ = facts["version"]
    return Interpreter(
        path=facts["path"],
        version=(major, minor, patch),
        has_venv=facts["has_venv"],
        has_headers=facts["has_headers"],
        compiler=facts["compiler"],
        is_final=level == "final",
    )


def choose(found: Iterable[Interpreter]) -> list[Interpreter]:
    """Choose one interpreter per minor version; the minor version found first comes first."""
    best: dict[tuple[int, int], Interpreter] = {}
    for interpreter in found:
        rival = best.get(interpreter.minor)
        if rival is None or interpreter.preference > rival.preference:
            best[interpreter.minor] = interpreter
    main = next(iter(best), None)
    return sorted(best.values(), key=lambda found: (found.minor != main, found.minor))


def find() -> list[Interpreter]:
    """Return the interpreters of this machine, the main one first."""
    existing = list({path.absolute(): None for path in candidates() if path.exists()})
    with ThreadPoolExecutor(max_workers=4) as pool:
        return choose(found for found in pool.map(probe, existing) if found is not None)


def main() -> int:
    """Print the paths; fail if there are none."""
    interpreters = find()
    if not interpreters:
        oldest = ".".join(map(str, OLDEST))
        print(f"no CPython {oldest} or newer found; please install one", file=sys.stderr)
        return 1
    for interpreter in interpreters:
        print(interpreter.path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
