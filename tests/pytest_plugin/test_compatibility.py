"""Other plugins of pytest, and the kinds of tests they add."""

from __future__ import annotations

import re

import pytest

from tests.pytest_plugin.suites import failures, opened, run, traces
from wrongcall.recording import Recording
from wrongcall.session import Finding, Question
from wrongcall.session.failures import Failure, failures_of
from wrongcall.session.search import How, Search
from wrongcall.session.starts import start_at

pytest_plugins = ["pytester"]
CLOCK = """
    import asyncio

    async def later(n):
        await asyncio.sleep(0)
        return doubled(n)

    def doubled(n):
        return n + n + (n == 3)

    async def both(a, b):
        return await asyncio.gather(later(a), later(b))
"""


def _failure(recording: Recording) -> Failure:
    (found,) = failures_of(recording)
    return found


def _first(pytester: pytest.Pytester) -> list[str]:
    """Return the functions that the first questions are about."""
    (trace,) = traces(pytester)
    with opened(pytester, trace) as recording:
        start = start_at(recording, _failure(recording))
        calls = start.first or start.way
        return [recording.call(call).function.qualname for call in calls]


@pytest.mark.parametrize("plugin, mark", [("pytest_asyncio", "asyncio"), ("anyio", "anyio")])
def test_async_tests(pytester: pytest.Pytester, plugin: str, mark: str) -> None:
    pytester.makepyfile(
        clock=CLOCK,
        test_clock=f"""
        import pytest
        from clock import both, later

        @pytest.fixture
        def anyio_backend():
            return "asyncio"

        @pytest.mark.{mark}
        async def test_later():
            assert await later(3) == 6

        @pytest.mark.{mark}
        async def test_right():
            assert await both(1, 2) == [2, 4]
        """,
    )
    name = f"{plugin}.{'plugin' if plugin == 'pytest_asyncio' else 'pytest_plugin'}"
    result = run(pytester, "--wrongcall", plugins=(name,))
    result.assert_outcomes(failed=1, passed=1)
    (trace,) = traces(pytester)
    (failed,) = failures(pytester.path / ".wrongcall" / trace)
    assert failed["phase"] == "call"
    with opened(pytester, trace) as recording:
        assert recording.call(_failure(recording).call).function.name == "test_later"
    assert _first(pytester)[:2] == ["doubled", "later"]


def test_a_test_with_a_time_limit_is_recorded_to_its_end(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_slow="""
        import pathlib, time, pytest

        @pytest.mark.timeout(1)
        def test_slow():
            time.sleep(2)
            pathlib.Path("done").touch()
        """
    )
    result = run(pytester, "--wrongcall", plugins=("pytest_timeout",))
    result.assert_outcomes(failed=1)
    assert (pytester.path / "done").exists()
    result.stdout.fnmatch_lines(["FLAKY (passed when run again) test_slow.py::test_slow"])


def test_coverage_is_that_of_the_tests_as_they_ran(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        shop="def used():\n    return 1\ndef unused():\n    return 2",
        test_shop="import shop\ndef test_it(): assert shop.used() == 2",
    )
    words = ("--cov=shop", "--cov-report=term-missing")
    result = run(pytester, "--wrongcall", *words, plugins=("pytest_cov",))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["shop.py * 4 * 1 * 75%*"])
    assert _first(pytester) == ["used"]


def test_subtests_lead_to_the_value_that_was_checked(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        clock=CLOCK,
        test_clock="""
        from clock import doubled

        def test_it(subtests):
            for n in (1, 2, 3, 4):
                with subtests.test(n=n):
                    assert doubled(n) == 2 * n
        """,
    )
    run(pytester, "--wrongcall")
    (trace,) = traces(pytester)
    with opened(pytester, trace) as recording:
        failure = failures_of(recording)[0]
        start = start_at(recording, failure)
        (call,) = start.first
        assert [passed.value for passed in recording.call(call).args] == [3]


