"""Run the tests in every environment that `environments.py` made ready, and sum up.

    run_tests.py [--in-full VERSION ...] [-- PYTEST ARGUMENT ...]

All interpreters are run even if one fails; the exit status is 1 if any failed. Tests marked ``once`` do not depend on
the interpreter: they run on the first one only. The first interpreter, the newest, and those named by ``--in-full``
(3.13, say) run everything else; the others run what depends on the interpreter most (`BETWEEN`), unless arguments say
what to run. A few tests that fail are run again, one at a time: on a busy machine, a test that kills a program at some
time may find it elsewhere than it expects. The summary names them. With WRONGCALL_SANITIZE=1, for which the extension
must have been built, the tests run under AddressSanitizer.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENVS = ROOT / ".venvs"
CACHES = ROOT / ".pytest_cache"
APART = {
    "tables": ["tests/cli/test_export.py", "tests/cli/test_reading.py"],
    "notebook": ["tests/notebook"],
    "contracts": ["tests/oracles/test_conditions.py"],
}
"""Tests that need packages of their own, by the name of their requirements."""
ONCE = ["-m", "not once"]
MAX_REPEATED = 5
"""Tests that are run again if no more than this many failed."""
BETWEEN = ["tests/recorder", "tests/languages", "tests/replay", "tests/cli/test_record.py"]


def main(words: list[str]) -> int:
    """Test each interpreter; print one summary line for each at the end."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--in-full", nargs="*", default=[], metavar="VERSION")
    parser.add_argument("arguments", nargs="*", metavar="PYTEST ARGUMENT")
    given = parser.parse_args(words)
    pythons = (VENVS / "ready").read_text().splitlines()
    last = len(pythons) - 1
    results = []
    for number, python in enumerate(pythons):
        in_full = number in (0, last) or minor(python) in given.in_full
        results.append(check(python, chosen(number, in_full, given.arguments)))
    if not given.arguments:
        for name, tests in APART.items():
            results.append(check(pythons[0], tests, packages=VENVS / name))
    print()
    for summary, _ in results:
        print(summary)
    for line in (VENVS / "skipped").read_text().splitlines():
        print(f"{line} (skipped)")
    return 0 if results and all(passed for _, passed in results) else 1


def chosen(number: int, in_full: bool, arguments: Collection[str]) -> list[str]:
    """Return the arguments for one of several interpreters."""
    between = [] if in_full or arguments else BETWEEN
    return [*(ONCE if number else []), *arguments, *between]


def check(
    python: str, arguments: list[str], caches: Path = CACHES, packages: Path | None = None
) -> tuple[str, bool]:
    """Run pytest, with these packages too; return a summary line, and whether it passed."""
    name, began = version(python), time.monotonic()
    print(f"\n{name}: pytest {' '.join(arguments)}".rstrip(), flush=True)
    cache = caches / minor(python)
    shutil.rmtree(cache, ignore_errors=True)
    common = [python, "-m", "pytest", "-o", f"cache_dir={cache}", *arguments]
    # The tests of a file share recordings, so they stay together.
    status, last_line = run(
        [*common, "-n", str(os.cpu_count() or 1), "--dist", "loadfile"], packages
    )
    failed = failed_tests(cache)
    verdict = "passed" if status == 0 else f"FAILED (exit status {status})"
    if status == 1 and 0 < len(failed) <= MAX_REPEATED:
        print(f"\n{name}: {len(failed)} failed; running them again, one at a time", flush=True)
        status, again = run(
            [*common, "-n", "0", "--last-failed", "--last-failed-no-failures=none"], packages
        )
        if status == 0:
            listed = "".join(f"\n    {test}" for test in failed)
            verdict = f"passed, but these only when run again alone:{listed}\n   "
        else:
            last_line = f"{last_line}; again, alone: {again}"
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    return f"{name}: {verdict} in {minutes}:{seconds:02}: {last_line}", status == 0


def run(command: list[str], packages: Path | None) -> tuple[int, str]:
    """Run pytest, passing on its output; return its exit status and its last line."""
    color = "yes" if sys.stdout.isatty() else "no"
    last_line = ""
    with subprocess.Popen(
        [*command, f"--color={color}"],
        cwd=ROOT, env=environment(packages), stdout=subprocess.PIPE, text=True, errors="replace",
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            last_line = line.strip().strip("=").strip() or last_line
    return process.returncode, last_line


def failed_tests(cache: Path) -> list[str]:
    """Return the tests that failed in the last run, as pytest has noted them."""
    try:
        return sorted(json.loads((cache / "v" / "cache" / "lastfailed").read_text()))
    except FileNotFoundError:
        return []


def version(python: str) -> str:
    code = "import platform; print('CPython', platform.python_version())"
    return subprocess.check_output([python, "-c", code], cwd=ROOT, text=True).strip()


def minor(python: str) -> str:
    """Return the version of an interpreter as people name it: 3.13."""
    return ".".join(version(python).removeprefix("CPython ").split(".")[:2])


def environment(packages: Path | None) -> dict[str, str]:
    """Return the environment of a test run; a sanitized extension needs its run-time library loaded."""
    variables = dict(os.environ)
    if packages is not None:
        variables["PYTHONPATH"] = str(packages)
    if variables.get("WRONGCALL_SANITIZE") == "1":
        library = subprocess.check_output(["gcc", "-print-file-name=libasan.so"], text=True)
        variables["LD_PRELOAD"] = library.strip()
        # A program that sends itself SIGSEGV must die of it as it does plain, without a report.
        variables.setdefault("ASAN_OPTIONS", "detect_leaks=0:handle_segv=0")
        variables.setdefault("PYTHONMALLOC", "malloc")
    return variables


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
