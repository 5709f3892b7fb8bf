"""The origin of a parameter is the expression that was written for it, or not known: never another one.

The witness is the program itself, run plainly: there each variable that is passed, and each default,
is a text of its own, so that what a parameter got tells which expression gave it. In the recorded run
they are few different numbers, so that values do not give the answer away.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import wrongcall.recording
from tests.recorder.conftest import run_recorded
from tests.trace.conftest import Record, Recorded
from wrongcall.events import Passing
from wrongcall.recorder import _native
from wrongcall.recording import Call, EndKind, LinkKind, Origin

WAYS = {
    # How the function is defined, and how it is called.
    "function": ("@free", "f{k}({args})"),
    "lambda": ("f{k} = lambda {sig}: note({k}, locals())\n", "f{k}({args})"),
    "generator": ("@lazy", "next(f{k}({args}))"),
    "wrapped": ("@wrapped", "f{k}({args})"),
    "partial": ("@free", "functools.partial(f{k}, {first})({rest})"),
    "cached": ("@cached", "f{k}({args})"),
    "called back": ("@free", "operator.call(f{k}, {args})"),
    "method": ("@in class", "o{k}.m({args})"),
    "bound": ("@in class", "(b := o{k}.m)({args})"),
    "unbound": ("@in class", "C{k}.m(o{k}, {args})"),
    "static": ("@in class static", "o{k}.m({args})"),
    "class method": ("@in class classmethod", "C{k}.m({args})"),
    "class": ("@in class init", "C{k}({args})"),
    "new": ("@in class new", "C{k}({args})"),
    "callable": ("@in class call", "o{k}({args})"),
    "super": ("@in class super", "o{k}.m({args})"),
    "attribute": ("@free", "SimpleNamespace(m=f{k}).m({args})"),
    "in an argument": ("@free", "same(f{k}({args}))"),
}
HEADER = """
import functools, operator
from types import SimpleNamespace

def same(x):
    return x

def wrap(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)
    return wrapper
"""
FREE = "def f{k}({sig}):\n    return note({k}, locals())\n"
METHOD = "    def {name}({sig}):\n        return note({k}, locals())\n"


@dataclass(frozen=True)
class Case:
    """A function and a call of it."""

    way: str
    params: tuple[str, ...]
    args: tuple[str, ...]

    def text(self, k: int, number: Callable[[str], object]) -> str:
        """Return the program's text; ``number`` gives a variable or default its value."""
        definition, call = WAYS[self.way]
        defaults = (p.replace("?", repr(number(f"default{i}"))) for i, p in enumerate(self.params))
        sig = ", ".join(defaults)
        bound = f"self, {sig}" if sig else "self"
        args = [a.replace("$", f"v{k}_") for a in self.args]
        names = sorted({n for a in args for n in re.findall(r"v\d+_\d+", a)})
        lines = [f"    {n} = {number(n)!r}" for n in names]
        for i, arg in enumerate(args):
            if arg.startswith(("*t", "**t")):
                stars, _, display = arg.partition("=")
                lines.append(f"    {stars.strip('*')}{i} = {display}")
                args[i] = f"{stars}{i}"
        first, rest = args[0] if args else "", ", ".join(args[1:])
        made = call.format(k=k, args=", ".join(args), first=first, rest=rest)
        body = _definition(definition, k, sig, bound)
        return f"{body}\ndef call{k}():\n" + "\n".join([*lines, f"    return {made}"]) + "\n"


