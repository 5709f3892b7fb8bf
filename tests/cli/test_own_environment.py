"""wrongcall in an environment of its own records programs of another one, as after ``uv tool install``.

wrongcall is installed with the interpreter of the tests, without the extensions for others; each project has an
interpreter of another version, and a package that only it has.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest

import wrongcall
from tests.interpreters.conftest import base_interpreters

PACKAGE = Path(wrongcall.__file__).parent

PROGRAM = """
import importlib.metadata
import sys

import onlyhere


def double(n):
    return onlyhere.add(n, n)


print(onlyhere.__file__, "%d.%d" % sys.version_info[:2], sys.prefix, double(21))
print(importlib.metadata.version("onlyhere"), [d.name for d in importlib.metadata.distributions()])
print([name for name in sys.modules if name.startswith("wrongcall")])
try:
    import wrongcall
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install wrongcall into an environment of its own; return its command."""
    folder = tmp_path_factory.mktemp("tool")
    site = make_environment(sys.executable, folder / "venv")
    fitting = sysconfig.get_config_var("EXT_SUFFIX")
    shutil.copytree(
        PACKAGE,
        site / "wrongcall",
        ignore=lambda _, names: [
            n
            for n in names
            if n == "__pycache__" or (n.endswith(".so") and not n.endswith(fitting))
        ],
    )
    # The libraries that wrongcall needs, as installed for the tests.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    command = folder / "venv" / "bin" / "wrongcall"
    start = "import sys\nfrom wrongcall.cli.main import main\nsys.exit(main())\n"
    command.write_text(f"#!{folder}/venv/bin/python\n{start}")
    command.chmod(0o755)
    return command


def make_environment(python: str, folder: Path) -> Path:
    """Make a virtual environment; return the folder for its packages."""
    subprocess.run([python, "-m", "venv", "--without-pip", str(folder)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    return site


@dataclass(frozen=True)
class Project:
    """A project with an environment of its own."""

    folder: Path
    home: Path
    version: str

    @property
    def python(self) -> str:
        return str(self.folder / ".venv" / "bin" / "python")

    def run(self, *command: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the project, as its developer."""
        unwanted = ("VIRTUAL_ENV", "CONDA_PREFIX", "XDG_CACHE_HOME", "PYTHONPATH")
        kept = {k: v for k, v in os.environ.items() if k not in unwanted}
        # Compiled without optimisation: the tests need not be fast.
        own = {"HOME": str(self.home), "WRONGCALL_CFLAGS": "-O0"}
        return subprocess.run(
            command, cwd=self.folder, env={**kept, **own, **environ},
            capture_output=True, text=True, check=False, input="",
        )  # fmt: skip


def write_package(site: Path) -> None:
    """Install a package by hand."""
    (site / "onlyhere").mkdir()
    (site / "onlyhere" / "__init__.py").write_text("def add(a, b):\n    return a + b\n")
    info = site / "onlyhere-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: onlyhere\nVersion: 1.5\n")
    (info / "RECORD").write_text("onlyhere/__init__.py,,\n")


