"""The lines of a call, placed among the events of its thread."""

from __future__ import annotations

from tests.recorder.conftest import Record


def test_a_line_that_resumes_a_generator_is_before_what_it_resumes(record: Record) -> None:
    recorded = record(
        """\
        def gen(seen):
            seen.append(1)
            yield 1
            seen.append(2)
            yield 2

        def main():
            seen = []
            g = gen(seen)
            first = next(g)
            second = next(g)
            return seen

        main()
        """
    )
    walk, main = recorded.recording.walk, recorded.call("main")
    gen = recorded.call("gen")
    lines, inner = walk.lines(main.id), walk.lines(gen.id)
    at = {int(line): number for number, line in enumerate(lines.line)}
    resumed = {int(line): int(time) for line, time in zip(inner.line, inner.time, strict=True)}
    for line, first in ((10, 2), (11, 4)):
        stop = lines.stop(at[line])
        assert stop.time < resumed[first]
        seen = recorded.recording.asking.eval("len(seen)", main.id, stop.state).value
        assert seen == line - 10, "what the generator does has not happened yet"


def test_states_and_times_ascend(record: Record) -> None:
    recorded = record(
        """\
        def main(n):
            for i in range(n):
                if i % 2:
                    continue
                pass
            return n

        main(4)
        """
    )
    lines = recorded.recording.walk.lines(recorded.call("main").id)
    assert lines.line.tolist() == [2, 3, 5, 2, 3, 4, 2, 3, 5, 2, 3, 4, 2, 6]
    assert lines.time.tolist() == sorted(lines.time.tolist())
    assert lines.state.tolist() == sorted(lines.state.tolist())
    assert lines.nbytes > 0
