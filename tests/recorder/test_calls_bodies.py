"""The bodies of classes and modules are calls, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recorder.conftest import Record, write_program
from tests.recorder.outline import lines, outline


def test_class_and_module_bodies(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        class Outer:
            "A docstring."
            a = f(1)  # a

            class Inner(f(object)):  # inner
                b = f(2)  # b

        def make():
            class Local:  # local
                c = f(3)  # c
            return None

        make()  # make
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          class Outer @4 -> None
            f(x=1) @a -> 1
            f(x=<type>) @inner -> <type>
            class Outer.Inner @inner -> None
              f(x=2) @b -> 2
          make() @make -> None
            class make.<locals>.Local @local -> None
              f(x=3) @c -> 3
        """
    )


def test_the_body_of_a_class_may_fail(record: Record) -> None:
    done = record(
        """\
        try:
            class C:  # body
                x = 1 // 0
        except ZeroDivisionError:
            pass
        """
    )
    with pytest.raises(ZeroDivisionError) as error:
        1 // 0  # noqa: B018 - its message is another one from 3.14 on
    assert outline(done, "C") == f"class C @body raises {error.value!r}"


def test_modules_imported_from_a_function(record: Record, tmp_path: Path) -> None:
    write_program(tmp_path, "def g(x):\n    return x\n\ng(7)  # body\n", "other.py")
    write_program(tmp_path, "", "pkg/__init__.py")
    write_program(tmp_path, "from other import g\n\ng(8)  # sub\n", "pkg/sub.py")
    done = record(
        """\
        import importlib

        def f(x):
            return x

        def main():
            f(1)  # before
            import other  # plain
            from pkg import sub  # package
            import other  # again
            other.g(9)  # call
            return f(2)  # after

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 2
          f(x=1) @before -> 1
          module other @plain -> None
            g(x=7) @body -> 7
          module pkg @package -> None
          module pkg.sub @package -> None
            g(x=8) @sub -> 8
          g(x=9) @call -> 9
          f(x=2) @after -> 2
        """
    )


def test_modules_imported_by_a_call(record: Record, tmp_path: Path) -> None:
    write_program(tmp_path, "value = 1\n", "first.py")
    write_program(tmp_path, "value = 2\n", "second.py")
    done = record(
        """\
        import importlib

        def main():
            a = importlib.import_module("first")  # function
            b = __import__("second")  # builtin
            importlib.reload(a)  # reload
            return a.value + b.value

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 3
          module first @function -> None
          module second @builtin -> None
          module first @reload -> None
        """
    )
