"""What two texts of a module have in common."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import pytest

from wrongcall.languages.python.compiled import (
    Compiled,
    changed_functions,
    changed_themselves,
    define_the_same,
    makes_generators,
    mentioned,
)
from wrongcall.trace.format.program_tables import Function

BASE = """
    import os
    from functools import lru_cache

    RATES = {"eu": 20}
    LIMIT = 3

    @lru_cache
    def cached(n, most=LIMIT):
        return n

    def outer(n):
        def inner(k):
            return k + n
        return inner

    class Base:
        size = 1

        def get(self):
            return self.__hidden

        def made(self):
            return [lambda: n for n in range(3)], (n for n in range(3))
    """
KINDS = {"<module>": "module", "Base": "class"}
OUTER = {"outer.<locals>.inner": "outer", "Base.get": "Base", "Base.made": "Base"}
OUTER["Base.made.<locals>.<lambda>"] = "Base.made"
NAMES = ["<module>", "cached", "outer", "Base", *OUTER]


def function(name: str) -> Function:
    """Return a function as a trace describes it."""
    outer = OUTER.get(name, "<module>")
    number = NAMES.index(name) + 1
    above = 0 if name == "<module>" else NAMES.index(outer) + 1
    kind = KINDS.get(name, "function")
    last = name.rpartition(".")[2]
    return Function(number, 1, last, name, kind, 1, 1, above, (), (), (), 0, (), ())


def _plain(number: int, name: str) -> Function:
    return replace(function("cached"), id=number, name=name, qualname=name)


def compiled(*changes: tuple[str, str]) -> Compiled:
    """Return the module, with some texts replaced."""
    text = textwrap.dedent(BASE)
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return Compiled(text)


def changed(*changes: tuple[str, str]) -> set[str]:
    """Return the names of the functions that a change changes."""
    found = changed_functions(compiled(), compiled(*changes), map(function, NAMES))
    return {NAMES[number - 1] for number in found}


def same_definitions(*changes: tuple[str, str], uses: frozenset[str] = frozenset()) -> bool:
    """Return whether the module defines the same after a change."""
    one, other = compiled().defined, compiled(*changes).defined
    return define_the_same(one, other, one.reads | other.reads, uses)


def themselves(*changes: tuple[str, str]) -> set[str]:
    """Return the names of the functions that execute other statements themselves."""
    found = changed_themselves(compiled(), compiled(*changes), map(function, NAMES))
    return {NAMES[number - 1] for number in found}


def test_defining_a_function_is_the_same_whatever_it_does() -> None:
    assert themselves(("k + n", "k - n")) == {"outer.<locals>.inner"}
    assert themselves(("self.__hidden", "self.__other")) == {"Base.get"}
    assert themselves(("lambda: n", "lambda: -n")) == {"Base.made.<locals>.<lambda>"}
    # Comprehensions run in place; what becomes a variable of another function is kept differently.
    assert themselves(("for n in range(3)],", "for n in range(4)],")) == {"Base.made"}
    assert themselves(("return k + n", "return k")) == {"outer", "outer.<locals>.inner"}
    assert themselves(("most=LIMIT", "most=4")) == {"<module>"}
    assert themselves(("size = 1", "size = 2")) == {"Base"}
    assert themselves(("return n\n", "return 1 +\n")) == set(NAMES)
    assert themselves() == set()


def test_comments_and_formatting_make_no_difference() -> None:
    assert changed(("return n\n", "return (\n        n  # as it is\n    )\n")) == set()
    assert changed(("import os", "# what for?\n\n\nimport os")) == set()


def test_a_function_belongs_to_what_defines_it() -> None:
    assert changed(("k + n", "k - n")) == {"outer.<locals>.inner", "outer", "<module>"}
    assert changed(("lambda: n", "lambda: -n")) == {
        "Base.made.<locals>.<lambda>",
        "Base.made",
        "Base",
        "<module>",
    }


def test_decorators_and_defaults_belong_to_what_defines_a_function() -> None:
    assert changed(("@lru_cache\n", "@lru_cache(3)\n")) == {"<module>"}
    assert changed(("most=LIMIT", "most=4")) == {"<module>"}
    assert changed(("size = 1", "size = 2")) == {"Base", "<module>"}


@pytest.mark.parametrize(
    "change, names",
    [
        (("def outer(n):\n", "def outer(m):\n    global n\n"), {"outer", "outer.<locals>.inner"}),
        (("class Base", "class Other"), set(NAMES) - {"cached", "outer", "outer.<locals>.inner"}),
        (
            ("import os", "from __future__ import annotations\nimport os"),
            set(NAMES),
        ),
        (("return n\n", "return 1 +\n"), set(NAMES)),
        (("def cached", "def cached2"), {"cached"}),
    ],
)
def test_what_code_means_in_its_surroundings_counts(
    change: tuple[str, str], names: set[str]
) -> None:
    assert changed(change) >= names


def test_equal_constants_of_other_types_are_different() -> None:
    one = Compiled("def f():\n    return 1, 0.0, (True,)\n")
    known = [function("<module>"), _plain(2, "f")]
    assert changed_functions(one, Compiled(one.text.replace(" 1", "  1")), known) == set()
    for text in ("1.0, 0.0, (True,)", "1, -0.0, (True,)", "1, 0.0, (1,)"):
        other = Compiled(f"def f():\n    return {text}\n")
        assert changed_functions(one, other, known) == {1, 2}


def test_several_functions_of_one_name_are_different_together() -> None:
    texts = [f"if x:\n    def f(): return 1\nelse:\n    def f(): return {n}\n" for n in "23"]
    known = [function("<module>"), _plain(2, "f")]
    one, other = map(Compiled, texts)
    assert changed_functions(one, other, known) == {1, 2}


def test_functions_with_generator_expressions_are_known() -> None:
    found = {name for name in NAMES if makes_generators(compiled(), function(name))}
    assert found == {"<module>", "Base", "Base.made"}
    assert makes_generators(compiled(), _plain(9, "x"))


@pytest.mark.parametrize(
    "change",
    [
        ("return n\n", "return -n\n"),
        ("RATES = {'eu': 20}".replace("'", '"'), 'RATES = {"eu": 21}'),
        ("import os", "import os, re"),
        ("import os", '"""About it."""\nimport os'),
        ("lambda: n", "lambda: -n"),
    ],
)
def test_bodies_data_and_unused_imports_do_not_change_what_is_defined(
    change: tuple[str, str],
) -> None:
    assert same_definitions(change)


@pytest.mark.parametrize(
    "change",
    [
        ("LIMIT = 3", "LIMIT = 4"),  # a default is made of it
        ("@lru_cache\n", "@lru_cache(3)\n"),
        ("most=LIMIT", "most=4"),
        ("class Base:", "class Base(dict):"),
        ("size = 1", "size = 2"),
        ("    def get(self)", "    def __len__(self):\n        return 1\n\n    def get(self)"),
        ("def outer", "def more():\n    pass\n\ndef outer"),
        ("import os", "import os, shop"),
        ("RATES = ", "max = "),
        ("def outer(n)", "def outer(n: int)"),
    ],
)
def test_other_definitions_are_noticed(change: tuple[str, str]) -> None:
    assert not same_definitions(change)


def test_a_name_that_the_same_code_uses_must_be_bound_to_the_same() -> None:
    change = ("import os", "import os.path as os")
    assert same_definitions(change)
    assert not same_definitions(change, uses=frozenset({"os"}))
    uses = compiled().uses("Base.made")
    assert "range" in uses
    assert "os" not in uses


def test_modules_that_a_text_may_import_are_found() -> None:
    text = 'import a.b\nfrom .c import d\nload("e.f")\nload("no module")\n'
    assert mentioned(text) == {"a", "b", "c", "d", "e", "f"}
    assert mentioned("import (") >= {"import"}
