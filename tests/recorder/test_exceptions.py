"""Exceptions: raised, propagated, caught, chained, grouped."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.recorder.conftest import Record, Recorded
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
from wrongcall.events import Kind
from wrongcall.recording import Call, Outcome, Ref


class Caught(NamedTuple):
    """An `except` clause that caught: the exception, the line that raised it, the clause's line."""

    exception: str
    raised: str
    clause: str


def caught(done: Recorded, call: Call) -> list[Caught]:
    """Return what a call caught, in order."""
    found = done.recording.events.select({Kind.CAUGHT}, call=call.id)
    result = []
    for time, event in zip(found.times.tolist(), found.events, strict=True):
        value = done.recording.states.values.read(int(event["vtag"]), int(event["value"]))
        clause = done.recording.program.sites[int(event["site"])].line
        result.append(
            Caught(
                show(done.recording, value, time),
                line_name(done.recording, call, int(event["key"])),
                line_name(done.recording, call, clause),
            )
        )
    return result


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
    assert done.recording.places.local_writes(main.id, "error")[0].new == fail.value


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
    with pytest.raises(ZeroDivisionError) as error:
        4 // 0  # noqa: B018 - its message is another one from 3.14 on
    assert outline(done, "main") == lines(
        f"""
        main() @run -> None
          divide(a=4, b=1) @call -> 4
          divide(a=4, b=0) @call raises {error.value!r}
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
    check(done.recording)


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
    check(done.recording)


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
    (inside,) = done.recording.places.local_writes(call.id, "inside")
    (after,) = done.recording.places.local_writes(call.id, "after")
    assert "e" in done.recording.states.locals(call.id, inside.time)
    assert "e" not in done.recording.states.locals(call.id, after.time)


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
    assert exception(done.recording, explicit.value, explicit.exit) == {
        "is": "ValueError('high')",
        "cause": "KeyError('low')",
        "context": "KeyError('low')",
    }
    assert exception(done.recording, implicit.value, implicit.exit) == {
        "is": "ValueError('second')",
        "cause": "None",
        "context": "KeyError('first')",
    }
    found = exception(done.recording, hidden.value, hidden.exit)
    assert (found["is"], found["cause"]) == ("ValueError('only')", "None")
    check(done.recording)


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
    attrs = done.recording.states.state(main.value.oid, main.exit).attrs
    assert (attrs["code"], attrs["seen"]) == (7, True)
    assert outline(done, "main") == lines(
        """
        main() @run raises Failure('seven')
          Failure.__init__(self=Failure(7, 'seven'), code=7, text='seven') @raise -> None
        """
    )


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


def test_the_unhandled_rest_of_a_group_propagates(record: Record) -> None:
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
    check(done.recording)


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
    check(done.recording)
