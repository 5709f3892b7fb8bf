"""No invalid access: programs recorded by a native core that was built with AddressSanitizer.

A copy of the package with its own extension is built in build/fidelity, so that the installed one stays as it is. With
``PYTHONMALLOC=malloc`` every object is an allocation of its own, and a use after its death is detected. Each program
must end and print as it does plain, and the sanitizer must be silent. (The sanitizer does not look for leaks here: the
interpreter leaves much behind by design. The soak detects growing memory.)
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from fidelity.report import Options, Report, Reports, Row, by_name, table
from fidelity.runs import ROOT, WORK, Python, run_command, say, still

LIVES = ROOT / "fidelity" / "programs" / "lives"
TESTS = ROOT / "tests" / "programs"
PROGRAMS = [
    *(LIVES / f"{name}.py" for name in ("abandoned_generators", "finalizers", "million_objects")),
    *(LIVES / f"{name}.py" for name in ("recursion_limit", "threads")),
    *sorted(TESTS.glob("*.py")),
    *(TESTS / "harmless" / f"{name}.py" for name in ("awkward", "changing", "collector", "deep")),
    *(TESTS / "harmless" / f"{name}.py" for name in ("order", "private", "recursion", "values")),
]
REPORTED = "AddressSanitizer"


def run(python: Python, options: Options) -> Report:
    """Build, then run each program plain and under the sanitizer."""
    report = Report()
    package = _build(python)
    for program in PROGRAMS:
        if options.chosen([program.stem]):
            say(f"{python.version} {program.stem} under AddressSanitizer")
            report.rows.append(_check(python, program, package, report))
    return report


def _build(python: Python) -> Path:
    """Return a folder with a package whose extension is sanitized."""
    home = WORK / "sanitized" / python.version
    package = home / "package"
    shutil.rmtree(package, ignore_errors=True)
    ignored = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(ROOT / "src" / "wrongcall", package / "wrongcall", ignore=ignored)
    build = ["setup.py", "--quiet", "build_ext", "--build-temp", str(home / "objects")]
    command = [python.path, *build, "--build-lib", str(package)]
    subprocess.run(["env", "WRONGCALL_SANITIZE=1", *command], cwd=ROOT, check=True)
    return package


def _check(python: Python, program: Path, package: Path, report: Report) -> Row:
    with TemporaryDirectory(prefix="fidelity-") as work:
        folder = Path(work)
        shutil.copy(program, folder)
        malloc = {"PYTHONMALLOC": "malloc"}
        plain = python.run([program.name], folder, malloc)
        own = [*python.recording, "-o", "trace.wrongcall", program.name]
        env = {**malloc, **_environment(package)}
        done = run_command(own, folder, env, 900)
    problems = []
    if REPORTED in done.stderr:
        problems.append(done.stderr[done.stderr.index(REPORTED) :][:600])
    if (done.status, still(done.stdout)) != (plain.status, still(plain.stdout)):
        problems.append(
            f"ended with {done.status}, or printed something else: {done.stderr[-300:]}"
        )
    report.problems += [f"{program.stem}: {text}" for text in problems]
    return {"name": program.stem, "clean": not problems, "cpu": done.cpu}


def _environment(package: Path) -> dict[str, str]:
    library = subprocess.check_output(["gcc", "-print-file-name=libasan.so"], text=True).strip()
    options = "detect_leaks=0:detect_stack_use_after_return=0"
    return {"PYTHONPATH": str(package), "LD_PRELOAD": library, "ASAN_OPTIONS": options}


def tables(reports: Reports) -> str:
    """Return the programs, and on which interpreters the sanitizer was silent."""
    versions = list(reports)
    rows = [
        [
            name,
            *(
                ("silent" if found[v]["clean"] else "**not**") if v in found else ""
                for v in versions
            ),
        ]
        for name, found in by_name(reports).items()
    ]
    return table(["program under AddressSanitizer", *versions], rows)
