"""Build the sdist and a wheel, install each into an empty environment, and use it: `make package`.

    check_package.py

The installed package must find the bug of the tutorial's example, contain the page, and record with an interpreter of
another version, if there is one. It runs in a folder of its own,
so that nothing is imported from this checkout.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import find_pythons
from demo import ANSWERS
from environments import PACKAGE, ROOT, SetupError, run

from wrongcall.interpreters import native_sources

DIST = ROOT / "dist"
EXAMPLE = ROOT / "examples" / "inventory.py"
FINDING = "The bug is in Item.put_back"


def main() -> int:
    """Build, install and try; return the exit status."""
    try:
        build()
        wheel, sdist = only("*.whl"), only("*.tar.gz")
        check_contents(wheel)
        for package in (wheel, sdist):
            try_out(package)
    except SetupError as error:
        print(f"the package does not work: {error}", file=sys.stderr)
        return 1
    return 0


def build() -> None:
    """Build the sdist, and the wheel from it."""
    shutil.rmtree(DIST, ignore_errors=True)
    print("the package: building the sdist, and a wheel from it", flush=True)
    run([sys.executable, "-m", "build", "--outdir", DIST, ROOT])


def only(pattern: str) -> Path:
    """Return the one file in dist/ that matches."""
    (found,) = DIST.glob(pattern)
    return found


def check_contents(wheel: Path) -> None:
    """Raise an error if a wheel lacks the page, an extension, or a source of the recorder's extension."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    needed = [
        *native_sources.sources(PACKAGE, "recorder"),
        *native_sources.headers(PACKAGE, "recorder"),
    ]
    for source in needed:
        if (name := f"wrongcall/{source.relative_to(PACKAGE)}") not in names:
            raise SetupError(
                f"{wheel.name} has no {name}, so it can't record with other interpreters"
            )
    if "wrongcall.pth" not in names:
        raise SetupError(f"{wheel.name} has no wrongcall.pth, so WRONGCALL=record does nothing")
    for wanted in (
        "web/page/index.html",
        "recorder/_native.",
        "trace/format/_packing.",
        "replay/_sequence.",
        "analysis/effects/_writers.",
        "tree/_kernels.",
    ):
        if not any(name.startswith(f"wrongcall/{wanted}") for name in names):
            raise SetupError(f"{wheel.name} has no {wanted}")


def try_out(package: Path) -> None:
    """Install a package into an empty environment, and find the bug of an example with it."""
    print(f"the package: installing and trying {package.name}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run([sys.executable, "-m", "venv", folder / "venv"])
        python = folder / "venv" / "bin" / "python"
        run([python, "-m", "pip", "--disable-pip-version-check", "install", package])
        shutil.copy(EXAMPLE, folder)
        answers = "".join(f"{answer}\n" for answer in ANSWERS)
        told = output([folder / "venv" / "bin" / "wrongcall", "run", EXAMPLE.name], folder, answers)
        if FINDING not in told:
            raise SetupError(f"{package.name} did not find the bug:\n{told}")
        code = "from wrongcall.web.assets import load_assets; load_assets()"
        output([python, "-c", code], folder)
        try_another_python(folder)


def try_another_python(folder: Path) -> None:
    """Record with an interpreter of another version, for which the extension must be built."""
    own = sys.version_info[:2]
    others = [
        found.path for found in find_pythons.find() if found.minor != own and found.has_headers
    ]
    if not others:
        print("the package: there is no other interpreter to record with", flush=True)
        return
    print(f"the package: recording with {others[-1]}", flush=True)
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    command = folder / "venv" / "bin" / "wrongcall"
    record: list[str | Path] = [command, "record", "--force", "--python", others[-1], EXAMPLE.name]
    output(record, folder, environment=environment)
    told = output([command, "info", EXAMPLE.with_suffix(".wrongcall").name], folder)
    if others[-1] not in told:
        raise SetupError(f"the program did not run with {others[-1]}:\n{told}")


def output(
    command: list[str | Path],
    folder: Path,
    given: str = "",
    environment: Mapping[str, str] | None = None,
) -> str:
    """Return what a command prints; raise an error if it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        input=given,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        shown = " ".join(map(str, command))
        raise SetupError(f"{shown} failed\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
