"""Run the tests in every environment that `environments.py` made ready, and sum up.

    run_tests.py [PYTEST ARGUMENT ...]

All interpreters are run even if one fails; the exit status is 1 if any failed. Tests marked ``once`` do not depend on
the interpreter: they run on the first one only. The first interpreter, the newest, and every second version between
3.11 and 3.15 run everything else; the others run what depends on the interpreter most (`BETWEEN`), unless arguments say
what to run. With
WRONGCALL_SANITIZE=1, for which the extension must have been built, the tests run under AddressSanitizer.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENVS = ROOT / ".venvs"
ONCE = ["-m", "not once"]
IN_FULL = (11, 13, 15)
"""Minor versions that run everything."""
BETWEEN = ["tests/recorder", "tests/languages", "tests/replay", "tests/cli/test_record.py"]


def main(arguments: list[str]) -> int:
    """Test each interpreter; print one summary line for each at the end."""
    pythons = (VENVS / "ready").read_text().splitlines()
    last = len(pythons) - 1
    results = [test(p, chosen(i, last, minor(p), arguments)) for i, p in enumerate(pythons)]
    print()
    for summary, _ in results:
        print(summary)
    for line in (VENVS / "skipped").read_text().splitlines():
        print(f"{line} (skipped)")
    return 0 if results and all(passed for _, passed in results) else 1


def chosen(number: int, last: int, minor: int, arguments: list[str]) -> list[str]:
    """Return the arguments for one of several interpreters, which are in ascending order after the first."""
    in_full = number in (0, last) or minor in IN_FULL
    between = [] if in_full or arguments else BETWEEN
    return [*(ONCE if number else []), *arguments, *between]


def test(python: str, arguments: list[str]) -> tuple[str, bool]:
    """Run pytest, passing on its output; return a summary line, and whether it passed."""
    name = version(python)
    print(f"\n{name}: pytest {' '.join(arguments)}".rstrip(), flush=True)
    color = "yes" if sys.stdout.isatty() else "no"
    # The tests of a file share recordings, so they stay together.
    workers = ["-n", str(os.cpu_count() or 1), "--dist", "loadfile"]
    command = [python, "-m", "pytest", f"--color={color}", *workers, *arguments]
    last_line = ""
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True, errors="replace"
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            last_line = line.strip().strip("=").strip() or last_line
    passed = process.returncode == 0
    verdict = "passed" if passed else f"FAILED (exit status {process.returncode})"
    return f"{name}: {verdict}: {last_line}", passed


def version(python: str) -> str:
    code = "import platform; print('CPython', platform.python_version())"
    return subprocess.check_output([python, "-c", code], cwd=ROOT, text=True).strip()


def minor(python: str) -> int:
    """Return N of the version 3.N of an interpreter."""
    return int(version(python).split(".")[1])


def environment() -> dict[str, str]:
    """Return the environment of a test run; a sanitized extension needs its run-time library loaded."""
    variables = dict(os.environ)
    if variables.get("WRONGCALL_SANITIZE") == "1":
        library = subprocess.check_output(["gcc", "-print-file-name=libasan.so"], text=True)
        variables["LD_PRELOAD"] = library.strip()
        # A program that sends itself SIGSEGV must die of it as it does plain, without a report.
        variables.setdefault("ASAN_OPTIONS", "detect_leaks=0:handle_segv=0")
        variables.setdefault("PYTHONMALLOC", "malloc")
    return variables


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
