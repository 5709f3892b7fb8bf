"""Exceptions: raised, propagated, caught, chained, replaced; calls that end after their cleanup."""

from __future__ import annotations

from typing import NamedTuple

from tests.recorder.conftest import Record, Recorded
from tests.recorder.outline import check, exception, line_name, lines, outline, show
from wrongcall.events import Kind
from wrongcall.recording import Call, Outcome, Ref


class Caught(NamedTuple):
    """An `except` clause that caught: the exception, the line that raised it, the clause's line."""

    exception: str
    raised: str
    clause: str


def caught(done: Recorded, call: Call) -> list[Caught]:
    """Return what a call caught, in order."""
    found = done.trace.events.select({Kind.CAUGHT}, call=call.id)
    result = []
    for time, event in zip(found.times.tolist(), found.events, strict=True):
        value = done.trace.states.values.read(int(event["vtag"]), int(event["value"]))
        clause = done.trace.program.sites[int(event["site"])].line
        result.append(
            Caught(
                show(done.trace, value, time),
                line_name(done.trace, call, int(event["key"])),
                line_name(done.trace, call, clause),
            )
        )
    return result


def left_at(done: Recorded, call: Call) -> str:
    """Return the line at which an exception left a call."""
    found = done.trace.events.select({Kind.RAISE}, call=call.id)
    return line_name(done.trace, call, int(found.events["key"][-1]))


def test_raised_propagated_and_caught(record: Record) -> None:
    done = record(
        """\
        def fail(x):
            y = x + 1
            raise ValueError("bad", y)  # raise

        def middle(x):
            fail(x)  # through
            return "never"

        def main():
            try:
                middle(1)  # try
            except ValueError as error:  # except
                return error.args[1]

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 2
          middle(x=1) @try raises ValueError('bad', 2)
            fail(x=1) @through raises ValueError('bad', 2)
        """
    )
    main, middle, fail = (done.call(name) for name in ("main", "middle", "fail"))
    assert fail.value == middle.value, "it is the same exception"
    assert fail.exit < middle.exit < main.exit
    assert left_at(done, fail) == "raise"
    assert left_at(done, middle) == "through"
    assert caught(done, main) == [Caught("ValueError('bad', 2)", "try", "except")]
    assert done.trace.places.local_writes(main.id, "error")[0].new == fail.value


def test_an_exception_of_the_interpreter(record: Record) -> None:
    done = record(
        """\
        def divide(a, b):
            c = 1
            return a // b  # divide

        def main():
            for b in (1, 0):
                try:
                    divide(4, b)  # call
                except ZeroDivisionError:  # except
                    break

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> None
          divide(a=4, b=1) @call -> 4
          divide(a=4, b=0) @call raises ZeroDivisionError('integer division or modulo by zero')
        """
    )
    assert left_at(done, done.calls("divide")[1]) == "divide"


def test_an_uncaught_exception(record: Record) -> None:
    done = record(
        """\
        def fail():
            raise KeyError("k")

        def main():
            fail()  # fail

        main()  # run
        """,
        status=1,
    )
    assert outline(done) == lines(
        """
        module __main__ raises KeyError('k')
          main() @run raises KeyError('k')
            fail() @fail raises KeyError('k')
        """
    )
    assert done.stderr.splitlines()[0] == "Traceback (most recent call last):"
    assert "KeyError: 'k'" in done.stderr


def test_sys_exit(record: Record) -> None:
    done = record(
        """\
        import sys

        def main():
            try:
                sys.exit(4)
            finally:
                f()  # finally

        def f():
            return 0

        main()  # run
        """,
        status=4,
    )
    assert outline(done) == lines(
        """
        module __main__ raises SystemExit(4)
          main() @run raises SystemExit(4)
            f() @finally -> 0
        """
    )


def test_which_clause_caught_what_where(record: Record) -> None:
    done = record(
        """\
        def pick(kind):
            if kind == 0:
                raise ValueError(kind)
            if kind == 1:
                raise KeyError(kind)
            return [][kind]

        def main(kind):
            try:
                before = 1
                pick(kind)  # pick
                after = 2
            except ValueError:  # value
                return "value"
            except (KeyError, TypeError) as e:  # key
                return "key"
            except:  # rest
                return "rest"

        for kind in range(3):
            main(kind)
        """
    )
    found = [caught(done, call) for call in done.calls("main")]
    assert found == [
        [Caught("ValueError(0)", "pick", "value")],
        [Caught("KeyError(1)", "pick", "key")],
        [Caught("IndexError('list index out of range')", "pick", "rest")],
    ]
    assert [c.value for c in done.calls("main")] == ["value", "key", "rest"]
    check(done.trace)


