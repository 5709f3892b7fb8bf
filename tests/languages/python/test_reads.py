from __future__ import annotations

import ast

import pytest

from wrongcall.languages.python.reads import callee, calls_in, containers, inner, keys, reads


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def texts(nodes: object) -> list[str]:
    return [ast.unparse(node) for node in nodes]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text, parts",
    [
        ("a + b * 2", ["a", "b"]),
        ("a.b[c] - f(x)", ["a.b[c]", "f(x)"]),
        ("f'{a} of {b:>{w}}'", ["a", "b", "w"]),
        ("x < y <= z", ["x", "y", "z"]),
        ("[a, *b, {c: d}]", ["a", "b", "c", "d"]),
        ("p if q else r", ["p if q else r"]),
        ("[x for x in xs]", ["[x for x in xs]"]),
        ("not a", ["a"]),
        ("lambda: a", []),
        ("1 + 2", []),
    ],
)
def test_the_largest_parts_are_read_in_order(text: str, parts: list[str]) -> None:
    assert texts(reads(expression(text))) == parts


@pytest.mark.parametrize(
    "text, parts",
    [
        ("x += y * z", ["x", "y", "z"]),
        ("x[i] += y", ["x[i]", "y"]),
        ("for a in f(b): pass", ["f(b)"]),
        ("return a - b", ["a", "b"]),
        ("raise E(a) from b", ["E(a)"]),
        ("with a.b as c: pass", ["a.b"]),
        ("del a[i]", ["a", "i"]),
        ("a[i] = b", ["b"]),
        ("return", []),
    ],
)
def test_a_statement_reads_what_it_gives(text: str, parts: list[str]) -> None:
    statement = ast.parse(f"def f():\n  {text}").body[0].body[0]  # type: ignore[attr-defined]
    assert texts(reads(statement)) == parts


@pytest.mark.parametrize(
    "text, parts",
    [
        ("a[i:j]", ["a", "i", "j"]),
        ("a.b", ["a"]),
        ("xs.index(y, start=z)", ["xs", "y", "z"]),
        ("a and b.c", ["a", "b.c"]),
        ("a if b else c", ["b", "a", "c"]),
    ],
)
def test_the_inside_of_a_part(text: str, parts: list[str]) -> None:
    assert texts(inner(expression(text))) == parts


def test_keys_and_containers_from_the_inside_out() -> None:
    node = expression("a[i].b[j, k]")
    assert texts(keys(node)) == ["j", "k", "i"]
    assert texts(containers(node)) == ["a[i].b", "a[i]", "a"]


def test_what_may_run_other_code() -> None:
    assert calls_in(expression("a + f(b)"))
    assert calls_in(expression("[x for x in a]"))
    assert not calls_in(expression("a[b] + c.d"))
    assert not calls_in(expression("lambda: f()"))
    assert (callee(expression("a.f(1)")), callee(expression("g()"))) == ("f", "g")
