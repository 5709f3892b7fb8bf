"""The native core for an interpreter: the installed one, else one that is built once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from wrongcall.errors import RecorderError
from wrongcall.interpreters import native_build
from wrongcall.interpreters.cache import Cache
from wrongcall.interpreters.native_build import build, cached_name, native_for
from wrongcall.interpreters.probe import Facts

SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")


@pytest.fixture
def facts() -> Facts:
    """This interpreter, but with an ABI for which nothing is installed."""
    include = (sysconfig.get_path("include"),)
    version = tuple(sys.version_info[:3])
    compiler = sysconfig.get_config_var("CC")
    return Facts("CPython", version, sys.version, False, f".other{SUFFIX}", include, compiler)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with a native core of two small files."""
    package = tmp_path / "package"
    native = package / "recorder" / "native"
    (native / "inner").mkdir(parents=True)
    (package / "native").mkdir()
    (package / "native" / "shared.h").write_text("int answer(void);\n")
    (native / "inner" / "answer.c").write_text("int answer(void) { return 42; }\n")
    (native / "module.c").write_text(MODULE)
    monkeypatch.setattr(native_build, "PACKAGE", package)
    return package


MODULE = """
#include <Python.h>
#include "shared.h"
static PyObject *ask(PyObject *self, PyObject *none) { return PyLong_FromLong(answer()); }
static PyMethodDef methods[] = {{"ask", ask, METH_NOARGS, ""}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_native", "", -1, methods, NULL, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__native(void) { return PyModule_Create(&definition); }
"""

said: list[str] = []


@contextmanager
def announce(text: str) -> Iterator[None]:
    said.append(text)
    yield


@pytest.fixture(autouse=True)
def forget() -> None:
    said.clear()


def answer_of(path: str) -> str:
    """Return what the built module answers, in a process of its own."""
    code = (
        "import sys; from importlib.machinery import ExtensionFileLoader, ModuleSpec; import _imp;"
        "loader = ExtensionFileLoader('_native', sys.argv[1]);"
        "print(_imp.create_dynamic(ModuleSpec('_native', loader, origin=sys.argv[1])).ask())"
    )
    command = [sys.executable, "-c", code, path]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_installed_extension_is_used_if_it_fits(cache: Cache, facts: Facts) -> None:
    fitting = replace(facts, suffix=SUFFIX)
    installed = Path(native_build.PACKAGE, "recorder", f"_native{SUFFIX}")
    assert native_for(sys.executable, fitting, announce, cache) == str(installed)
    assert not said


def test_one_is_built_once(cache: Cache, facts: Facts, package: Path) -> None:
    path = native_for(sys.executable, facts, announce, cache)
    assert answer_of(path) == "42\n"
    assert path.endswith(facts.suffix)
    assert said == [f"building the recorder for {facts.title}, once"]
    built = Path(path).stat().st_mtime_ns
    assert native_for(sys.executable, facts, announce, cache) == path
    assert (len(said), Path(path).stat().st_mtime_ns) == (1, built)


def test_a_damaged_one_is_built_again(cache: Cache, facts: Facts, package: Path) -> None:
    path = Path(native_for(sys.executable, facts, announce, cache))
    path.write_bytes(path.read_bytes()[:5000])
    assert native_for(sys.executable, facts, announce, cache) == str(path)
    assert answer_of(str(path)) == "42\n"


def test_two_processes_build_it_once(
    cache: Cache, facts: Facts, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_build = native_build.build
    made: list[str] = []

    def build_noted(*args: object) -> bytes:
        made.append("built")
        return real_build(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(native_build, "build", build_noted)

    @contextmanager
    def another_was_faster(text: str) -> Iterator[None]:
        with cache.alone(cached_name(facts)):
            cache.keep(cached_name(facts), b"from another process")
        yield

    path = native_for(sys.executable, facts, another_was_faster, cache)
    assert Path(path).read_bytes().startswith(b"from another process")
    assert not made


def test_the_name_changes_with_all_that_it_depends_on(
    facts: Facts, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {cached_name(facts), cached_name(replace(facts, text="another build"))}
    names.add(cached_name(replace(facts, suffix=".cpython-399.so")))
    with monkeypatch.context() as patch:
        patch.setenv("WRONGCALL_CFLAGS", "-O0")
        names.add(cached_name(facts))
    with monkeypatch.context() as patch:
        patch.setenv("CC", "clang")
        names.add(cached_name(facts))
    with monkeypatch.context() as patch:
        patch.setattr(native_build, "__version__", "99")
        names.add(cached_name(facts))
    for changed in ("native/shared.h", "recorder/native/module.c"):
        with (package / changed).open("a") as file:
            file.write("\n")
        names.add(cached_name(facts))
    (package / "recorder" / "native" / "module.c").rename(package / "recorder/native/other.c")
    names.add(cached_name(facts))
    assert len(names) == 9


def _message(facts: Facts, cache: Cache) -> str:
    with pytest.raises(RecorderError) as raised:
        native_for("/x/python", facts, announce, cache)
    assert not said
    return str(raised.value)


def test_without_headers_the_message_says_what_to_install(
    cache: Cache, facts: Facts, package: Path
) -> None:
    minor = "{}.{}".format(*sys.version_info)
    assert _message(replace(facts, include=("/nowhere",)), cache) == (
        f"recording with /x/python ({facts.title}) needs its headers: Python.h was not found; install them"
        f" (Debian and Ubuntu: apt install python{minor}-dev), or install wrongcall for it:"
        " /x/python -m pip install wrongcall"
    )


def test_without_a_compiler_the_message_says_what_to_install(
    cache: Cache, facts: Facts, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    assert _message(facts, cache) == (
        f"recording with /x/python ({facts.title}) needs a C compiler: none was found; install one"
        " (Debian and Ubuntu: apt install gcc libc6-dev), or install wrongcall for it:"
        " /x/python -m pip install wrongcall"
    )
    monkeypatch.setenv("CC", "tcc -x")
    assert "needs a C compiler: CC is tcc -x, which is not on PATH;" in _message(facts, cache)


def test_the_compiler_of_the_interpreter_need_not_be_there(
    cache: Cache, facts: Facts, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CC", raising=False)
    elsewhere = replace(facts, compiler="/build/toolchain/clang -pthread")
    assert answer_of(native_for(sys.executable, elsewhere, announce, cache)) == "42\n"


def test_what_the_compiler_rejects_is_said_in_one_line(
    cache: Cache, facts: Facts, package: Path
) -> None:
    (package / "recorder" / "native" / "module.c").write_text("int x = y;\n")
    with pytest.raises(RecorderError) as raised:
        native_for(sys.executable, facts, announce, cache)
    text = str(raised.value)
    assert text.startswith(f"can't build the recorder for {facts.title}: ")
    assert "module.c:1" in text
    assert "error" in text
    assert "\n" not in text
    assert not [p for p in cache.folders[0].iterdir() if p.suffix != ".lock"]


def test_a_package_without_sources_says_so(cache: Cache, facts: Facts, package: Path) -> None:
    shutil.rmtree(package / "recorder")
    with pytest.raises(RecorderError, match="its sources are not installed"):
        native_for(sys.executable, facts, announce, cache)


def test_nothing_is_left_in_the_folder_for_temporary_files(
    cache: Cache, facts: Facts, package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    compiler = os.environ.get("CC", "cc").split()
    assert build(facts, compiler, list(facts.include)).startswith(b"\x7fELF")
    assert not list((tmp_path / "temporary").iterdir())
