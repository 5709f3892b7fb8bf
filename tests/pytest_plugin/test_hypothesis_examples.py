"""Property tests: the minimal failing example is the one that is recorded."""

from __future__ import annotations

import pytest

from tests.pytest_plugin.suites import failures, opened, run, traces
from wrongcall.present.findings import finding_view
from wrongcall.present.reports import as_markdown, report_of
from wrongcall.session import Finding
from wrongcall.session.failures import failures_of
from wrongcall.session.search import How, Search
from wrongcall.session.starts import start_at

pytest_plugins = ["pytester"]


@pytest.mark.parametrize("database", ["", ", database=None"])
def test_the_minimal_failing_example_is_recorded(pytester: pytest.Pytester, database: str) -> None:
    pytester.makepyfile(
        test_property=f"""
        from hypothesis import given, settings, strategies as st
        from numbers_ import doubled

        @settings(max_examples=200{database})
        @given(st.integers(0, 1000))
        def test_doubled(n):
            assert doubled(n) == 2 * n
        """,
        numbers_="""
        def doubled(n):
            return 2 * n if n < 37 else 0
        """,
    )
    plugin = "_hypothesis_pytestplugin"
    result = run(pytester, "--wrongcall", plugins=(plugin,))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["RECORDED *::test_doubled", "  failing example: @example(n=37)", "  wrongcall debug *"]
    )
    (trace,) = traces(pytester)
    (failed,) = failures(pytester.path / ".wrongcall" / trace)
    assert failed["example"] == "@example(n=37)"
    with opened(pytester, trace) as recording:
        calls = [call for call in recording.calls.roots() if call.function.name == "test_doubled"]
        assert [passed.value for passed in calls[-1].args] == [37]
        if not database:
            # Nothing but the example is in the trace.
            assert {call.args[0].value for call in calls} == {37}


def test_the_example_stands_in_the_report(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_property="""
        from hypothesis import given, strategies as st
        from numbers_ import doubled

        @given(st.integers(0, 1000))
        def test_doubled(n):
            assert doubled(n) == 2 * n
        """,
        numbers_="def doubled(n):\n    return 2 * n if n < 37 else 0",
    )
    run(pytester, "--wrongcall", plugins=("_hypothesis_pytestplugin",))
    (trace,) = traces(pytester)
    with opened(pytester, trace) as recording, Search(recording, How(fresh=True)) as search:
        search.begin(start_at(recording, failures_of(recording)[0]))
        question = search.led()
        assert question is not None
        assert recording.call(question.calls[0]).args[0].value == 37
        search.tell(lambda session: session.judge(question.calls[0], "wrong"))
        search.advance()
        found = search.step()
        assert isinstance(found, Finding)
        view = finding_view(recording, search.session, found)
        report = report_of(recording, search.session, view)
    assert report.example == "@example(n=37)"
    assert "@example(n=37)" in as_markdown(report)
