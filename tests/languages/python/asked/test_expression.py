"""Expressions: equal to what Python's own `eval` gives, bounded, and clear about what they do not do."""

from __future__ import annotations

import math
import warnings
from collections.abc import ItemsView, KeysView, ValuesView
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wrongcall.errors import NotKnownError, UsageError
from wrongcall.languages.python.asked.expression import ERRORS, parse


class Names:
    """A scope of plain values."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names

    def lookup(self, name: str) -> object:
        return self._names[name]


def value(text: str, **names: Any) -> Any:
    """Return what an expression is."""
    return parse(text).value(Names(names))


# -- the same as Python -------------------------------------------------------------------------------

ATOMS = ("a", "b", "s", "t", "f", "None", "True", "0", "1", "2", "-1", "'ab'", "3.5", "''")
LISTS = (
    "xs",
    "ys",
    "[a, b]",
    "[]",
    "xs[1:]",
    "xs[::-1]",
    "list(p)",
    "sorted(st)",
    "xs + ys",
    "[*xs, 1]",
)


SIGNS = ("+", "-", "*", "//", "/", "%", "&", "|", "^", "<<", ">>", "**")
ORDERS = ("<", "<=", ">", ">=", "==", "!=", "in", "not in")
FUNCTIONS = (
    *("len", "sum", "max", "min", "abs", "str", "repr", "bool", "list", "tuple", "set", "int"),
    *("sorted", "any", "all", "round", "float", "reversed", "frozenset", "dict", "enumerate"),
)
METHODS = (
    *("upper()", "split()", "count(a)", "index(b)", "get(s)", "keys()", "items()", "values()"),
    *("strip('a')", "copy()", "union(xs)", "startswith('a')", "join(['x', 'y'])", "bit_length()"),
    *("find('b')", "replace('a', 'bb')"),
)
SPECS = ("", ":>5", "!r", ":.2f", "!s:<8")
SHAPES = (
    *(f"({{}} {sign} {{}})" for sign in (*SIGNS, *ORDERS, "and", "or")),
    *(f"{name}({{}})" for name in FUNCTIONS),
    *(f"({{}}).{method}" for method in METHODS),
    "(not {})",
    *("({} if {} else {})", "{}[{}]", "{}[{}]") * 3,
    *("[z for z in {} if z != {}]", "sum(1 for z in {} for y in {})") * 3,
    *("{{z: {} for z in {}}}", "sorted({}, key=lambda z: (str(z), {}))") * 2,
)
"""Expressions around others, by which ``{}`` is replaced."""


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> str:
    """Write an expression, which need not make sense."""
    if depth == 0:
        return draw(st.sampled_from((*ATOMS, *LISTS, "d", "p", "st")))
    template = draw(st.sampled_from(SHAPES))
    parts = [draw(expressions(depth - 1)) for _ in range(template.replace("{{", "").count("{}"))]
    text = template.format(*parts)
    if draw(st.integers(0, 15)) or '"' in text:
        return text
    return f'f"<{{ {text} {draw(st.sampled_from(SPECS))}}}>"'


NAMES = st.fixed_dictionaries(
    {
        "a": st.integers(-5, 60),
        "b": st.integers(-5, 5),
        "s": st.text("ab c", max_size=6),
        "t": st.text("ab", max_size=3),
        "f": st.floats(-10, 10, allow_nan=False),
        "xs": st.lists(st.integers(-3, 9), max_size=5),
        "ys": st.lists(st.integers(-3, 9) | st.text("ab", max_size=2), max_size=3),
        "d": st.dictionaries(
            st.integers(0, 3) | st.text("ab", max_size=2), st.integers(), max_size=3
        ),
        "p": st.tuples(st.integers(0, 3), st.text("ab", max_size=2)),
        "st": st.sets(st.integers(0, 9), max_size=4),
    }
)


def shape(found: Any) -> Any:
    """Return something comparable for a value of any kind, iterators included."""
    if hasattr(found, "__next__"):
        return ("iterator", [shape(each) for each in found])
    if isinstance(found, float) and math.isnan(found):
        return "nan"
    if isinstance(found, list | tuple):
        return (type(found), [shape(each) for each in found])
    if isinstance(found, KeysView | ValuesView | ItemsView):
        return (type(found), [shape(each) for each in found])
    return (type(found), found)


def live(text: str, names: dict[str, Any]) -> Any:
    """Return what Python's own `eval` gives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about subscripts of numbers and the like
        return eval(text, dict(names))


def by_python(text: str, names: dict[str, Any]) -> Any:
    """Return what Python says: a value, or the kind of error."""
    try:
        return shape(live(text, names))
    except ERRORS as exc:
        return type(exc)


def by_us(text: str, names: dict[str, Any]) -> Any:
    try:
        return shape(value(text, **names))
    except ERRORS as exc:
        return type(exc)


@settings(max_examples=1500)
@given(expressions(), NAMES)
def test_an_expression_is_what_python_says_or_not_known(text: str, names: dict[str, Any]) -> None:
    try:
        expected = by_python(text, names)
    except MemoryError:
        return
    try:
        found = by_us(text, names)
    except NotKnownError:
        return
    assert found == expected


