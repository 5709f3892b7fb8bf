"""Make the virtual environments that the make targets run in: `.venvs/X.Y`, one per interpreter.

    environments.py [--with LOCK ...] [PYTHON ...]
    environments.py --run-only [PYTHON]

Without PYTHON, it uses those of `find_pythons`. An environment has the locked requirements, the locks named with
--with, and wrongcall itself, editable, with its extension built in place. (The file names of the built extensions
contain the interpreter's version, so they can live side by side.) With --run-only, there is one environment,
`.venvs/run`, with what wrongcall needs to run.

System packages (headers, a compiler) are installed only with WRONGCALL_APT=yes, which `make APT=yes` sets; otherwise a
message says what is missing.

The first interpreter is the main one: it must work. Any other one for which the environment or the requirements fail is
skipped, with a message; but if wrongcall does not build, that is an error on any. The results are left in

    .venvs/uv        the environment of uv, which makes the others
    .venvs/main      link to the environment of the main interpreter
    .venvs/ready     the interpreters of all usable environments, the main one first
    .venvs/skipped   the interpreters that were skipped, and why

Each step leaves a stamp in its environment: a hash of everything that the step depends on. A step with an unchanged
hash has nothing to do, so a second run takes about a second.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import find_pythons
from find_pythons import Interpreter

ROOT = Path(__file__).resolve().parent.parent
VENVS = ROOT / ".venvs"
LOCK = ROOT / "requirements" / "dev.txt"
RUN_LOCK = ROOT / "requirements" / "run.txt"
APART = ("tables", "notebook", "contracts")
"""Requirements that only a few tests may import, each in a folder of its own, for the main interpreter."""
UV_LOCK = ROOT / "requirements" / "uv.txt"
UV = VENVS / "uv"
"""The environment of uv, which makes the others: ten times as fast as venv and pip."""
PACKAGE = ROOT / "src" / "wrongcall"
EXTENSIONS = {
    "recorder": "_native",
    "trace/format": "_packing",
    "replay": "_sequence",
    "analysis/effects": "_writers",
    "tree": "_kernels",
}
SHARED_HEADERS = PACKAGE / "native"
BUILD_SETTINGS = ("CC", "CFLAGS", "WRONGCALL_CFLAGS", "WRONGCALL_SANITIZE")


class SetupError(Exception):
    """The environment of an interpreter cannot be made."""


class BuildError(SetupError):
    """wrongcall itself does not build: not the interpreter's fault."""