def test_a_clause_that_does_not_match_catches_nothing(record: Record) -> None:
    done = record(
        """\
        def inner():
            try:
                raise ValueError(1)  # raise
            except KeyError:
                return "wrong"

        def outer():
            try:
                inner()  # call
            except ValueError:  # outer
                return "right"

        outer()  # run
        """
    )
    assert caught(done, done.call("inner")) == []
    assert caught(done, done.call("outer")) == [Caught("ValueError(1)", "call", "outer")]
    assert left_at(done, done.call("inner")) == "raise"
    check(done.trace)


def test_an_exception_caught_again_and_again(record: Record) -> None:
    done = record(
        """\
        def main():
            try:
                try:
                    raise ValueError(1)  # first
                except ValueError:  # inner
                    raise  # again
            except ValueError as e:  # outer
                try:
                    raise e  # third
                except ValueError:  # last
                    return "end"

        main()  # run
        """
    )
    found = caught(done, done.call("main"))
    assert [c.clause for c in found] == ["inner", "outer", "last"]
    assert [c.exception for c in found] == ["ValueError(1)"] * 3
    assert found[0].raised == "first"
    assert outline(done, "main") == "main() @run -> 'end'"


def test_the_name_of_a_caught_exception_is_unbound_after_the_clause(record: Record) -> None:
    done = record(
        """\
        def main():
            try:
                raise ValueError(1)
            except ValueError as e:
                inside = 1
            after = 2
            return after

        main()
        """
    )
    call = done.call("main")
    (inside,) = done.trace.places.local_writes(call.id, "inside")
    (after,) = done.trace.places.local_writes(call.id, "after")
    assert "e" in done.trace.states.locals(call.id, inside.time)
    assert "e" not in done.trace.states.locals(call.id, after.time)


def test_chained_exceptions(record: Record) -> None:
    done = record(
        """\
        def explicit():
            try:
                raise KeyError("low")
            except KeyError as e:
                raise ValueError("high") from e

        def implicit():
            try:
                raise KeyError("first")
            except KeyError:
                raise ValueError("second")

        def hidden():
            try:
                raise KeyError("gone")
            except KeyError:
                raise ValueError("only") from None

        for f in (explicit, implicit, hidden):
            try:
                f()
            except ValueError:
                pass
        """
    )
    explicit, implicit, hidden = (done.call(n) for n in ("explicit", "implicit", "hidden"))
    assert exception(done.trace, explicit.value, explicit.exit) == {
        "is": "ValueError('high')",
        "cause": "KeyError('low')",
        "context": "KeyError('low')",
    }
    assert exception(done.trace, implicit.value, implicit.exit) == {
        "is": "ValueError('second')",
        "cause": "None",
        "context": "KeyError('first')",
    }
    found = exception(done.trace, hidden.value, hidden.exit)
    assert (found["is"], found["cause"]) == ("ValueError('only')", "None")
    check(done.trace)


def test_exceptions_of_ones_own_with_attributes(record: Record) -> None:
    done = record(
        """\
        class Failure(Exception):
            def __init__(self, code, text):
                super().__init__(text)
                self.code = code

        def main():
            try:
                raise Failure(7, "seven")  # raise
            except Failure as e:
                e.seen = True
                raise

        try:
            main()  # run
        except Failure:
            pass
        """
    )
    main = done.call("main")
    assert isinstance(main.value, Ref)
    attrs = done.trace.states.state(main.value.oid, main.exit).attrs
    assert (attrs["code"], attrs["seen"]) == (7, True)
    assert outline(done, "main") == lines(
        """
        main() @run raises Failure('seven')
          Failure.__init__(self=Failure(7, 'seven'), code=7, text='seven') @raise -> None
        """
    )


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
    assert exception(done.trace, call.value, call.exit)["context"] == "ValueError('first')"
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


def children(call: Call) -> list[str]:
    return [c.function.qualname for c in call.children]


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
        return call.outcome, show(done.trace, call.value, call.exit)

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
    check(done.trace)


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
        line_name(done.trace, call, c.caller_line)
        for c in call.children
        if c.function.name in ("__enter__", "__exit__")
    ]
    assert where == ["with", "with", "second", "second"]
    check(done.trace)


def test_exit_is_given_the_exception(record: Record) -> None:
    done = record(
        GUARD
        + "def main():\n    with Guard((ValueError,)):\n        raise ValueError(5)\n\nmain()\n"
    )
    (call,) = done.calls("Guard.__exit__")
    assert [(p.name, show(done.trace, p.value, call.entered)) for p in call.args][2:] == [
        ("value", "ValueError(5)"),
        ("trace", "<traceback>"),
    ]
    assert call.value is True


