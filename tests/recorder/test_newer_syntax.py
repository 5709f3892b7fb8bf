"""What 3.14 and 3.15 added to the language: it runs the same recorded, and its values are shown."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.bothways import TRACE, runs_the_same
from tests.recorder.conftest import Record, Recorded
from wrongcall.present.values import Viewer

since_14 = pytest.mark.skipif(sys.version_info < (3, 14), reason="syntax of 3.14")
since_15 = pytest.mark.skipif(sys.version_info < (3, 15), reason="new in 3.15")


def same(folder: Path, program: str, flags: tuple[str, ...] = ()) -> str:
    """Run a program both ways; return what it printed. All of it must be recorded."""
    outcome = runs_the_same(folder, program, flags=list(flags))
    assert outcome.status == 0, outcome.stderr
    with wrongcall.recording.open(folder / TRACE) as recording:
        assert recording.unrecorded == []
    return outcome.stdout


def arguments(recorded: Recorded) -> list[str]:
    """Return how the only argument of each call of `see` is written."""
    found = []
    for call in recorded.calls("see"):
        given = recorded.recording.questions.input(call.id)
        (argument,) = given.args
        found.append(Viewer(recorded.recording, given.time).line(argument.value, 300))
    return found


# -- 3.14 -------------------------------------------------------------------------------------------


@since_14
def test_template_strings_evaluate_their_parts_as_without_recording(tmp_path: Path) -> None:
    program = """
        def say(x):
            print('say', x)
            return x
        def f(w):
            return t"{say(1)} and {say('b')!r:>{say(w)}}{(y := say(3))=}" + t'{y}'
        print(f(9), [t'{x}' for x in (1, 2)], t'')
        try:
            t'{1 / 0}'
        except ZeroDivisionError as error:
            print(error)
    """
    assert "say b\nsay 9\nsay 3" in same(tmp_path, program)


@since_14
def test_templates_are_written_by_their_parts(record: Record) -> None:
    recorded = record(
        """
        def see(o):
            return None
        n = 3
        see(t'a {n!r:>{n}} b')
        see(t'{n}'.interpolations[0])
        """
    )
    interpolation = "Interpolation(value=3, expression='n', conversion='r', format_spec='>3')"
    assert arguments(recorded) == [
        f"Template(strings=('a ', ' b'), interpolations=({interpolation},))",
        "Interpolation(value=3, expression='n', conversion=None, format_spec='')",
    ]


@since_14
def test_except_without_parentheses(tmp_path: Path) -> None:
    program = """
        def f(error):
            try:
                raise error
            except KeyError, ValueError:
                return 'either'
        def g(error):
            try:
                raise error
            except* KeyError, ValueError:
                print('group')
        print(f(KeyError(1)), f(ValueError(2)))
        g(ExceptionGroup('', [KeyError(1)]))
    """
    assert same(tmp_path, program) == "either either\ngroup\n"


@since_14
def test_leaving_a_finally_warns_once_and_does_the_same(tmp_path: Path) -> None:
    program = """
        def f():
            for i in range(3):
                try:
                    1 / 0
                finally:
                    continue
            try:
                return 1
            finally:
                return 2
        print(f())
    """
    outcome = runs_the_same(tmp_path, program)
    assert (outcome.stdout, outcome.status) == ("2\n", 0)
    assert outcome.stderr.count("SyntaxWarning: 'continue' in a 'finally' block") == 1


@since_14
def test_annotations_are_evaluated_when_somebody_asks(tmp_path: Path) -> None:
    program = """
        import annotationlib, sys
        count: say(1) = 0
        def say(x):
            print('say', x)
            return x
        def f(a: say('a'), *b: say('b'), c: 'text' = 0) -> say('f'):
            local: missing = 1
            return local
        class C:
            x: say('x')
            if count == 0:
                y: Later = 2
            def method(self, other: C) -> list[C]: ...
        print('asking')
        print(sys.modules['__main__'].__annotations__, f.__annotations__, f(0))
        print(annotationlib.get_annotations(C, format=annotationlib.Format.FORWARDREF)['x'])
        print(annotationlib.get_annotations(C, format=annotationlib.Format.STRING))
        try:
            C.__annotations__
        except NameError as error:
            print(error)
        class Later: ...
        print(C.__annotations__['y'], C.method.__annotations__)
    """
    assert same(tmp_path, program).startswith("asking\nsay 1\n")


# -- 3.15 -------------------------------------------------------------------------------------------


@since_15
def test_unpacking_in_comprehensions(tmp_path: Path) -> None:
    program = """
        def f(*lists, **named):
            return [*x for x in lists], {*x for x in lists}, {**named for _ in (1, 2)}
        print(f([1, 2], (3,), a=1))
        print(list(*x for x in [[(4, 5)]]), list((*x for x in ([6], [7]))))
        try:
            print([*x for x in (1, 2)])
        except TypeError as error:
            print(error)
        async def g():
            async def each():
                yield [8]
                yield [9]
            return [*x async for x in each()]
        import asyncio
        print(asyncio.run(g()))
    """
    assert same(tmp_path, program).endswith("[8, 9]\n")


@since_15
def test_calls_in_a_comprehension_that_unpacks_belong_to_its_function(record: Record) -> None:
    recorded = record(
        """
        def one(x):
            return {x: x}
        def f(d):
            return {**one(e) for e in d}
        f([1, 2])
        """
    )
    assert [call.parent for call in recorded.calls("one")] == [recorded.call("f")] * 2
    assert recorded.picture(recorded.call("f").value)[2] == [(1, 1), (2, 2)]


@since_15
def test_a_frozendict_is_shown_as_a_dict(record: Record) -> None:
    recorded = record(
        """
        def see(o):
            return None
        class Own(frozendict):
            pass
        f = frozendict(a=1, b=[2])
        see(f)
        f['b'].append(3)
        see(f)
        see(frozendict())
        see(Own({1: 2}))
        see({frozendict(k=4): 1, frozendict(): frozendict(x=f)})
        """
    )
    assert arguments(recorded) == [
        "frozendict({'a': 1, 'b': [2]})",
        "frozendict({'a': 1, 'b': [2, 3]})",
        "frozendict()",
        "Own({1: 2})",
        "{frozendict({'k': 4}): 1, frozendict(): frozendict({'x': frozendict({'a': 1, 'b': [2, 3]})})}",
    ]


@since_15
def test_a_change_inside_a_frozendict_by_a_library_is_recorded(record: Record) -> None:
    recorded = record(
        """
        import heapq, operator
        f = frozendict(a=[3, 1])
        operator.setitem(f['a'], 0, 9)
        operator.itemgetter('a')(f).append(4)
        sorted([f], key=lambda g: g['a'].append(5) or 0)
        def end():
            pass
        end()
        """
    )
    f = recorded.recording.states.globals("__main__")["f"]
    kind, _, entries = recorded.picture(f, recorded.call("end").entered)
    assert kind == "frozendict"
    assert [(key, items) for key, (_, _, items) in entries] == [("a", [9, 1, 4, 5])]


@since_15
def test_sentinels_are_written_by_their_names(record: Record) -> None:
    recorded = record("def see(o):\n    return None\nsee(sentinel('MISSING'))\n")
    assert arguments(recorded) == ["MISSING"]
