"""Imports of a recorded module are as lazy as without recording."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.bothways import TRACE, runs_the_same
from tests.recorder.conftest import Record, write_program
from wrongcall.recorder.lazy_imports import eager, with_flags_of

since_15 = pytest.mark.skipif(sys.version_info < (3, 15), reason="lazy imports are new in 3.15")

FILES = {
    "slow.py": "print('slow is loaded')\nvalue = 1\ndef f():\n    return value\n",
    "other.py": "print('other is loaded')\n",
    "broken.py": "print('broken is loaded')\n1 / 0\n",
}


def same(folder: Path, program: str, flags: tuple[str, ...] = ()) -> str:
    for name, text in FILES.items():
        write_program(folder, text, name)
    outcome = runs_the_same(folder, program, flags=list(flags))
    assert outcome.status == 0, outcome.stderr
    with wrongcall.recording.open(folder / TRACE) as recording:
        assert recording.unrecorded == []
    return outcome.stdout


@since_15
def test_a_lazy_import_loads_the_module_when_it_is_used(tmp_path: Path) -> None:
    program = """
        lazy import slow, sys, other as another
        lazy from slow import f as g, value
        print('before', type(globals()['slow']).__name__)
        print(value, g(), slow.f())
        print(type(globals()['slow']).__name__, type(globals()['another']).__name__)
    """
    assert same(tmp_path, program).splitlines() == [
        "before lazy_import",
        "slow is loaded",
        "1 1 1",
        "module lazy_import",
    ]


@since_15
@pytest.mark.parametrize("flags", [(), ("-X", "lazy_imports=all")])
def test_plain_imports_are_as_lazy_as_the_interpreter_makes_them(
    tmp_path: Path, flags: tuple[str, ...]
) -> None:
    program = """
        __lazy_modules__ = ['slow']
        import slow
        if slow is not None:
            import other; from other import __name__ as name
        print('before')
        try:
            import broken
        except ZeroDivisionError:
            print('caught')
        def f():
            import slow
            return slow.value
        print(f(), name)
    """
    shown = same(tmp_path, program, flags)
    loaded_late = shown.index("before") < shown.index("other is loaded")
    assert loaded_late == bool(flags)


@since_15
def test_a_lazy_import_that_fails_shows_both_places(tmp_path: Path) -> None:
    for name, text in FILES.items():
        write_program(tmp_path, text, name)
    program = "lazy import broken\ndef f():\n    return broken.x\nf()\n"
    outcome = runs_the_same(tmp_path, program)
    assert outcome.status == 1
    assert "ZeroDivisionError" in outcome.stderr
    assert "lazy import broken" in outcome.stderr


@since_15
def test_the_module_is_recorded_where_the_name_is_first_used(
    record: Record, tmp_path: Path
) -> None:
    for name, text in FILES.items():
        write_program(tmp_path, text, name)
    recorded = record(
        """\
        lazy import slow
        lazy import other
        def use():
            x = 1
            return slow.value  # line 5
        use()
        other = 7
        """
    )
    recording, call = recorded.recording, recorded.call("use")
    names = recording.states.globals("__main__")
    assert recorded.picture(names["slow"])[0] == "module"
    assert names["other"] == 7
    before = recording.states.globals("__main__", call.entered)
    assert recorded.picture(before["slow"], call.entered)[0] == "lazy_import"
    writes = recording.places.global_writes("__main__", "slow")
    assert [(w.call, w.line) for w in writes] == [(1, 1), (call.id, 5)]
    assert len(recording.places.global_writes("__main__", "other")) == 2


def test_imports_in_a_try_are_compiled_whatever_they_are() -> None:
    tree = ast.parse("try:\n    import a\nfinally:\n    from b import c\n")
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom)]
    for node in found:
        setattr(node, "is_lazy", 1)  # noqa: B010 - unknown to older type stubs
        eager(node)
    compile(tree, "prog.py", "exec")
    assert len(found) == 2


@since_15
def test_flags_follow_statements_on_one_line_and_long_arguments() -> None:
    names = "".join(f"x{i} = {i}\n" for i in range(300))
    source = f"{names}import a; lazy import b; lazy from c import d\n"
    plain = compile(source, "prog.py", "exec")
    tree = ast.parse(source)
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            eager(node)
    code = compile(tree, "prog.py", "exec")
    assert code.co_code != plain.co_code
    assert with_flags_of(plain, code).co_code == plain.co_code