def _definition(kind: str, k: int, sig: str, bound: str) -> str:
    if not kind.startswith("@"):
        return kind.format(k=k, sig=sig)
    if not kind.startswith("@in class"):
        text = FREE.format(k=k, sig=sig)
        if kind == "@lazy":
            text = text.replace("return note", "yield note")
        decorator = {"@wrapped": "@wrap\n", "@cached": "@functools.lru_cache\n"}.get(kind, "")
        return decorator + text
    how = kind.removeprefix("@in class").strip()
    name = {"init": "__init__", "new": "__new__", "call": "__call__"}.get(how, "m")
    text = METHOD.format(k=k, sig=sig if how == "static" else bound, name=name)
    if how == "init":
        text = text.replace("return note", "note")
    if how == "new":
        text = text.replace("return note", "note") + "        return object.__new__(self)\n"
    decorator = {"static": "    @staticmethod\n", "classmethod": "    @classmethod\n"}.get(how, "")
    result = f"class C{k}:\n{decorator}{text}"
    if how == "super":
        inner = f"class D{k}(C{k}):\n    def m(self, *args, **kwargs):\n"
        result += inner + "        return super().m(*args, **kwargs)\n"
    made = f"D{k}()" if how == "super" else f"object.__new__(C{k})"
    return f"{result}\no{k} = {made}\n"


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Functions with all kinds of parameters, and calls that may fit them."""
    plain = draw(st.integers(0, 3))
    defaults = draw(st.integers(0, plain))
    params = ["abc"[i] + ("=?" if i >= plain - defaults else "") for i in range(plain)]
    if plain and draw(st.booleans()):
        params.insert(draw(st.integers(1, plain)), "/")
    star, named = draw(st.booleans()), draw(st.integers(0, 2))
    params += ["*rest"] if star else ["*"] * bool(named)
    params += [f"{'xy'[i]}{draw(st.sampled_from(['', '=?']))}" for i in range(named)]
    params += ["**more"] * draw(st.booleans())
    numbers = iter(range(100))
    args = []
    for _ in range(draw(st.integers(0, 4))):
        way = draw(st.sampled_from(["$", "$", "$", "*($, $)", "*t=($, $)", "*t=[$]"]))
        args.append("".join(f"${next(numbers)}" if c == "$" else c for c in way))
    for name in draw(st.lists(st.sampled_from("abcxyz"), unique=True, max_size=4)):
        if draw(st.booleans()):
            args.append(f"{name}=${next(numbers)}")
        else:
            args.append(f"**t={{'{name}': ${next(numbers)}}}")
    return Case(draw(st.sampled_from(sorted(WAYS))), tuple(params), tuple(args))


def witnessed(case: Case, k: int) -> dict[str, Any] | None:
    """Return what each parameter got, by the texts of the arguments; None: the call does not fit."""
    seen: dict[int, dict[str, Any]] = {}

    def note(number: int, found: dict[str, Any]) -> int:
        seen.setdefault(number, dict(found))
        return 0

    namespace: dict[str, Any] = {"note": note, "__name__": "witness"}
    try:
        exec(HEADER + case.text(k, str), namespace)
        namespace[f"call{k}"]()
    except (TypeError, SyntaxError):
        return None
    return seen.get(k)


def recorded_text(every: dict[int, Case]) -> str:
    parts = [case.text(k, lambda name: 1 + len(name) % 2) for k, case in every.items()]
    calls = "\n".join(f"call{k}()" for k in every)
    note = "def note(number, found):\n    return 0\n"
    return HEADER + note + "\n".join(parts) + f"\n{calls}\n"


def written(origin: Origin) -> str:
    """Return the expression that a trail leads to first, apart from what was unpacked on the way."""
    for link in origin.links:
        if "[" not in link.source:
            return link.source
    return ""


CERTAIN = set(WAYS) - {"partial", "cached", "called back", "attribute"}


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # a run takes too long to be shrunk
)
@given(st.lists(cases(), min_size=40, max_size=80))
def test_parameters_come_from_the_expressions_that_were_written(drawn: list[Case]) -> None:
    fits = {k: seen for k, case in enumerate(drawn) if (seen := witnessed(case, k)) is not None}
    program = recorded_text({k: drawn[k] for k in fits})
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "prog.py").write_text(program)
        done = run_recorded(["prog.py"], Path(folder))
        assert done.returncode == 0, done.stderr
        with wrongcall.recording.open(Path(folder, "trace.wrongcall")) as recording:
            by_name: dict[str, Call] = {}
            for number in recording.calls.columns().id.tolist():
                call = recording.call(int(number))
                if call.parent is not None and call.function.kind not in ("class", "module"):
                    by_name[call.function.qualname] = call
            for k, seen in fits.items():
                call = called(by_name, k)
                for path, token in parameters(seen):
                    check(
                        drawn[k], token, call, recording.places.origin(call.id, path, call.entered)
                    )


def called(by_name: dict[str, Call], k: int) -> Call:
    """Return the call of the function that a case is about."""
    names = (f"f{k}", f"C{k}.m", f"C{k}.__init__", f"C{k}.__new__", f"C{k}.__call__")
    for name in names:
        if name in by_name:
            return by_name[name]
    return by_name[f"call{k}"].children[0]  # a lambda


def check(case: Case, token: str, call: Call, origin: Origin) -> None:
    """Hold the origin of a parameter against the expression that gave it its value."""
    found = written(origin)
    if token.startswith("default"):
        assert found in ("", "1", "2"), (case, origin)
        assert origin.call in (call.id, 0)
        return
    assert found in ("", token), (case, origin)
    if case.way in CERTAIN:
        assert found == token, (case, origin)


def parameters(seen: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Go through the places of parameters, with the text of the expression that gave each."""
    for name, token in seen.items():
        if name == "rest":
            yield from ((f"rest[{i}]", part) for i, part in enumerate(token))
        elif name == "more":
            yield from ((f"more[{key!r}]", part) for key, part in token.items())
        elif isinstance(token, str):
            yield name, token