def test_assertions_are_rewritten_in_the_recorded_run(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_it():\n    x = [1, 2]\n    assert x == [1, 3]")
    result = run(pytester, "--wrongcall=on")
    result.stdout.fnmatch_lines(["E*At index 1 diff: 2 != 3"])


def test_the_failed_tests_of_the_last_run_can_be_chosen(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_one(): assert 0\ndef test_two(): pass")
    run(pytester).assert_outcomes(failed=1, passed=1)
    run(pytester, "--lf", "--wrongcall").assert_outcomes(failed=1)
    assert traces(pytester) == ["test_it.py/test_one/1.wrongcall"]
    # The recorded run leaves the memory of pytest alone.
    run(pytester, "--lf").assert_outcomes(failed=1)


def test_options_of_the_project_reach_the_recorded_run(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest

        def pytest_addoption(parser):
            parser.addoption("--speed", default="slow")

        @pytest.fixture
        def speed(request):
            return request.config.getoption("--speed")
        """
    )
    pytester.makeini("[pytest]\naddopts = -x --strict-markers\n")
    pytester.makepyfile(test_it="def test_it(speed):\n    assert speed == 'slow'")
    result = run(pytester, "--wrongcall", "--speed", "fast")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["RECORDED test_it.py::test_it"])


KINDS = """
    import unittest
    import pytest
    from clock import doubled

    class TestClass:
        def test_method(self):
            assert doubled(3) == 6

        @pytest.mark.parametrize("n", [2, 3])
        def test_parameters(self, n):
            assert doubled(n) == 2 * n

    class TestSetupMethod:
        def setup_method(self):
            self.n = check(doubled(3))

        def test_it(self):
            pass

    class SetUp(unittest.TestCase):
        def setUp(self):
            self.assertEqual(doubled(3), 6)

        def test_it(self):
            pass

    class TearDown(unittest.TestCase):
        def tearDown(self):
            self.assertEqual(doubled(3), 6)

        def test_it(self):
            pass

    class CleanUp(unittest.TestCase):
        def test_it(self):
            self.addCleanup(self.assertEqual, doubled(3), 6)

    class SetUpClass(unittest.TestCase):
        @classmethod
        def setUpClass(cls):
            check(doubled(3))

        def test_it(self):
            pass

    def check(n):
        assert n == 6

    def test_conftest(six):
        pass

    def test_value_of_conftest(tripled):
        assert tripled == 6

    def test_after_conftest(tidied):
        pass

    def test_finalizer(request):
        request.addfinalizer(lambda: check(doubled(3)))
"""
CONFTEST = """
    import pytest
    from clock import doubled

    @pytest.fixture
    def six():
        found = doubled(3)
        assert found == 6
        return found

    @pytest.fixture
    def tripled():
        return doubled(3)

    @pytest.fixture
    def tidied():
        yield
        assert doubled(3) == 6
"""
PHASES = {
    "TestClass.test_method": "call",
    "TestClass.test_parameters_3_": "call",
    "TestSetupMethod.test_it": "setup",
    "SetUp.test_it": "call",
    "TearDown.test_it": "call",
    "CleanUp.test_it": "call",
    "SetUpClass.test_it": "setup",
    "test_conftest": "setup",
    "test_value_of_conftest": "call",
    "test_after_conftest": "teardown",
    "test_finalizer": "teardown",
}


def test_every_kind_of_test_and_set_up_leads_to_the_program(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(clock=CLOCK, test_kinds=KINDS)
    run(pytester, "--wrongcall")
    phases, asked = {}, {}
    for trace in traces(pytester):
        name = re.sub("-[0-9a-f]+$", "", trace.split("/")[1])
        (failed,) = failures(pytester.path / ".wrongcall" / trace)
        phases[name] = failed["phase"]
        with opened(pytester, trace) as recording, Search(recording, How(fresh=True)) as search:
            search.begin(start_at(recording, _failure(recording)))
            led = search.led()
            if led is None:
                search.advance()
            step = search.step() if led is None else led
            assert isinstance(step, Question | Finding), name
            asked[name] = [recording.call(call).function.name for call in step.calls]
    assert phases == PHASES
    assert asked == {name: ["doubled"] for name in PHASES}


@pytest.mark.parametrize(
    "plugin, decorator", [("pytest_asyncio", "pytest_asyncio.fixture"), ("anyio", "pytest.fixture")]
)
def test_async_fixtures(pytester: pytest.Pytester, plugin: str, decorator: str) -> None:
    mark = "asyncio" if plugin == "pytest_asyncio" else "anyio"
    pytester.makepyfile(
        clock=CLOCK,
        test_clock=f"""
        import pytest, {plugin}
        from clock import later

        @pytest.fixture
        def anyio_backend():
            return "asyncio"

        @{decorator}
        async def six():
            assert await later(3) == 6

        @{decorator}
        async def tidied():
            yield
            assert await later(3) == 6

        @pytest.mark.{mark}
        async def test_set_up(six):
            pass

        @pytest.mark.{mark}
        async def test_teardown(tidied):
            pass
        """,
    )
    name = f"{plugin}.{'plugin' if plugin == 'pytest_asyncio' else 'pytest_plugin'}"
    run(pytester, "--wrongcall", plugins=(name,)).assert_outcomes(passed=1, errors=2)
    phases, first = {}, {}
    for trace in traces(pytester):
        (failed,) = failures(pytester.path / ".wrongcall" / trace)
        phases[trace] = failed["phase"]
        with opened(pytester, trace) as recording:
            start = start_at(recording, _failure(recording))
            calls = start.first or start.way
            first[trace] = recording.call(calls[0]).function.name
    assert list(phases.values()) == ["setup", "teardown"]
    assert set(first.values()) == {"doubled"}


def test_workers_record_failures_of_fixtures_again(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(
        clock=CLOCK,
        test_one="def test_conftest(six): pass\ndef test_right(): pass",
        test_two="def test_after_conftest(tidied): pass",
    )
    result = run(pytester, "--wrongcall", "-n", "2", "--junitxml=junit.xml", plugins=("xdist",))
    result.assert_outcomes(passed=2, errors=2)
    found = traces(pytester)
    assert found == [
        "test_one.py/test_conftest/1.wrongcall",
        "test_two.py/test_after_conftest/1.wrongcall",
    ]
    written = (pytester.path / "junit.xml").read_text("utf-8")
    assert all(f'value=".wrongcall/{trace}"' in written for trace in found)


def test_a_failed_doctest_is_recorded(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        temps='''
        def mean(values):
            """
            >>> mean([2, 4])
            3.0
            >>> mean([1, 1, 1, 1])
            1.0
            """
            return sum(values) / 2
        '''
    )
    result = run(pytester, "--wrongcall", "--doctest-modules")
    result.assert_outcomes(failed=1)
    (trace,) = traces(pytester)
    assert trace == "temps.py/temps.mean/1.wrongcall"
    (failed,) = failures(pytester.path / ".wrongcall" / trace)
    assert failed["phase"] == "doctest"
    assert failed["example"] == "mean([1, 1, 1, 1])"
    assert failed["message"] == "expected 1.0 got 2.0"
