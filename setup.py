"""The native extensions and the page; everything else about the package is in pyproject.toml.

WRONGCALL_SANITIZE=1 builds for AddressSanitizer; WRONGCALL_CFLAGS has further compiler flags.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

SHARED = Path("src/wrongcall/native")

compile_args = [
    "-O2",
    "-fvisibility=hidden",
    # Thread-local state is read in every hook: one instruction instead of a call.
    "-ftls-model=initial-exec",
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
    "-Wno-missing-field-initializers",
    "-Wno-cast-function-type",
]
link_args = []

if os.environ.get("WRONGCALL_SANITIZE") == "1":
    compile_args += ["-fsanitize=address", "-fno-omit-frame-pointer", "-g", "-O1"]
    link_args += ["-fsanitize=address"]

compile_args += shlex.split(os.environ.get("WRONGCALL_CFLAGS", ""))


def native(package: str, name: str, *further: str) -> Extension:
    """Return the extension of a package, whose sources are in and below its folder ``native``."""
    folder = Path("src/wrongcall", package, "native")
    headers = [*folder.rglob("*.h"), *SHARED.glob("*.h")]
    return Extension(
        f"wrongcall.{package.replace('/', '.')}.{name}",
        sources=sorted(str(path) for path in folder.rglob("*.c")),
        depends=sorted(str(path) for path in headers),
        include_dirs=[str(SHARED), str(folder)],
        extra_compile_args=[*further, *compile_args],
        extra_link_args=link_args,
    )


def build_page() -> None:
    """Build the page into the package; without npm the package has none, and says so."""
    subprocess.run([sys.executable, "tools/build_page.py", "--maybe"], check=True)


class BuildWithPage(build_py):  # type: ignore[misc]
    """Builds the page before it is packed into a wheel."""

    def run(self) -> None:
        if not self.editable_mode:
            build_page()
        super().run()


class SdistWithPage(sdist):  # type: ignore[misc]
    """Builds the page before it is packed into an sdist: who installs that needs no node."""

    def run(self) -> None:
        build_page()
        super().run()


setup(
    cmdclass={"build_py": BuildWithPage, "sdist": SdistWithPage},
    ext_modules=[
        native("recorder", "_native"),
        # Loops over columns: the compiler may use vector instructions.
        native("trace/format", "_packing", "-ftree-vectorize", "-fvect-cost-model=dynamic"),
        native("tree", "_kernels"),
    ],
)