@dataclass(frozen=True)
class Environment:
    """The virtual environment of one interpreter, and the steps that make it."""

    interpreter: Interpreter
    name: str = ""
    """The name of its folder; by default the version."""

    @property
    def folder(self) -> Path:
        return VENVS / (self.name or ".".join(map(str, self.interpreter.minor)))

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def make(self, locks: Sequence[Path]) -> None:
        self.create()
        for lock in locks:
            self.install_lock(lock)
        self.build_extension()
        self.install_wrongcall()

    def create(self) -> None:
        made_from = digest([], f"{self.interpreter.path} {self.interpreter.version}")
        if self.python.exists() and self.is_done("interpreter", made_from):
            return
        self.say("making", relative(self.folder))
        provide_packages(self.interpreter)
        run([UV / "bin" / "uv", "venv", "--clear", "--python", self.interpreter.path, self.folder])
        self.done("interpreter", made_from)

    def install_lock(self, lock: Path) -> None:
        content = digest([lock])
        if self.is_done(lock.stem, content):
            return
        self.say("installing", relative(lock))
        self.pip("install", "--require-hashes", "-r", lock)
        self.done(lock.stem, content)

    def build_extension(self) -> None:
        sources = extension_digest()
        tag = "".join(map(str, self.interpreter.minor))
        is_built = all(
            any((PACKAGE / package).glob(f"{name}.cpython-{tag}-*"))
            for package, name in EXTENSIONS.items()
        )
        if is_built and self.is_done("extension", sources):
            return
        self.say("building the extensions")
        jobs = f"--parallel={os.cpu_count() or 1}"
        build = ["setup.py", "--quiet", "build_ext", "--inplace", "--force", jobs, "--build-temp"]
        command = [str(self.python), *build, str(self.folder / "build")]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            raise BuildError("an extension does not build")
        self.done("extension", sources)

    def install_wrongcall(self) -> None:
        """Install the package around the extensions that were built in place."""
        settings = digest([ROOT / "pyproject.toml", ROOT / "setup.py"], str(ROOT))
        if self.is_done("wrongcall", settings):
            return
        self.say("installing wrongcall, editable")
        try:
            words: list[str | Path] = ["--no-build-isolation", "--no-deps", "--editable", ROOT]
            self.pip("install", *words, variables={"WRONGCALL_EXTENSIONS": "built"})
        except SetupError as exc:
            raise BuildError(str(exc)) from exc
        self.done("wrongcall", settings)

    def install_apart(self, name: str) -> None:
        lock = ROOT / "requirements" / f"{name}.txt"
        content = digest([lock])
        if self.is_done(name, content):
            return
        self.say("installing", relative(lock))
        self.pip("install", "--target", VENVS / name, "--require-hashes", "-r", lock)
        self.done(name, content)

    def is_done(self, step: str, depends_on: str) -> bool:
        stamp = self.folder / "stamps" / step
        return stamp.exists() and stamp.read_text() == depends_on

    def done(self, step: str, depends_on: str) -> None:
        stamp = self.folder / "stamps" / step
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(depends_on)

    def say(self, *words: str) -> None:
        print(f"{self.interpreter.name}:", *words, flush=True)

    def pip(self, *arguments: str | Path, variables: Mapping[str, str] | None = None) -> None:
        command = [UV / "bin" / "uv", "pip", arguments[0], "--python", self.python, *arguments[1:]]
        run(command, variables)


def provide_uv() -> None:
    """Make the environment of uv, with the Python that runs this."""
    stamp, content = UV / "lock", digest([UV_LOCK], sys.version)
    if stamp.exists() and stamp.read_text() == content:
        return
    own = find_pythons.probe(Path(sys.executable))
    if own is not None and not own.has_venv:
        package = f"{version_name(own)}-venv"
        install_packages([package], f"{sys.executable} cannot make virtual environments")
    print("installing uv", flush=True)
    run([sys.executable, "-m", "venv", "--clear", UV])
    install: list[str | Path] = ["install", "--require-hashes", "-r", UV_LOCK]
    run([UV / "bin" / "python", "-m", "pip", "--disable-pip-version-check", *install])
    stamp.write_text(content)


def main() -> int:
    """Make all environments; fail if the main one or an extension fails."""
    arguments = parse_arguments()
    interpreters = [probed(path) for path in arguments.pythons] or find_pythons.find()
    if not interpreters:
        return find_pythons.main()  # which reports that there are none
    try:
        provide_uv()
    except SetupError as exc:
        print(exc, file=sys.stderr)
        return 1
    if arguments.run_only:
        return make_to_run(interpreters[0])
    skipped: list[str] = []
    ready: list[Environment] = []
    failed = False
    for position, interpreter in enumerate(interpreters):
        environment = Environment(interpreter)
        try:
            environment.make([LOCK, *arguments.locks])
            for name in APART if position == 0 else ():
                environment.install_apart(name)
        except SetupError as exc:
            print(f"{interpreter.name}: {exc}", file=sys.stderr)
            failed = failed or position == 0 or isinstance(exc, BuildError)
            skipped.append(f"{interpreter.name}: {str(exc).splitlines()[0]}")
        else:
            ready.append(environment)
    report(ready, skipped)
    return 1 if failed else 0