@pytest.fixture(scope="module", params=sorted(base_interpreters()) or ["no other"])
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with an interpreter of another version, and no wrongcall."""
    others = base_interpreters()
    if not others:
        pytest.skip("there is no interpreter of another version in .venvs/ready")
    folder = tmp_path_factory.mktemp(f"project-{request.param}")
    home = tmp_path_factory.mktemp("home")
    write_package(make_environment(others[request.param], folder / ".venv"))
    (folder / "pyproject.toml").write_text("[project]\nname = 'shop'\n")
    (folder / "prog.py").write_text(PROGRAM)
    return Project(folder, home, request.param)


def files(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    """Return all files below a folder, with their times and contents."""
    found: dict[str, tuple[int, bytes | str]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path)] = (path.lstat().st_mtime_ns, str(path.readlink()))
        elif path.is_file():
            found[str(path)] = (path.stat().st_mtime_ns, path.read_bytes())
        else:
            found[str(path)] = (0, "folder")
    return found


def still(text: str) -> str:
    """Without what differs from run to run."""
    return re.sub(r"[\d,]+ events in [\d.]+ s -> (.*) \(.*\)", r"N events -> \1", text)


def test_a_program_runs_in_its_own_environment(tool: Path, project: Project) -> None:
    plain = project.run(project.python, "prog.py")
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.endswith("No module named 'wrongcall'\n")
    before = files(project.folder)

    done = project.run(tool, "record", "prog.py")
    assert (done.stdout, done.returncode) == (plain.stdout, 0)
    full = ".".join(map(str, _version(project)))
    python_line = (
        f"wrongcall: the program's Python is {full}, {project.python} (.venv in the project root)\n"
    )
    assert still(done.stderr) == (
        f"wrongcall: building the recorder for CPython {full}, once ...\n"
        f"{python_line}"
        "wrongcall: 2 calls, N events -> prog.wrongcall\n"
    )
    again = project.run(tool, "record", "prog.py")
    assert again.stdout == plain.stdout
    assert still(again.stderr) == f"{python_line}wrongcall: 2 calls, N events -> prog.wrongcall\n"

    (project.folder / "prog.wrongcall").unlink()
    assert files(project.folder) == before
    assert [p.name for p in project.home.iterdir()] == [".cache"]


def _version(project: Project) -> tuple[int, ...]:
    done = project.run(project.python, "-c", "import sys; print(*sys.version_info[:3])")
    return tuple(map(int, done.stdout.split()))


def test_the_active_environment_wins_and_info_says_so(tool: Path, project: Project) -> None:
    other = project.folder.parent / f"{project.folder.name}-elsewhere"
    other.mkdir()
    shutil.copy(project.folder / "prog.py", other)
    active = str(project.folder / ".venv")
    done = project.run(tool, "record", "-o", "a.wrongcall", f"{other}/prog.py", VIRTUAL_ENV=active)
    assert done.returncode == 0, done.stderr
    told = project.run(tool, "info", "a.wrongcall").stdout
    assert f"python   {'.'.join(map(str, _version(project)))} " in told
    assert f"{project.python} (the active virtual environment)\n" in told


def test_modules_and_questions_use_the_programs_environment_too(
    tool: Path, project: Project
) -> None:
    done = project.run(tool, "run", "-o", "b.wrongcall", "-m", "prog")
    assert f"{project.python} (.venv in the project root)" in done.stderr
    assert f"onlyhere/__init__.py {project.version} " in done.stdout
    tree = project.run(tool, "tree", "b.wrongcall").stdout
    assert "double(n=21) -> 42" in tree


def test_the_programs_own_choice_is_named_on_the_command_line(tool: Path, project: Project) -> None:
    done = project.run(tool, "record", "-o", "c.wrongcall", "--python", sys.executable, "prog.py")
    assert "ModuleNotFoundError: No module named 'onlyhere'" in done.stderr
    named = project.run(tool, "record", "-o", "c.wrongcall", "--python", ".venv", "prog.py")
    assert named.returncode == 0, named.stderr
    assert "(given with --python)" in named.stderr


FLAGS = (
    "import sys; print(sys.flags.dev_mode, sys.flags.no_user_site, sys.flags.ignore_environment)\n"
)


def test_options_of_python_go_to_the_programs_python(tool: Path, project: Project) -> None:
    (project.folder / "flags.py").write_text(FLAGS)
    python, record = tool.with_name("python"), ("wrongcall", "record", "-o", "e.wrongcall")
    done = project.run(python, "-X", "dev", "-m", *record, "flags.py")
    assert done.stdout == "True 0 0\n", done.stderr
    done = project.run(python, "-s", tool, *record[1:], "flags.py")
    assert done.stdout == "False 1 0\n", done.stderr


def test_options_in_the_command_itself_are_for_wrongcall(tool: Path, project: Project) -> None:
    (project.folder / "flags.py").write_text(FLAGS)
    distributed = tool.with_name("wrongcall-sE")
    first, rest = tool.read_text().split("\n", 1)
    distributed.write_text(f"{first} -sE\n{rest}")
    distributed.chmod(0o755)
    done = project.run(distributed, "record", "-o", "f.wrongcall", "flags.py")
    assert done.stdout == "False 0 0\n", done.stderr


def test_a_project_with_a_wrongcall_of_its_own_is_asked_about(
    tool: Path, project: Project, tmp_path: Path
) -> None:
    """It must be taken neither for the recorder nor for the one that asks."""
    (tmp_path / "wrongcall").mkdir()
    (tmp_path / "wrongcall" / "__init__.py").write_text("answer = 42\n")
    (tmp_path / "wrongcall" / "__main__.py").write_text("raise SystemExit('the wrong one')\n")
    (tmp_path / "prog.py").write_text("import wrongcall\nprint(wrongcall.answer)\n")
    there = Project(tmp_path, project.home, project.version)
    done = there.run(tool, "run", "--python", project.python, "prog.py")
    assert done.stdout.startswith("42\n"), done.stderr
    assert (tmp_path / "prog.wrongcall").exists()


def test_a_read_only_home_does_not_matter(tool: Path, project: Project, tmp_path: Path) -> None:
    """The extension is kept in the folder for temporary files."""
    home = tmp_path / "home"
    home.touch()  # not even a folder
    (tmp_path / "temporary").mkdir()
    done = project.run(
        tool, "record", "-o", "d.wrongcall", "prog.py", HOME=str(home), TMPDIR=str(tmp_path / "temporary"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (kept,) = (tmp_path / "temporary").iterdir()
    assert kept.name == f"wrongcall-{os.geteuid()}"
    assert list(kept.glob("native-*.so"))
