"""Measure what the pytest plugin adds to the start of pytest, in fresh interpreters.

An interpreter starts with pytest and what pytest needs, in a folder of links; every second one has wrongcall too, with
the list of files that an installed wheel has. (pytest reads the lists of all packages with plugins, to find the modules
in which it rewrites assertions: that takes longer than loading the plugin.) The processor time until pytest has read
its configuration and asked its plugins is compared.
"""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tables import Table

PLUGIN_BAR = 5.0
"""Milliseconds."""
NEEDED = ("pytest", "_pytest", "py.py", "pluggy", "iniconfig", "packaging", "pygments")
ROOT = Path(__file__).resolve().parent.parent
START = """
import sys, time
sys.path.insert(0, sys.argv[1])
import pytest
from _pytest.config import Config, _prepareconfig
spent = {}

def timed(owner, name):
    plain = getattr(owner, name)
    def method(*args, **options):
        began = time.process_time_ns()
        try:
            return plain(*args, **options)
        finally:
            spent[name] = spent.get(name, 0) + time.process_time_ns() - began
    setattr(owner, name, method)

timed(Config, "_mark_plugins_for_rewrite")
began = time.process_time_ns()
config = _prepareconfig(["--rootdir", sys.argv[2], "-c", sys.argv[2] + "/pytest.ini", sys.argv[2]])
config._do_configure()
whole = time.process_time_ns() - began
assert config.pluginmanager.has_plugin("wrongcall") == (sys.argv[3] == "with")
print(whole / 1e6, spent["_mark_plugins_for_rewrite"] / 1e6)
"""


class Start(NamedTuple):
    """The start of one pytest, in milliseconds of processor time."""

    whole: float
    lists: float
    """Reading lists of files."""


def plugin_table(rounds: int) -> tuple[Table, bool]:
    """Return a table, and whether the bar was kept."""
    plain, loaded = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tests").mkdir()
        (folder / "tests" / "pytest.ini").write_text("[pytest]\n")
        _provide(folder / "without")
        count = _provide(folder / "with", with_plugin=True)
        for warm in (True, *[False] * rounds):
            starts = [_started(folder, which) for which in ("without", "with")]
            if not warm:
                plain.append(starts[0])
                loaded.append(starts[1])
    lowest = [min(figures) for figures in zip(*loaded, strict=True)]
    before = [min(figures) for figures in zip(*plain, strict=True)]
    middle = [median(figures) for figures in zip(*loaded, strict=True)]
    middle_before = [median(figures) for figures in zip(*plain, strict=True)]
    added = [a - b for a, b in zip(lowest, before, strict=True)]
    medians = [a - b for a, b in zip(middle, middle_before, strict=True)]
    kept = added[0] <= PLUGIN_BAR
    rows = (
        ("pytest without the plugin", f"{before[0]:.1f} ({middle_before[0]:.1f})"),
        ("added by the plugin", f"{added[0]:.1f} ({medians[0]:.1f})"),
        (f"... of it, reading the list of {count} files", f"{added[1]:.1f} ({medians[1]:.1f})"),
        ("bar", f"{PLUGIN_BAR} {'kept' if kept else 'MISSED'}"),
    )
    title = "Milliseconds of processor time to start pytest: smallest (median)"
    return Table(title, ("part", "time"), rows), kept


def _provide(folder: Path, with_plugin: bool = False) -> int:
    """Make a folder to import from; return how many files wrongcall has in it."""
    folder.mkdir()
    site = Path(sysconfig.get_path("purelib"))
    for name in NEEDED:
        (folder / name).symlink_to(site / name)
        for about in site.glob(f"{name}-*.dist-info"):
            (folder / about.name).symlink_to(about)
    if not with_plugin:
        return 0
    package = ROOT / "src" / "wrongcall"
    (folder / "wrongcall").symlink_to(package)
    about = folder / "wrongcall-0.dist-info"
    about.mkdir()
    for name in ("METADATA", "entry_points.txt"):
        text = importlib.metadata.distribution("wrongcall").read_text(name)
        (about / name).write_text(text or "")
    files = [f for f in sorted(package.rglob("*")) if f.is_file() and "__pycache__" not in f.parts]
    lines = [f"{f.relative_to(ROOT / 'src')},sha256={'0' * 43},{f.stat().st_size}\n" for f in files]
    (about / "RECORD").write_text("".join(lines))
    return len(files)


def _started(folder: Path, which: str) -> Start:
    # Isolated, and without the packages of the environment.
    command = [sys.executable, "-I", "-S", "-c", START]
    command += [str(folder / which), str(folder / "tests"), which]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    return Start(*map(float, done.stdout.split()))