def make_to_run(interpreter: Interpreter) -> int:
    """Make the environment for running wrongcall, and no more."""
    try:
        Environment(interpreter, "run").make([RUN_LOCK])
    except SetupError as exc:
        print(f"{interpreter.name}: {exc}", file=sys.stderr)
        return 1
    return 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--with", dest="locks", action="append", default=[], type=lambda path: ROOT / path
    )
    parser.add_argument("--run-only", action="store_true")
    parser.add_argument("pythons", nargs="*", metavar="PYTHON")
    return parser.parse_args()


def probed(name: str) -> Interpreter:
    path = shutil.which(name)
    interpreter = find_pythons.probe(Path(path)) if path else None
    if interpreter is None:
        oldest = ".".join(map(str, find_pythons.OLDEST))
        sys.exit(f"{name} is not a working CPython {oldest} or newer (with the global lock)")
    return interpreter


def provide_packages(interpreter: Interpreter) -> None:
    """Install what the system lacks for making environments and compiling, or say what to install."""
    missing = missing_packages(interpreter)
    if missing:
        install_packages(missing, f"{interpreter.path} lacks its headers or a C compiler")


def install_packages(missing: Sequence[str], reason: str) -> None:
    """Install Debian packages if the user asked for that; otherwise say how to."""
    names = " ".join(missing)
    if os.environ.get("WRONGCALL_APT") != "yes":
        raise SetupError(f"{reason}; install {names}, or let make do it: make APT=yes (as root)")
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise SetupError(f"{reason}; please install: {names} (names of Debian and Ubuntu)")
    print(f"installing {names} with apt-get", flush=True)
    quietly = {"DEBIAN_FRONTEND": "noninteractive"}
    run(["apt-get", "update"], quietly)
    run(["apt-get", "install", "--yes", "--no-install-recommends", *missing], quietly)


def missing_packages(interpreter: Interpreter) -> list[str]:
    missing = []
    if not interpreter.has_headers:
        missing.append(f"{version_name(interpreter)}-dev")
    if shutil.which(os.environ.get("CC", interpreter.compiler).split()[0]) is None:
        missing += ["gcc", "libc6-dev"]
    return missing


def version_name(interpreter: Interpreter) -> str:
    """Return the beginning of the names of an interpreter's Debian packages."""
    return f"python{'.'.join(map(str, interpreter.minor))}"


def run(command: Sequence[str | Path], settings: Mapping[str, str] | None = None) -> None:
    """Run a command silently; if it fails, its output is part of the error."""
    result = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **(settings or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if result.returncode:
        shown = " ".join(str(word) for word in command)
        raise SetupError(f"{shown} failed\n{result.stdout}")


def extension_digest() -> str:
    folders = [SHARED_HEADERS, *(PACKAGE / package / "native" for package in EXTENSIONS)]
    sources = sorted(path for folder in folders for path in folder.rglob("*.[ch]"))
    settings = [f"{name}={os.environ.get(name, '')}" for name in BUILD_SETTINGS]
    flags = PACKAGE / "interpreters" / "native_sources.py"
    return digest([ROOT / "setup.py", flags, *sources], *settings)


def digest(files: Iterable[Path], *words: str) -> str:
    """Return a hash of files (their names and contents) and words."""
    state = hashlib.sha256()
    for file in files:
        state.update(f"{file.name}\0".encode() + file.read_bytes() + b"\0")
    for word in words:
        state.update(word.encode() + b"\0")
    return state.hexdigest()


def report(ready: Sequence[Environment], skipped: Sequence[str]) -> None:
    """Write down which environments can be used."""
    VENVS.mkdir(exist_ok=True)
    (VENVS / "ready").write_text("".join(f"{made.python}\n" for made in ready))
    (VENVS / "skipped").write_text("".join(f"{line}\n" for line in skipped))
    if ready:
        main = VENVS / "main"
        main.unlink(missing_ok=True)
        main.symlink_to(ready[0].folder.name)


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


if __name__ == "__main__":
    sys.exit(main())
