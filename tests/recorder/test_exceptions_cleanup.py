"""Calls end after their cleanup: ``finally`` and ``with``."""

from __future__ import annotations

from tests.recorder.conftest import Record
from tests.recorder.outline import (
    check,
    children,
    exception,
    left_at,
    line_name,
    lines,
    outline,
    show,
)
from wrongcall.recording import Outcome


def test_finally_runs_inside_the_call(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def returns():
            try:
                return f("result")  # result
            finally:
                f("cleanup")  # cleanup

        def raises():
            try:
                raise ValueError(f("argument"))  # raise
            finally:
                f("cleanup2")  # cleanup2

        def main():
            returns()  # returns
            try:
                raises()  # raises
            except ValueError:
                f("handler")  # handler

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> None
          returns() @returns -> 'result'
            f(x='result') @result -> 'result'
            f(x='cleanup') @cleanup -> 'cleanup'
          raises() @raises raises ValueError('argument')
            f(x='argument') @raise -> 'argument'
            f(x='cleanup2') @cleanup2 -> 'cleanup2'
          f(x='handler') @handler -> 'handler'
        """
    )
    for name in ("returns", "raises"):
        call = done.call(name)
        assert all(call.entry < child.exit < call.exit for child in call.children)


def test_an_exception_replaced_in_finally(record: Record) -> None:
    done = record(
        """\
        def main():
            try:
                raise ValueError("first")
            finally:
                raise KeyError("second")  # replace

        try:
            main()  # run
        except KeyError:
            pass
        """
    )
    call = done.call("main")
    assert outline(done, "main") == "main() @run raises KeyError('second')"
    assert exception(done.recording, call.value, call.exit)["context"] == "ValueError('first')"
    assert left_at(done, call) == "replace"


def test_what_finally_does_to_the_outcome(record: Record) -> None:
    done = record(
        """\
        def swallowed():
            try:
                raise ValueError(1)
            finally:
                return "swallowed"

        def replaced():
            try:
                return "first"
            finally:
                return "second"

        def refused():
            try:
                return "value"
            finally:
                raise KeyError("no")

        def rounds():
            for i in range(3):
                try:
                    return i
                finally:
                    continue
            return "end"

        def left():
            while True:
                try:
                    return "lost"
                finally:
                    break

        def kept():
            try:
                return "kept"
            finally:
                x = "other"

        def falls():
            try:
                x = 1
            finally:
                y = 2

        def caught_later():
            try:
                try:
                    return "first"
                finally:
                    raise KeyError("inside")
            except KeyError:
                pass

        for f in (swallowed, replaced, refused, rounds, left, kept, falls, caught_later):
            try:
                f()  # call
            except KeyError:
                pass
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          swallowed() @call -> 'swallowed'
          replaced() @call -> 'second'
          refused() @call raises KeyError('no')
          rounds() @call -> 'end'
          left() @call -> None
          kept() @call -> 'kept'
          falls() @call -> None
          caught_later() @call -> None
        """
    )


def test_a_returned_object_is_shown_as_finally_left_it(record: Record) -> None:
    done = record(
        """\
        def main():
            items = [1]
            try:
                return items
            finally:
                items.append(2)

        main()  # run
        """
    )
    assert outline(done, "main") == "main() @run -> [1, 2]"


GUARD = """\
def f(x):
    return x

class Guard:
    def __init__(self, swallow=(), fails=False):
        self.swallow = swallow
        self.fails = fails

    def __enter__(self):
        f("enter")  # enter
        return 1

    def __exit__(self, kind, value, trace):
        f("exit")  # exit
        if self.fails:
            raise KeyError("exit")
        return kind in self.swallow

"""


def test_with_ends_before_the_call_does(record: Record) -> None:
    done = record(
        GUARD
        + """\
def returns():
    with Guard() as g:
        return f(g)

def swallowed():
    with Guard((ValueError,)):
        raise ValueError(1)
    return "after"

def swallowed_at_the_end():
    with Guard((ValueError,)):
        f(0)
        raise ValueError(1)

def passes_on():
    with Guard():
        raise ValueError(2)

def refuses():
    with Guard(fails=True):
        return "lost"

def two():
    with Guard() as a, Guard() as b:
        return a + b

def result_then_swallowed():
    with Guard((ValueError,)):
        try:
            return "lost"
        finally:
            raise ValueError(3)

for function in (returns, swallowed, swallowed_at_the_end, passes_on, refuses, two,
                 result_then_swallowed):
    try:
        function()
    except (ValueError, KeyError):
        pass
"""
    )

    def ending(name: str) -> tuple[Outcome, str]:
        call = done.call(name)
        return call.outcome, show(done.recording, call.value, call.exit)

    assert ending("returns") == (Outcome.RETURNED, "1")
    assert ending("swallowed") == (Outcome.RETURNED, "'after'")
    assert ending("swallowed_at_the_end") == (Outcome.RETURNED, "None")
    assert ending("passes_on") == (Outcome.RAISED, "ValueError(2)")
    assert ending("refuses") == (Outcome.RAISED, "KeyError('exit')")
    assert ending("two") == (Outcome.RETURNED, "2")
    assert ending("result_then_swallowed") == (Outcome.RETURNED, "None")

    once = ["Guard.__init__", "Guard.__enter__", "Guard.__exit__"]
    assert children(done.call("returns")) == [*once[:2], "f", once[2]]
    assert children(done.call("swallowed")) == once
    assert children(done.call("swallowed_at_the_end")) == [*once[:2], "f", once[2]]
    assert children(done.call("passes_on")) == once
    assert children(done.call("refuses")) == once
    assert children(done.call("two")) == [*once[:2], *once[:2], once[2], once[2]]
    for leaving in done.calls("Guard.__exit__"):
        assert children(leaving) == ["f"]
        assert leaving.parent is not None
        assert leaving.exit < leaving.parent.exit
    check(done.recording)


def test_where_enter_and_exit_are_called(record: Record) -> None:
    done = record(
        GUARD
        + """\
def main():
    f(1)
    with Guard((ValueError,)):  # with
        f(2)
        raise ValueError(2)
    f(3)
    with Guard():  # second
        f(4)

main()
"""
    )
    call = done.call("main")
    where = [
        line_name(done.recording, call, c.caller_line)
        for c in call.children
        if c.function.name in ("__enter__", "__exit__")
    ]
    assert where == ["with", "with", "second", "second"]
    check(done.recording)


def test_exit_is_given_the_exception(record: Record) -> None:
    done = record(
        GUARD
        + "def main():\n    with Guard((ValueError,)):\n        raise ValueError(5)\n\nmain()\n"
    )
    (call,) = done.calls("Guard.__exit__")
    assert [(p.name, show(done.recording, p.value, call.entered)) for p in call.args][2:] == [
        ("value", "ValueError(5)"),
        ("trace", "<traceback>"),
    ]
    assert call.value is True
