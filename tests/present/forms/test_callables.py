"""What can be called is written by its name, and with what it holds."""

from __future__ import annotations

import functools
import operator

import pytest

from tests.present.objects import HOSTILE, Objects
from wrongcall.events import Layout
from wrongcall.present.forms import callables
from wrongcall.recording import Ref, Value


def function(objects: Objects, name: str) -> Ref:
    return objects.new("function", {"__qualname__": name})


def test_a_callable_is_named_by_its_qualified_name_its_name_or_its_type(objects: Objects) -> None:
    names: list[Value] = [
        function(objects, "Cart.add"),
        objects.new("builtin", {"__name__": "len"}),
        objects.new("Adder"),
        3,
        None,
    ]
    viewer = objects.viewer
    shown = [callables.name_of(value, viewer) for value in names]
    assert shown == ["Cart.add", "len", "Adder", "?", "?"]


def test_a_bound_method_shows_its_object(objects: Objects) -> None:
    parts = {"__func__": function(objects, "Cart.add"), "__self__": objects.list(1, 2)}
    ref = objects.new("method", parts, layout=Layout.METHOD)
    assert objects.text(callables.bound_method, ref) == "<bound method Cart.add of [1, 2]>"


@pytest.mark.parametrize("kind", ["builtin_function_or_method", "builtin_method", "method-wrapper"])
def test_built_in_methods_show_their_receiver(objects: Objects, kind: str) -> None:
    alone = objects.new(kind, {"__name__": "len"})
    bound = objects.new(kind, {"__name__": "append", "__self__": objects.list(1)})
    assert objects.text(callables.builtin, alone) == repr(len)
    assert objects.text(callables.builtin, bound) == "<built-in method append of [1]>"


@pytest.mark.parametrize(
    "value", [str.join, dict.__dict__["fromkeys"], int.__add__, type.__dict__["__mro__"]]
)
def test_descriptors_are_written_as_their_repr(objects: Objects, value: object) -> None:
    owner = objects.new("type", {"__name__": value.__objclass__.__name__}, layout=Layout.CLASS)  # type: ignore[attr-defined]
    parts = {"__name__": value.__name__, "__objclass__": owner}  # type: ignore[attr-defined]
    ref = objects.new(type(value).__name__, parts)
    assert objects.text(callables.builtin, ref) == repr(value)


def test_a_builtin_needs_a_name_and_its_own_module(objects: Objects) -> None:
    nameless = objects.new("builtin_function_or_method")
    foreign = objects.new("method_descriptor", {"__name__": "x"}, module="shop")
    other = objects.new("function", {"__name__": "x"}, layout=Layout.INSTANCE)
    assert [objects.text(callables.builtin, ref) for ref in (nameless, foreign, other)] == [
        None
    ] * 3


@pytest.mark.parametrize(
    "module,kind,part,shown",
    [
        ("functools", "_lru_cache_wrapper", "__wrapped__", "<lru_cache of Circle.area>"),
        ("functools", "cached_property", "func", "<cached_property Circle.area>"),
        ("builtins", "property", "fget", "<property Circle.area>"),
        ("builtins", "staticmethod", "__func__", "<staticmethod Circle.area>"),
        ("builtins", "classmethod", "__func__", "<classmethod Circle.area>"),
    ],
)
def test_a_wrapper_is_named_by_what_it_wraps(
    objects: Objects, module: str, kind: str, part: str, shown: str
) -> None:
    area = function(objects, "Circle.area")
    full = objects.new(kind, {part: area}, module=module)
    empty = objects.new(kind, {part: None}, module=module)
    opaque = objects.new(kind, {part: area}, module=module, layout=Layout.OPAQUE)
    assert objects.text(callables.wrapper, full) == shown
    without = objects.text(callables.wrapper, empty)
    assert without == (f"<{kind}>" if module == "builtins" else shown.replace("Circle.area", "?"))
    assert objects.text(callables.wrapper, opaque) is None


def test_a_partial_is_written_with_what_it_holds_as_its_repr(objects: Objects) -> None:
    made = functools.partial(print, 1, "two", sep="-", end="")
    name = objects.new("builtin_function_or_method", {"__name__": "print"})
    keywords = objects.new("dict", entries=made.keywords.items())
    parts = {"func": name, "args": objects.tuple(*made.args), "keywords": keywords}
    ref = objects.new("partial", parts, module="functools")
    empty = objects.new("partial", module="functools")
    assert objects.text(callables.partial, ref) == repr(made)
    assert objects.text(callables.partial, empty) is None


@pytest.mark.parametrize(
    "made,args",
    [
        (operator.itemgetter(1), (1,)),
        (operator.itemgetter("a", 2), ("a", 2)),
        (operator.attrgetter("x.y"), ("x.y",)),
        (operator.methodcaller("split", ","), ("split", ",")),
    ],
)
def test_objects_of_operator_are_written_as_their_repr(
    objects: Objects, made: object, args: tuple[object, ...]
) -> None:
    ref = objects.new(type(made).__name__, {"args": objects.tuple(*args)}, module="operator")
    bare = objects.new(type(made).__name__, module="operator")
    assert objects.text(callables.operator, ref) == repr(made)
    assert objects.text(callables.operator, bare) == f"<operator.{type(made).__name__}>"


def test_a_method_caller_with_keywords_takes_them_from_its_maker(objects: Objects) -> None:
    made = operator.methodcaller("split", sep=",")
    keywords = objects.new("dict", entries=[("sep", ",")])
    parts = {"args": objects.tuple("split"), "keywords": keywords}
    maker = objects.new("partial", parts, module="functools")
    ref = objects.new("methodcaller", {"maker": maker, "args": objects.tuple()}, module="operator")
    assert objects.text(callables.operator, ref) == repr(made)


def test_context_variables_show_their_name_and_tokens_their_variable(objects: Objects) -> None:
    variable = objects.new("ContextVar", {"name": "user"}, module="_contextvars")
    token = objects.new("Token", {"var": variable, "old_value": 7}, module="_contextvars")
    bare = objects.new("Token", module="_contextvars")
    write = callables.context_variable
    assert objects.text(write, variable) == "<ContextVar name='user'>"
    assert objects.text(write, token) == "<Token var=<ContextVar name='user'>, old_value=7>"
    assert objects.text(write, bare) == "<Token>"


def test_names_of_the_program_are_made_safe(objects: Objects) -> None:
    odd = function(objects, HOSTILE)
    method = objects.new("method", {"__func__": odd, "__self__": 1}, layout=Layout.METHOD)
    cached = objects.new("cached_property", {"func": odd}, module="functools")
    keywords = objects.new("dict", entries=[(HOSTILE, 1)])
    partial = objects.new("partial", {"func": odd, "keywords": keywords}, module="functools")
    for write, ref in (
        (callables.bound_method, method),
        (callables.wrapper, cached),
        (callables.partial, partial),
    ):
        shown = objects.text(write, ref)
        assert shown is not None
        assert shown.isprintable()
