"""The native extensions and the page; everything else about the package is in pyproject.toml."""

import os
import subprocess
import sys
from pathlib import Path
from runpy import run_path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

PACKAGE = Path("src/wrongcall")
START = "wrongcall.pth"
"""Looks for the variable WRONGCALL; installed beside the package."""
# wrongcall cannot be imported yet.
NATIVE = run_path(str(PACKAGE / "interpreters" / "native_sources.py"))


def native(part: str, name: str, *further: str) -> Extension:
    """Return the extension of a part of wrongcall."""
    return Extension(
        f"wrongcall.{part.replace('/', '.')}.{name}",
        sources=[str(path) for path in NATIVE["sources"](PACKAGE, part)],
        depends=[str(path) for path in NATIVE["headers"](PACKAGE, part)],
        include_dirs=[str(path) for path in NATIVE["include_folders"](PACKAGE, part)],
        extra_compile_args=[*further, *NATIVE["compile_flags"]()],
        extra_link_args=NATIVE["link_flags"](),
    )


def build_page() -> None:
    """Build the page into the package; without npm the package has none, and says so."""
    subprocess.run([sys.executable, "tools/build_page.py", "--maybe"], check=True)


class BuildWithPage(build_py):  # type: ignore[misc]
    """Builds the page before it is packed into a wheel, and packs the file that Python reads when it starts."""

    def run(self) -> None:
        if not self.editable_mode:
            build_page()
        super().run()
        if not self.editable_mode:
            self.copy_file(START, str(Path(self.build_lib) / START))

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        found: list[str] = super().get_outputs(include_bytecode)
        return found if self.editable_mode else [*found, str(Path(self.build_lib) / START)]


class SdistWithPage(sdist):  # type: ignore[misc]
    """Builds the page before it is packed into an sdist: who installs that needs no node."""

    def run(self) -> None:
        build_page()
        super().run()


def extensions() -> list[Extension]:
    """Return what is to be compiled: nothing if tools/environments.py has just built it in place."""
    if os.environ.get("WRONGCALL_EXTENSIONS") == "built":
        return []
    return [
        native("recorder", "_native"),
        # Loops over columns: the compiler may use vector instructions.
        native("trace/format", "_packing", "-ftree-vectorize", "-fvect-cost-model=dynamic"),
        native("replay", "_sequence"),
        native("analysis/effects", "_writers"),
        native("tree", "_kernels"),
    ]


setup(cmdclass={"build_py": BuildWithPage, "sdist": SdistWithPage}, ext_modules=extensions())