@pytest.mark.parametrize(
    "text,expected",
    [
        ("1 < a < 5", True),
        ("xs[-1]", 3),
        ("{k: v for k, v in d.items() if v}", {"x": 1}),
        ("max(xs, key=lambda x: -x)", 1),
        ("', '.join(str(x) for x in xs)", "1, 2, 3"),
        ("f'{a:>4}|{xs!r}'", "   4|[1, 2, 3]"),
        ("[(i, x) for i, x in enumerate(xs)]", [(0, 1), (1, 2), (2, 3)]),
        ("type(a) is int and type(a).__name__ == 'int'", True),
        ("isinstance(a, (str, int))", True),
        ("next(x for x in xs if x > 1)", 2),
        ("dict(zip(xs, 'abc'))", {1: "a", 2: "b", 3: "c"}),
        ("sum(x for x in st if x > 1)", 5),
        ("len([x for x in xs if x in st])", 3),
        ("str.upper('a')", "A"),
    ],
)
def test_an_expression_has_a_value(text: str, expected: Any) -> None:
    names = {"a": 4, "xs": [1, 2, 3], "d": {"x": 1, "y": 0}, "st": {1, 2, 3}}
    assert value(text, **names) == expected


# -- limits --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "10 ** 10 ** 10",
        "round(5, -10**9)",
        "1 << 10 ** 9",
        "'a' * 10 ** 9",
        "[0] * 10 ** 9",
        "sum(range(10 ** 12))",
        "[x for x in range(10 ** 9)]",
        "list(range(10 ** 9))",
        "f'{1:1000000000}'",
        "'%1000000000d' % 1",
        "'{:1000000000}'.format(1)",
        "'a'.ljust(10 ** 9)",
        "('a' * 1000).replace('a', 'b' * 10000)",
        "10 ** 9 in (x for x in range(10 ** 12))",
        "max(x for x in range(10 ** 12))",
        "pow(3, 10 ** 9)",
        "1.5 in range(10 ** 12)",
        "set(range(10 ** 9))",
        "any(x > 10 ** 11 for x in range(10 ** 12))",
        "bytes(10 ** 10)",
        "''.join('ab' for x in range(10 ** 8))",
        "[y for x in range(10 ** 5) for y in range(10 ** 5)]",
        "sorted(range(10 ** 9))",
    ],
)
def test_unbounded_work_is_refused(text: str) -> None:
    with pytest.raises(NotKnownError, match="not evaluated"):
        value(text)


# -- what is not done ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text,message",
    [
        ("(x := 1)", "an assignment"),
        ("await x", "await"),
        ("x = 1", "is not an expression"),
        ("1 +", "is not an expression"),
        ("f(**d)", r"\*\*"),
        ("lambda *a: 1", "plain parameters"),
    ],
)
def test_what_is_not_supported_is_said_at_once(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "list({1, 2})",
        "[x for x in {1, 2}]",
        "str({1, 2})",
        "f'{[{1, 2}]}'",
        "next(x for x in {1, 2})",
        "tuple(x for x in {1, 2})",
        "sum({0.1, 0.2, 0.3})",
        "min({1, 2}, key=str)",
        "{x: 1 for x in {1, 2}}",
        "list(enumerate({1, 2}))",
        "list(zip({1, 2}, 'ab'))",
        "[y for x in 'a' for y in {1, 2}]",
    ],
)
def test_the_order_of_a_set_is_never_guessed(text: str) -> None:
    with pytest.raises(NotKnownError, match="set"):
        value(text)


@pytest.mark.parametrize(
    "text",
    [
        "xs.append(1)",
        "open('x')",
        "__import__('os')",
        "print(1)",
        "exec('1')",
        "xs.__class__",
        "'{0.x}'.format(xs)",
        "getattr(xs, 'append')",
        "input()",
        "eval('1')",
        "globals()",
        "().__class__.__bases__",
    ],
)
def test_nothing_that_acts_or_looks_into_this_process_is_called(text: str) -> None:
    with pytest.raises((NotKnownError, NameError)):
        value(text, xs=[1])


@pytest.mark.parametrize(
    "text",
    ["str(enumerate([1]))", "f'{zip()}'", "repr([x for x in [map(str, [])]])", "str(lambda: 1)"],
)
def test_the_address_of_an_iterator_is_never_guessed(text: str) -> None:
    with pytest.raises(NotKnownError, match="address"):
        value(text)


@pytest.mark.parametrize(
    "text,kind", [("dict([(1, 2, 3), 4])", ValueError), ("dict([4, (1, 2, 3)])", TypeError)]
)
def test_a_dict_of_what_are_no_pairs_raises_as_python_does(
    text: str, kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        value(text)


def test_the_names_are_those_of_the_program_alone() -> None:
    assert parse("[x + y for x in xs if f(x)] + z").names == {"y", "xs", "f", "z"}