def test_the_native_core_has_the_same_numbers() -> None:
    assert {passing.name: passing.value for passing in Passing} == _native.PASSINGS


def first(run: Recorded, function: str, path: str) -> str:
    """Return where the last call of a function has a parameter from."""
    origin = run.recording.places.origin(run.calls(function)[-1].id, path)
    return origin.links[0].source


def test_the_receiver_is_what_a_method_was_called_on(record: Record) -> None:
    run = record(
        """
        class C:
            def m(self):
                return self
            def __call__(self):
                return self
            @classmethod
            def c(cls):
                return cls

        class D(C):
            def m(self):
                return super().m()

        def make():
            return made

        def main():
            d = D()
            made.m()
            made()
            C.c()
            make().m()
            made.callback = other.m
            made.callback()
            made.callback = made.m
            made.callback()
            made.c()
            d.m()

        made, other = C(), C()
        main()
        """
    )
    receivers = [
        run.recording.places.origin(c.id, "self").links[0].source for c in run.calls("C.m")
    ]
    # A method that an attribute holds may be of any object, and super() is none.
    assert receivers == ["made", "make()", "", "", ""]
    assert first(run, "C.__call__", "self") == "made"
    assert first(run, "D.m", "self") == "d"
    classes = [run.recording.places.origin(c.id, "cls").links[0].source for c in run.calls("C.c")]
    assert classes == ["C", ""]


def test_a_callback_does_not_get_the_arguments_of_the_library_call(record: Record) -> None:
    run = record(
        """
        import functools

        def add(a, b=1):
            return a + b

        def main():
            one, two = 1, 2
            functools.reduce(add, [one, two])
            max(one, two, key=add)
            p = functools.partial(add, one)
            p(1)

        main()
        """
    )
    for call in run.calls("add"):
        for name in ("a", "b"):
            assert run.recording.places.origin(call.id, name).links[0].source == ""


def test_an_operator_in_an_argument_is_not_the_call_around_it(record: Record) -> None:
    run = record(
        """
        class Number:
            def __init__(self, n):
                self.n = n
            def __add__(self, other):
                return Number(self.n + other)

        def show(a, b):
            return a

        def main():
            n, m = Number(1), 7
            show(n + m, m)

        main()
        """
    )
    (added,) = run.calls("Number.__add__")
    assert (added.caller, added.caller_line) == (None, 13)
    assert first(run, "show", "a") == "n + m"
    assert first(run, "show", "b") == "m"


def test_the_origin_of_a_default_ends_at_its_expression(record: Record) -> None:
    """A default names variables of another place and time."""
    run = record(
        """
        size = 3

        def f(size, a=size):
            return a

        f(3)
        """
    )
    origin = run.recording.places.origin(run.call("f").id, "a")
    assert (origin.end, origin.text, origin.operands) == (EndKind.EXPRESSION, "size", ())
    assert [link.kind for link in origin.links] == [LinkKind.PASSED]
