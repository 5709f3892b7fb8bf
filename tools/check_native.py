"""Check the native code: its format, the compiler's warnings and clang-tidy. `make lint` runs it.

    check_native.py [--analyze | --format]

The checks of clang-tidy are chosen in .clang-tidy. Those of its static analyzer take seconds for
each file: they are made with --analyze only (`make analyze`). A file that was found clean is not
checked again until it, a header or the choice changes: build/native-lint remembers by digest.
With --format the sources are formatted instead (.clang-format says how).

It uses the interpreter that runs it: its headers, and the tools that are installed beside it.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path("src/wrongcall")
EXTENSIONS = ("recorder", "trace/format", "replay", "analysis/effects", "tree")
CLEAN = ROOT / "build" / "native-lint"
TOOLS = Path(sys.executable).parent

# Hooks and slots of types have parameters that they do not need; structs of types are filled in part;
# functions of all calling conventions are kept as one type.
WARNINGS = (
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-unused-parameter",
    "-Wno-missing-field-initializers",
    "-Wno-cast-function-type",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Check or format all sources; the exit status."""
    parser = argparse.ArgumentParser(description="Check the native code.")
    parser.add_argument("--format", action="store_true", help="format the sources instead")
    parser.add_argument("--analyze", action="store_true", help="run the static analyzer as well")
    options = parser.parse_args(arguments)
    if options.format:
        return clang_format("-i")
    if clang_format("--dry-run", "--Werror") != 0:
        print("the native code is not formatted; run: make format", file=sys.stderr)
        return 1
    checks = "" if options.analyze else "-clang-analyzer-*"
    return max(
        each_source(compiles_without_warning), each_source(lambda source: untidy(source, checks))
    )


def sources(suffix: str) -> list[Path]:
    """All files of the native code with this suffix."""
    return sorted(path.relative_to(ROOT) for path in (ROOT / PACKAGE).rglob(f"*{suffix}"))


def each_source(check: Callable[[Path], str]) -> int:
    """Run a check on all sources at once, and print what it finds; the exit status."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = [text for text in pool.map(check, sources(".c")) if text]
    for text in complaints:
        print(text, file=sys.stderr)
    return 1 if complaints else 0


def clang_format(*options: str) -> int:
    """Run clang-format on all sources and headers."""
    files = [*sources(".c"), *sources(".h")]
    return subprocess.run(
        [TOOLS / "clang-format", *options, *files], cwd=ROOT, check=False
    ).returncode


def include_flags(source: Path) -> list[str]:
    """Where a source finds its headers; those of the interpreter are not checked."""
    folders = (PACKAGE / name / "native" for name in EXTENSIONS)
    (own,) = (folder for folder in folders if source.is_relative_to(folder))
    return ["-isystem", sysconfig.get_path("include"), f"-I{PACKAGE / 'native'}", f"-I{own}"]


def compiles_without_warning(source: Path) -> str:
    """Compile a source as setup.py does, but with warnings as errors; what the compiler says."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    flags = ["-O2", "-fPIC", *WARNINGS, *include_flags(source)]
    return complaint([*compiler, *flags, "-c", str(source), "-o", os.devnull])


def untidy(source: Path, checks: str) -> str:
    """Run clang-tidy on a source, unless it was found clean before; what it says."""
    stamp = CLEAN / digest(source, checks)
    if stamp.exists():
        return ""
    tidy = [str(TOOLS / "clang-tidy"), "--quiet", f"--checks={checks}", str(source)]
    said = complaint([*tidy, "--", *include_flags(source)])
    if not said:
        CLEAN.mkdir(parents=True, exist_ok=True)
        stamp.touch()
    return said


def digest(source: Path, checks: str) -> str:
    """Everything that what clang-tidy finds in a source depends on."""
    seen = hashlib.sha256(f"{sys.version}\0{checks}\0".encode())
    for path in (source, *sources(".h"), Path(".clang-tidy"), Path("requirements/dev.txt")):
        seen.update(str(path).encode() + b"\0" + (ROOT / path).read_bytes())
    return seen.hexdigest()


def complaint(command: Sequence[str]) -> str:
    """Run a command that says nothing if all is well; what it says if it fails."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


if __name__ == "__main__":
    sys.exit(main())
