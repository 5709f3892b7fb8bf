"""The parts of functions: what is inside what, and what begins them."""

from __future__ import annotations

import ast
import textwrap

from wrongcall.languages.python.outline import Outline, PartKind, outline_of
from wrongcall.languages.python.python_file import PythonFile


def outline(source: str) -> Outline:
    file = PythonFile(textwrap.dedent(source))
    assert file.tree is not None
    return outline_of(file, file.tree.body[0])


def told(source: str) -> list[tuple[int, str, int, str]]:
    return [(p.depth, p.kind.value, p.line, p.text) for p in outline(source).parts]


def test_a_round_has_the_header_of_its_loop_and_its_body() -> None:
    assert told("""\
        def f(xs):
            for x in xs:
                if x > 1:
                    g(x)
            else:
                h()
    """) == [
        (0, "body", 1, "def f(xs)"),
        (1, "loop", 2, "for x in xs"),
        (2, "round", 2, "for x in xs"),
        (3, "condition", 2, "for x in xs"),
        (2, "condition", 2, "for x in xs"),
        (3, "branch", 3, "if x > 1"),
        (4, "condition", 3, "x > 1"),
        (4, "statement", 4, "g(x)"),
        (2, "statement", 6, "h()"),
    ]


def test_an_endless_loop_has_no_condition() -> None:
    found = outline("def f():\n    while True:\n        g()\n")
    assert not [part for part in found.parts if part.kind is PartKind.CONDITION]
    assert found.parts[found.by_line[2]].kind is PartKind.ROUND


def test_statements_on_one_line_are_one_part() -> None:
    found = outline("def f():\n    a = 1; b = 2\n    if a: b = 3\n")
    assert found.parts[found.by_line[2]].text == "a = 1; b = 2"
    assert found.parts[found.taken[3]].text == "b = 3"


def test_each_clause_of_a_comprehension_has_rounds() -> None:
    found = outline("def f(xs):\n    return [x * y for x in xs for y in g(x) if y]\n")
    rounds = [part for part in found.parts if part.kind is PartKind.ROUND]
    assert [part.is_comprehension for part in rounds] == [True, True]
    assert rounds[1].parent == rounds[0].number
    names = {name: number for (_, name), number in found.bindings.items()}
    assert names == {"x": rounds[0].number, "y": rounds[1].number}


def test_the_iterable_of_a_clause_belongs_to_the_clause_before_it() -> None:
    source = "def f(xs):\n    return [x * y for x in h(xs) for y in g(x) if y]\n"
    found = outline(source)
    statement = found.by_line[2]
    line = source.splitlines()[1]
    first, second = (part.number for part in found.parts if part.kind is PartKind.ROUND)
    at = {
        text: found.part_at(2, line.index(text), statement) for text in ("h(xs)", "g(x)", "x * y")
    }
    assert at == {"h(xs)": statement, "g(x)": first, "x * y": second}


def test_a_docstring_is_no_part() -> None:
    found = outline('def f():\n    "What it does."\n    return 1\n')
    assert [part.text for part in found.parts] == ["def f()", "return 1"]


def test_handlers_and_cases_are_parts_of_their_statement() -> None:
    found = outline("""\
        def f(x):
            try:
                g()
            except ValueError:
                h()
            match x:
                case 1:
                    g()
    """)
    handlers = [part for part in found.parts if part.kind is PartKind.HANDLER]
    assert [part.text for part in handlers] == ["except ValueError", "case 1"]
    around = [found.parts[part.parent].kind for part in handlers]
    assert around == [PartKind.TRY, PartKind.BRANCH]


def test_inner_functions_are_statements() -> None:
    found = outline("def f():\n    def g():\n        for x in y: pass\n    return g\n")
    assert [part.kind for part in found.parts[1:]] == [PartKind.STATEMENT] * 2
    assert isinstance(found.parts[1].node, ast.FunctionDef)