def test_exception_groups(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def fail():
            raise ExceptionGroup("many", [ValueError(1), KeyError(2), TypeError(3)])  # raise

        def main():
            try:
                fail()  # call
            except* ValueError as group:  # value
                f(len(group.exceptions))  # one
            except* (KeyError, TypeError) as group:  # others
                f(len(group.exceptions))  # two
            return f("end")  # end

        main()  # run
        """
    )
    text = "ExceptionGroup('many', [ValueError(1), KeyError(2), TypeError(3)])"
    assert outline(done, "main") == lines(
        f"""
        main() @run -> 'end'
          fail() @call raises {text}
          f(x=1) @one -> 1
          f(x=2) @two -> 2
          f(x='end') @end -> 'end'
        """
    )
    found = caught(done, done.call("main"))
    assert [c.clause for c in found] == ["value", "others"]
    assert found[0].exception.startswith("ExceptionGroup('many', [ValueError(1)]")
    assert found[1].exception.startswith("ExceptionGroup('many', [KeyError(2), TypeError(3)]")


def test_what_is_left_of_a_group_goes_on(record: Record) -> None:
    done = record(
        """\
        def main():
            try:
                raise ExceptionGroup("many", [ValueError(1), KeyError(2)])
            except* ValueError:
                pass

        def naked():
            try:
                raise ValueError(7)
            except* ValueError as group:
                return_later = group

        try:
            main()  # run
        except ExceptionGroup as rest:
            pass
        naked()
        """
    )
    assert outline(done, "main") == "main() @run raises ExceptionGroup('many', [KeyError(2)])"
    (found,) = caught(done, done.call("naked"))
    assert found.exception == "ExceptionGroup('', (ValueError(7),))"


def test_recovery_deep_in_a_recursion(record: Record) -> None:
    done = record(
        """\
        def down(n):
            if n == 0:
                raise ValueError("bottom")
            try:
                return down(n - 1)  # deeper
            except ValueError:
                if n < 3:
                    raise
                return up(n)  # up

        def up(n):
            return n

        down(4)  # run
        """
    )
    assert outline(done, "down").splitlines()[:6] == [
        "down(n=4) @run -> 3",
        "  down(n=3) @deeper -> 3",
        "    down(n=2) @deeper raises ValueError('bottom')",
        "      down(n=1) @deeper raises ValueError('bottom')",
        "        down(n=0) @deeper raises ValueError('bottom')",
        "    up(n=3) @up -> 3",
    ]


def test_an_exception_through_foreign_code(record: Record) -> None:
    done = record(
        """\
        import contextlib
        import functools

        def f(x):
            return x

        def fail(a, b):
            raise ValueError(a)

        def main():
            with contextlib.suppress(ValueError):
                functools.reduce(fail, [1, 2])  # reduce
            f(1)  # one
            with contextlib.ExitStack() as stack:
                stack.callback(f, "callback")
                stack.push(lambda *exc: f("pushed"))  # push
                raise_it()  # raise

        def raise_it():
            raise KeyError(0)

        try:
            main()  # run
        except KeyError:
            pass
        """
    )
    main = done.call("main")
    assert children(main)[:2] == ["fail", "f"]
    # ExitStack calls the last one first; the lambda says that the exception is dealt with.
    assert children(main)[2:] == ["raise_it", "main.<locals>.<lambda>", "f"]
    assert main.outcome == Outcome.RETURNED
    (pushed,) = done.calls("main.<locals>.<lambda>")
    assert children(pushed) == ["f"]
    assert pushed.caller_line in range(14, 18)
    check(done.trace)


def test_assertions(record: Record) -> None:
    done = record(
        """\
        def check(x):
            assert x > 0, f"not {x}"  # assert
            return x

        check(1)  # good
        try:
            check(-1)  # bad
        except AssertionError:
            pass
        """
    )
    assert outline(done, "check") == lines(
        """
        check(x=1) @good -> 1
        check(x=-1) @bad raises AssertionError('not -1')
        """
    )
    assert left_at(done, done.calls("check")[1]) == "assert"


def test_keyboard_interrupt(record: Record) -> None:
    done = record(
        """\
        import os
        import signal

        def f(x):
            return x

        def handler(number, frame):
            f(number)  # handler

        def main():
            os.kill(os.getpid(), signal.SIGUSR1)  # usr1
            try:
                os.kill(os.getpid(), signal.SIGINT)
                for _ in range(10**6):
                    pass
            except KeyboardInterrupt:
                return f("interrupted")  # interrupted

        signal.signal(signal.SIGUSR1, handler)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        main()  # run
        """
    )
    main = done.call("main")
    assert main.value == "interrupted"
    handler = done.call("handler")
    assert handler.parent == main
    assert handler.args[0].value == handler.children[0].args[0].value
    check(done.trace)
