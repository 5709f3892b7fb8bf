"""The recorder's modules are loaded from their folder, and the program sees none of them."""

from __future__ import annotations

from pathlib import Path

from tests.recorder.bothways import plain, runs_the_same
from wrongcall.recorder import hidden_import

FOLDER = Path(hidden_import.__file__).parent

LOAD = f"""
import sys
start = {{"__name__": "hidden", "__builtins__": __builtins__.__dict__}}
before = list(sys.modules)
exec(open({str(FOLDER / "hidden_import.py")!r}).read(), start)
hidden = start["HiddenImport"]({f"{FOLDER}/"!r})
"""


def test_every_module_can_be_loaded_and_none_is_seen(tmp_path: Path) -> None:
    parts = sorted(
        path.stem for path in FOLDER.glob("*.py") if path.stem not in ("__init__", "start")
    )
    assert "boot" in parts
    program = f"""{LOAD}
modules = [hidden.load(part) for part in {parts}]
print([m.__name__.rpartition(".")[2] for m in modules] == {parts})
print(sorted({{*sys.modules}} - {{*before}} - {{"_collections"}}))
"""
    done = plain(tmp_path, "-c", program)
    assert (done.stdout, done.stderr) == ("True\n[]\n", "")


def test_a_module_is_loaded_once(tmp_path: Path) -> None:
    program = f"""{LOAD}
print(hidden.load("nodes").keep_builtins is hidden.load("scopes").keep_builtins)
print(hidden.load("nodes").ast is hidden.load("scopes").ast)
"""
    assert plain(tmp_path, "-c", program).stdout == "True\nTrue\n"


def test_an_extension_for_another_interpreter_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "_native.cpython-39-x86_64-linux-gnu.so"
    program = f"{LOAD}\nhidden.native = {str(other)!r}\nhidden.load('_native')"
    done = plain(tmp_path, "-c", program)
    assert done.status == 1
    assert done.stderr.startswith(f"wrongcall: {other} is not made for ")


IMPORTS = """
import sys
for name in ("wrongcall", "wrongcall.recorder", "wrongcall.recorder.loader", "wrongcall.recorder._native"):
    try:
        module = __import__(name, None, None, ["*"])
        print(name, module.__file__, sorted(n for n in vars(module) if n != "__cached__"))
    except ImportError as error:
        print(type(error), error)
print(sorted(n for n in sys.modules if n.startswith("wrongcall")))
"""


def test_a_program_imports_the_wrongcall_that_it_has(tmp_path: Path) -> None:
    own = {"wrongcall/__init__.py": "", "wrongcall/recorder.py": "mine = 1"}
    seen = runs_the_same(tmp_path, {**own, "prog.py": IMPORTS}, command=True)
    assert f"{tmp_path}/wrongcall/recorder.py ['__builtins__'" in seen.stdout
    assert "No module named 'wrongcall.recorder.loader'" in seen.stdout


def test_a_program_imports_the_wrongcall_that_records_it(tmp_path: Path) -> None:
    assert str(FOLDER) in runs_the_same(tmp_path, IMPORTS).stdout
