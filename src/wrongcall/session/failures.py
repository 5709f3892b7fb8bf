"""What went wrong in a run, by what was recorded: the tests that failed, or the exception that ended the program.

A test runner's own word counts, if the trace has it (`wrongcall.trace.format.failed_tests`). Otherwise the calls tell:
test functions that an exception left, or else the program's main module.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wrongcall.recording import Call, Outcome, Recording, Ref
from wrongcall.session.code_of_tests import CodeOfTests
from wrongcall.session.doctest_failures import called_by, failed_examples
from wrongcall.session.outermost import is_program, outermost
from wrongcall.session.unittest_subtests import FailedSubtest, failed_subtests
from wrongcall.trace.format.failed_tests import FailedTest, failed_tests
from wrongcall.tree.pretrusted import is_reporting

RUNNERS = frozenset({"pytest", "py.test", "unittest", "doctest"})
"""Modules that run tests, as in ``wrongcall run -m pytest``."""
DOCTEST = "doctest"
"""The phase of a failed doctest."""
SKIPPED = frozenset({"SkipTest", "Skipped", "XFailed", "_ShouldStop", "_UnexpectedSuccess"})
"""Exceptions by which tests say that they did not fail."""
INTERRUPT = "KeyboardInterrupt"
"""The exception of Ctrl-C."""
NOT_ERRORS = frozenset({"SystemExit", INTERRUPT, "GeneratorExit"})
"""Exceptions that end programs that did not fail."""
_FIXTURES = frozenset(
    {
        *("setUp", "tearDown", "setUpClass", "tearDownClass", "setUpModule", "tearDownModule"),
        *("asyncSetUp", "asyncTearDown", "setup_method", "teardown_method"),
        *("setup_class", "teardown_class", "setup_module", "teardown_module"),
    }
)


@dataclass(frozen=True)
class Failure:
    """A failed test, or a program that ended with an exception: a start for a search."""

    call: int
    """The outermost call that failed; 0: none was recorded."""
    test: str = ""
    """The name of the test; empty: the program itself."""
    phase: str = "call"
    message: str = ""
    example: str = ""
    """The failing example: of a property test as a decorator, of a doctest its source."""
    setup: int = 0
    """The time at which the test began, with its fixtures."""
    began: int = 0
    ended: int = 0
    """The time at which it had failed."""

    @property
    def is_test(self) -> bool:
        """Whether it is a test."""
        return bool(self.test)


def failures_of(recording: Recording) -> list[Failure]:
    """Return what failed, in order: tests if there are any, or else the program, also if Ctrl-C ended it."""
    told = failed_tests(recording.meta)
    if told:
        return [_told(recording, test) for test in told]
    if _program(recording) == "doctest":
        return list(_doctests(recording))
    tests = [_derived(recording, call) for call in _failed_tests(recording)]
    tests += [_derived_subtest(recording, each) for each in failed_subtests(recording)]
    found = _crash(recording, NOT_ERRORS - {INTERRUPT})
    return tests or [_crashed(call) for call in found]


# -- by the test runner ----------------------------------------------------------------------------


def _told(recording: Recording, test: FailedTest) -> Failure:
    texts = (test.id, test.phase, test.message, test.example)
    call = _failed_call(recording, test)
    return Failure(call, *texts, test.setup, test.began, test.ended)


def _doctests(recording: Recording) -> Iterator[Failure]:
    """Go through the failed examples of ``-m doctest``."""
    for each in failed_examples(recording):
        call = called_by(recording, each.source, 0, each.time)
        texts = (each.name, DOCTEST, each.message, each.source)
        yield Failure(0 if call is None else call.id, *texts, ended=each.time)


def _failed_call(recording: Recording, test: FailedTest) -> int:
    """Return the outermost call that an exception left while a phase of a test ran, the last one.

    A property test calls its function again and again; the failing example is the last. If no call ended with an
    exception (it left a `with`, as subtests do), the one that was running is meant.
    """
    if test.phase == DOCTEST:
        made = called_by(recording, test.example, test.began, test.ended)
        return 0 if made is None else made.id
    columns = recording.calls.columns()
    roots = outermost(recording)
    left = roots & (columns.exit > test.began) & (columns.exit < test.ended)
    raised = columns.id[left & (columns.outcome == Outcome.RAISED)].tolist()
    if raised:
        found = [number for number in raised if _is_named(recording, number, test)] or raised
        return int(max(found, key=lambda number: recording.call(number).exit))
    ran = roots & (columns.entry > test.began) & (columns.entry < test.ended)
    code = CodeOfTests(recording)
    mine = [n for n in columns.id[ran].tolist() if _is_in(code, recording.call(n))]
    return mine[-1] if mine else 0


def _is_named(recording: Recording, number: int, test: FailedTest) -> bool:
    """Return whether a call is one to the function that a test is named after; others may run beside it."""
    name = test.id.partition("[")[0].rpartition("::")[2]
    return recording.call(number).function.name == name


def _is_in(code: CodeOfTests, call: Call) -> bool:
    return code.has_function(call.function.id)


# -- by the calls ----------------------------------------------------------------------------------


def _failed_tests(recording: Recording) -> Iterator[Call]:
    """Go through the test functions and methods that an exception left, in the order in which they failed."""
    runner = _program(recording) in RUNNERS
    functions = [
        number
        for number, function in recording.program.functions.items()
        if function.name.startswith("test") or function.name in _FIXTURES
        if runner or _is_method(recording, number)
    ]
    for number in recording.calls.of_functions(functions) if functions else ():
        call = recording.call(number)
        if call.outcome == Outcome.RAISED and _has_failed(recording, call):
            yield call


def _has_failed(recording: Recording, call: Call) -> bool:
    is_skipped = exception_name(recording, call) in SKIPPED
    return _is_outermost(recording, call) and not is_skipped and not _is_expected(recording, call)


def _program(recording: Recording) -> str:
    words = recording.meta.get("program")
    is_module = recording.meta.get("kind") == "module"
    return str(words[0]) if is_module and isinstance(words, list) and words else ""


def _is_method(recording: Recording, number: int) -> bool:
    outer = recording.program.functions.get(recording.program.functions[number].outer)
    return outer is not None and outer.kind == "class"


def _is_outermost(recording: Recording, call: Call) -> bool:
    """Return whether no recorded call but the program itself made a call: a test runner did."""
    return call.parent is None or is_program(recording, call.parent)


def _is_expected(recording: Recording, call: Call) -> bool:
    """Return whether the failure of a test is expected, by its decorators."""
    source = recording.sources.of_function(call.function)
    line = call.function.line - 1
    while line > 0 and source.line(line).lstrip().startswith("@"):
        if "expectedFailure" in source.line(line) or "xfail" in source.line(line):
            return True
        line -= 1
    return source.line(call.function.line).lstrip().startswith("@") and any(
        word in source.line(call.function.line) for word in ("expectedFailure", "xfail")
    )


def _derived(recording: Recording, call: Call) -> Failure:
    file = recording.program.files[call.function.file]
    name = f"{file.module}.{call.function.qualname}"
    return Failure(call.id, name, began=call.entry, setup=0, ended=call.exit)


def _derived_subtest(recording: Recording, failed: FailedSubtest) -> Failure:
    """A subtest does not end its method; the runner reports it when all tests have run."""
    call = recording.call(failed.call)
    return Failure(call.id, failed.name, message=failed.message, began=call.entry, ended=call.last)


def endings_of(recording: Recording) -> list[Failure]:
    """Return what any exception ended, also one that does not mean a failure, such as SystemExit."""
    return [_crashed(call) for call in _crash(recording, frozenset())]


def _crash(recording: Recording, left_out: frozenset[str]) -> Iterator[Call]:
    """Go through the calls that the uncaught exception ended: the main module, or the last outermost call.

    A thread that an exception ended does not end the program; what a reporter calls afterwards says nothing.
    """
    roots = [call for call in recording.calls.roots() if not is_reporting(call)]
    crashed = [
        call
        for call in roots
        if call.outcome == Outcome.RAISED and exception_name(recording, call) not in left_out
    ]
    main = [call for call in crashed if is_program(recording, call)]
    if main:
        yield main[-1]
    elif crashed and not any(is_program(recording, call) for call in roots):
        yield crashed[-1]


def _crashed(call: Call) -> Failure:
    return Failure(call.id, ended=call.exit)


def exception_name(recording: Recording, call: Call) -> str:
    """Return the name of the exception's class that a call ended with; empty if it ended otherwise."""
    value = call.value
    if call.outcome != Outcome.RAISED or not isinstance(value, Ref):
        return ""
    known = recording.states.heap.peek(value.oid, call.exit).type
    return known.qualname.rpartition(".")[2]


# -- what a test needs -----------------------------------------------------------------------------


def needed_by(recording: Recording, failure: Failure) -> tuple[int, ...]:
    """Return the outermost calls, besides the failed one, in which the bug can be if a test failed.

    Those are modules, its own fixtures and earlier ones; not other tests, nor what ran only for them.
    """
    code = CodeOfTests(recording)
    found = []
    for number in recording.calls.columns().id[outermost(recording)].tolist():
        call = recording.call(number)
        if call.id == failure.call or call.entry > failure.ended or is_reporting(call):
            continue
        is_own = call.entry > failure.setup and not _is_other_example(recording, call, failure)
        if is_own or not (_is_test(code, call) or call.function.name in _FIXTURES):
            found.append(call.id)
    return tuple(found)


def _is_test(code: CodeOfTests, call: Call) -> bool:
    return call.function.name.startswith("test") and code.has_function(call.function.id)


def _is_other_example(recording: Recording, call: Call, failure: Failure) -> bool:
    """Return whether a property test called the test function with another example."""
    return bool(failure.call) and call.function.id == recording.call(failure.call).function.id
