"""What the same call did in two runs: what is compared, and what can't be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracles.reference.two_runs import judged

PROGRAM = """
    import functools
    import threading

    class Box:
        pass

    NAMES = []
    TABLE = {{}}
    COUNT = 0

    def call(given):
        return low(given)

    def low(given):
        {body}

    call([1, 2])
    """


def verdict(folder: Path, body: str, right: str) -> str:
    """Return what is said about a call if its callee should do something else."""
    source = PROGRAM.format(body=body)
    return judged(folder, source, (body, right))["call"][0]


@pytest.mark.parametrize(
    "body, right, said",
    [
        ("return 1", "return 1 if given else 2", "right"),
        ("return [1, (2.0, 'x')]", "return [len(given) - 1, (2.0, 'x')]", "right"),
        ("return {'a': {1, 2}}", "return dict(a={2, 1})", "right"),
        ("return given", "return given or 0", "right"),
        ("box = Box(); box.x = given; return box", "box = Box(); box.x = given or 0; return box", "right"),
        ("NAMES.append([1])", "NAMES.append([len(given) - 1])", "right"),
        ("TABLE['k'] = given", "TABLE['k'] = given or 0", "right"),
        ("print('x')", "print('x', sep='')", "right"),
        ("return __file__", "return __file__ + ''", "right"),
        ("return 1", "return True", "wrong: result is True, not 1"),
        ("return 1", "return 1.0", "wrong: result is 1.0, not 1"),
        ("return 1", "raise ValueError(2)", "wrong: it raises another object"),
        ("return [1, (2.0, 'x')]", "return [1, (2.0, 'y')]", "wrong: result[1][1] is 'y', not 'x'"),
        ("return {'a': {1, 2}}", "return {'a': {1, 3}}", "wrong: result['a'] has other members"),
        ("return given", "return given[:]", "wrong: result is another object"),
        ("a = []; return [a, a]", "a = []; return [a, []]", "wrong: result[0] is another object"),
        ("NAMES.append([1])", "NAMES.append([2])", "wrong: a list[0][0] is 2, not 1"),
        ("NAMES.append([1])", "pass", "wrong: a list has another length"),
        ("NAMES.clear()", "TABLE['k'] = 1", "wrong: a dict has another length"),
        ("global COUNT; COUNT = 1", "global COUNT; COUNT = 2", "wrong: a module: COUNT is 2, not 1"),
        ("given.append(3)", "given.append(4)", "wrong: a list[2] is 4, not 3"),
        ("print('x')", "print('y')", "wrong: it prints something else"),
        ("return threading.Lock()", "return threading.Lock() or 0", "don't know: not all of a lock is known"),
        ("return lambda: 1", "return given and (lambda: 1)", "don't know: not all of a function is known"),
        ("return (n for n in [1])", "return (n for n in [2])", "don't know: not all of a generator is known"),
        ("return [threading.Lock(), 1]", "return [threading.Lock(), 2]", "wrong: result[1] is 2, not 1"),
    ],
)  # fmt: skip
def test_outcomes_are_compared_as_far_as_they_are_known(
    tmp_path: Path, body: str, right: str, said: str
) -> None:
    found = verdict(tmp_path, body, right)
    assert found.startswith(said), found
    assert (found == "right: ") == (said == "right")


def test_long_chains_of_objects_are_compared(tmp_path: Path) -> None:
    body = "return functools.reduce(lambda x, _: [x], range(3000), 0)"
    found = verdict(tmp_path, body, body.replace(", 0)", ", 1)"))
    assert found.startswith("wrong: result[0][0]")
    assert len(found) < 200


def test_generators_are_not_compared(tmp_path: Path) -> None:
    source = "def numbers():\n    yield 1\n\nlist(numbers())\n"
    found = judged(tmp_path, source, ("yield 1", "yield 2"))
    assert found["numbers"] == ["don't know: calls of this kind are not compared"]
