"""What generators change, while others run."""

from __future__ import annotations

from tests.oracles.reference.conftest import Judge, all_right
from wrongcall.session import Verdict


def test_what_a_generator_changes_counts(judge: Judge) -> None:
    source = """
        def numbers(log, n):
            for i in range(n):
                log.append(i)
                yield i

        def main():
            log = []
            for i in numbers(log, 3):
                pass
            return log

        main()
        """
    assert all_right(judge(source))
    found = judge(source, "log.append(i)", "log.append(-i)")
    assert found == {
        "<module>": [Verdict.RIGHT],
        "main": [Verdict.WRONG],
        "numbers": [Verdict.WRONG],
    }
