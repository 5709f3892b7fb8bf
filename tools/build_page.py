"""Build the page from web/ into the package, with node and npm: `make web`.

    build_page.py [--maybe | --check | --format]

What npm installs is pinned by web/package-lock.json. A second run without changes does nothing: the stamps are hashes
of everything that a step depends on. With --maybe, it is not an error if the page cannot be built (no npm, or no
network for it): a message says so, and everything but `wrongcall web` works. With --check, the page's types and style
are checked instead; with --format, its sources are formatted and fixed as far as possible, if the tools for that are
installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from environments import ROOT, SetupError, digest, run

WEB = ROOT / "web"
PAGE = ROOT / "src" / "wrongcall" / "web" / "page"
STAMPS = ROOT / "build" / "page"
BUILT = ".built"
"""The file that records what the page was built from; it is shipped with the page, so that an sdist needs no node."""
OLDEST_NODE = 20
SCRIPTS = ("check", "format")
LEFT_OUT = "`wrongcall web` and its tests do not work without it; everything else does"


def main(arguments: list[str]) -> int:
    """Build; return the exit status."""
    script = next((name for name in SCRIPTS if f"--{name}" in arguments), None)
    try:
        run_script(script) if script else build()
    except SetupError as error:
        what = "the page has errors" if script else f"the page is not built ({LEFT_OUT})"
        print(f"{what}: {error}", file=sys.stderr)
        return 0 if "--maybe" in arguments else 1
    return 0


def build() -> None:
    """Install what the page needs and build it, if something changed."""
    sources = digest(page_sources())
    stamp = PAGE / BUILT
    if (PAGE / "index.html").exists() and stamp.exists() and stamp.read_text() == sources:
        return
    check_node()
    install()
    print("the page: building", flush=True)
    run(["npm", "--prefix", WEB, "run", "build"])
    stamp.write_text(sources)


def run_script(name: str) -> None:
    """Run a script of package.json on the page's sources, with the installed tools."""
    if not (WEB / "node_modules").exists():
        print(f"skipping {name} for the page: it is not built ({LEFT_OUT})")
        return
    run(["npm", "--prefix", WEB, "run", "--silent", name])


def page_sources() -> list[Path]:
    """Return all files that the page is built from."""
    folders = [WEB / "src", WEB / "public"]
    inside = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return sorted([*inside, *(path for path in WEB.iterdir() if path.is_file())])


def install() -> None:
    """Install what package-lock.json names."""
    lock = digest([WEB / "package-lock.json", WEB / "package.json"])
    if (WEB / "node_modules").exists() and is_done("installed", lock):
        return
    print("the page: installing web/package-lock.json", flush=True)
    try:
        run(["npm", "--prefix", WEB, "ci", "--no-audit", "--no-fund"])
    except SetupError as error:
        told = "\n".join(str(error).splitlines()[:12])
        raise SetupError(f"npm cannot install what it needs (no network?)\n{told}") from error
    done("installed", lock)


def check_node() -> None:
    """Raise an error if there is no usable node and npm."""
    missing = [name for name in ("node", "npm") if shutil.which(name) is None]
    if missing:
        raise SetupError(f"{' and '.join(missing)} not found; please install nodejs and npm")
    version = subprocess.check_output(["node", "--version"], text=True).strip()
    if int(version.removeprefix("v").split(".")[0]) < OLDEST_NODE:
        raise SetupError(f"node {version} is too old; {OLDEST_NODE} or newer is needed")


def is_done(step: str, depends_on: str) -> bool:
    """Return whether a step was done for this hash."""
    stamp = STAMPS / step
    return stamp.exists() and stamp.read_text() == depends_on


def done(step: str, depends_on: str) -> None:
    """Note that a step was done."""
    STAMPS.mkdir(parents=True, exist_ok=True)
    (STAMPS / step).write_text(depends_on)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
