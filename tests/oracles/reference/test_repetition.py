"""Small programs: each is recorded as it is and judged by another version."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.oracles.reference.conftest import Judge, all_right
from tests.oracles.reference.here import Here
from tests.recorder.conftest import Record
from wrongcall.session import Verdict

pytestmark = pytest.mark.once
RIGHT, WRONG, DONT_KNOW = Verdict.RIGHT, Verdict.WRONG, Verdict.DONT_KNOW

# -- results ---------------------------------------------------------------------------------------


def test_results(judge: Judge) -> None:
    found = judge(
        """
        def double(n):
            return n + n if n != 3 else 7

        def both(a, b):
            return [double(a), double(b)]

        both(1, 2)
        both(2, 3)
        """,
        "n + n if n != 3 else 7",
        "n + n",
    )
    # The module shows nothing that is wrong.
    assert found == {
        "<module>": [RIGHT],
        "both": [RIGHT, WRONG],
        "double": [RIGHT, RIGHT, RIGHT, WRONG],
    }


def test_what_is_raised(judge: Judge) -> None:
    source = """
        class Problem(Exception):
            def __init__(self, what, level):
                super().__init__(what)
                self.level = level

        def check(n):
            if n > 1:
                raise Problem(f"{n} is too large", LEVEL)
            return n

        for n in (1, 2):
            try:
                check(n)
            except Problem:
                pass
        """
    good = source.replace("LEVEL", "2")
    assert all_right(judge(good))
    assert judge(good, "too large", "too big")["check"] == [RIGHT, WRONG]
    assert judge(good, 'large", 2', 'large", 3')["check"] == [RIGHT, WRONG]
    assert judge(good, "n > 1", "n > 0")["check"] == [WRONG, RIGHT]
    assert judge(good, "n > 1", "n > 2")["check"] == [RIGHT, WRONG]


def test_what_is_printed(judge: Judge) -> None:
    found = judge(
        """
        import sys

        def show(n):
            print(n, file=sys.stderr if n > 1 else sys.stdout)

        def main():
            show(1)
            show(2)

        main()
        """,
        "sys.stderr if n > 1 else sys.stdout",
        "sys.stdout",
    )
    assert found == {"<module>": [WRONG], "main": [WRONG], "show": [RIGHT, WRONG]}


def test_all_kinds_of_parameters(judge: Judge) -> None:
    source = """
        def f(a, /, b, c=3, *more, d, e=5, **rest):
            return (a, b, c, more, d, e, rest)

        f(1, 2, d=4)
        f(1, b=2, d=4, x=9)
        f(1, 2, 33, 34, 35, d=4, e=55)
        """
    assert all_right(judge(source))
    assert judge(source, "d, e, rest)", "d, e, dict(rest, x=9))")["f"] == [WRONG, RIGHT, WRONG]


def test_values_of_every_kind(judge: Judge) -> None:
    source = """
        import enum
        from collections import OrderedDict, deque
        from dataclasses import dataclass

        class Colour(enum.Enum):
            RED = 1

        class Level(enum.IntEnum):
            LOW = 1

        class Name(str):
            pass

        class Stack(list):
            pass

        class Slotted:
            __slots__ = ("x", "y")

        @dataclass(frozen=True)
        class Point:
            x: int

        def look(*values):
            return list(values)

        slotted = Slotted()
        slotted.x = 1
        stack = Stack([1])
        stack.name = "s"
        look(1, 2.5, -0.0, float("nan"), 1j, "é", b"x", None, True, ..., 10**30)
        look([1], (1, [2]), {1: {2}}, frozenset({3}), deque([1]), bytearray(b"ab"), range(3))
        look(Level.LOW, Name("n"), 3, 4, 5, 6, 7)
        look(Colour.RED, stack, slotted, Point(1), {Point(2): 1}, {Point(3)}, OrderedDict(a=1))
        look(ValueError("x"), slice(1), len, Point, look, stack.append)
        """
    found = judge(source)["look"]
    assert found == [RIGHT, RIGHT, RIGHT, RIGHT, RIGHT]
    changed = judge(source, "return list(values)", "return list(values)[:7] + [values[-1]]")
    assert changed["look"] == [WRONG, WRONG, WRONG, WRONG, WRONG]


ELEMENTS = """
    import xml.etree.ElementTree as ET

    class Own(ET.Element):
        pass

    TABLE = ET.Element("table")

    def grow(parent, text):
        made = ET.SubElement(parent, "b", k="v")
        made.text = text.strip()
        parent.set("n", str(len(parent)))
        return made

    def add_row(own):
        TABLE.append(own)
        TABLE.tail = own.tag

    def empty(e):
        e.clear()

    root = ET.fromstring("<a>te<c/>xt</a>")
    grow(root, "one")
    grow(root, " two ")
    own = Own("own")
    own.number = 1
    add_row(own)
    add_row(root)
    empty(root[2])
    empty(root)
    """


def test_elements_of_xml(judge: Judge) -> None:
    assert all_right(judge(ELEMENTS))
    assert judge(ELEMENTS, "text.strip()", "text")["grow"] == [RIGHT, WRONG]
    assert judge(ELEMENTS, 'k="v"', 'k="w"')["grow"] == [WRONG, WRONG]
    assert judge(ELEMENTS, "str(len(parent))", '"1"')["grow"] == [WRONG, WRONG]
    assert judge(ELEMENTS, "TABLE.append(own)", "TABLE[:] = [own]")["add_row"] == [RIGHT, WRONG]
    assert judge(ELEMENTS, "own.tag", "own.text")["add_row"] == [WRONG, WRONG]
    assert judge(ELEMENTS, "e.clear()", "del e[:]")["empty"] == [WRONG, WRONG]


# -- state -----------------------------------------------------------------------------------------


def test_what_is_changed(judge: Judge) -> None:
    found = judge(
        """
        class Account:
            def __init__(self):
                self.balance = 0
                self.log = []

            def add(self, amount):
                self.balance += abs(amount)
                self.log.append(amount)

        def main():
            account = Account()
            account.add(5)
            account.add(-2)

        main()
        """,
        "abs(amount)",
        "amount",
    )
    assert found["Account.add"] == [RIGHT, WRONG]
    assert found["Account.__init__"] == found["main"] == [RIGHT]


def test_aliases_and_cycles(judge: Judge) -> None:
    source = """
        class Node:
            pass

        def link(a, b, pair):
            a.next, b.next = b, a
            pair[0].seen = True
            return a

        def main():
            a, b = Node(), Node()
            circle = [a]
            circle.append((circle, b))
            link(a, b, circle)
            link(a, b, (b, circle))

        main()
        """
    assert all_right(judge(source))
    assert judge(source, "pair[0]", "a")["link"] == [RIGHT, WRONG]
    assert judge(source, "a.next, b.next = b, a", "a.next, b.next = a, b")["link"] == [WRONG, WRONG]


def test_a_copy_is_not_the_thing_itself(judge: Judge) -> None:
    source = """
        def given(numbers):
            return numbers

        def halves(numbers):
            return (numbers, numbers)

        given([1])
        halves([])
        """
    assert judge(source, "return numbers\n", "return numbers[:]\n")["given"] == [WRONG]
    assert judge(source, "(numbers, numbers)", "(numbers, list(numbers))")["halves"] == [WRONG]


def test_globals_and_class_attributes(judge: Judge) -> None:
    source = """
        total = 0
        names = []

        class Counter:
            count = 0

            @classmethod
            def tick(cls, name):
                global total
                cls.count += 1
                total += cls.count
                names.append(name)
                return cls.count

        Counter.tick("a")
        Counter.tick("b")
        """
    assert all_right(judge(source))
    for wrong, right in (
        ("total += cls.count", "total += 1"),
        ("names.append(name)", "names[:] = [name]"),
    ):
        assert judge(source, wrong, right)["Counter.tick"] == [RIGHT, WRONG]
    assert judge(source, "count += 1", "count += 2")["Counter.tick"] == [WRONG, WRONG]


def test_closures(judge: Judge) -> None:
    source = """
        def make(start):
            total = [start]
            count = 0

            def add(n):
                nonlocal count
                count += 1
                total[0] += n
                return total[0]

            def average():
                return total[0] / count

            return add, average, lambda n: n + count

        add, average, more = make(1)
        add(2)
        add(5)
        average()
        more(1)
        """
    assert all_right(judge(source))
    found = judge(source, "count += 1", "count += 1 if n < 5 else 2")
    assert found["make.<locals>.add"] == [RIGHT, WRONG]
    assert found["make.<locals>.average"] == found["make.<locals>.<lambda>"] == [RIGHT]
    assert judge(source, "n + count", "n - count")["make.<locals>.<lambda>"] == [WRONG]


def test_methods_of_classes(judge: Judge) -> None:
    source = """
        import functools

        class Base:
            def size(self):
                return 1

        class Middle(Base):
            def size(self):
                return super().size() + 1

            @property
            def double(self):
                return 2 * self.size()

            @staticmethod
            def half(n):
                return n // 2

            @functools.lru_cache
            def cached(self):
                return self.half(self.double)

        Middle().cached()
        """
    assert all_right(judge(source))
    found = judge(source, "super().size() + 1", "Base.size(self) + 2")
    assert found["Base.size"] == found["Middle.half"] == [RIGHT]
    assert found["Middle.size"] == found["Middle.double"] == found["Middle.cached"] == [WRONG]


def test_lambdas_are_told_apart(judge: Judge) -> None:
    source = """
        pair = (lambda n: n + 1, lambda n: n - 1)
        pair[0](1)
        pair[1](1)
        """
    assert judge(source, "n - 1", "n - 2")["<lambda>"] == [RIGHT, WRONG]


def test_class_bodies(judge: Judge) -> None:
    source = """
        class A:
            limit = 3
            names = ["a"]
            def f(self): pass

        class B(A):
            pass
        """
    assert all_right(judge(source))
    found = judge(source, "limit = 3", "limit = 4")
    assert (found["A"], found["B"]) == ([WRONG], [RIGHT])


# -- generators and coroutines ---------------------------------------------------------------------


def test_generators(judge: Judge) -> None:
    source = """
        def numbers(n):
            for i in range(n):
                yield i
            return "end"

        def squares(given):
            for i in given:
                yield i * i

        def first(given):
            for i in given:
                return i

        def total(given):
            return sum(given)

        total(squares(numbers(4)))
        first(squares(numbers(4)))
        """
    assert all_right(judge(source))
    found = judge(source, "i * i", "i * abs(i - 1)")
    assert found == {
        "<module>": [RIGHT],
        "numbers": [RIGHT, RIGHT],
        "squares": [WRONG, RIGHT],
        "first": [RIGHT],
        "total": [RIGHT],
    }
    assert judge(source, "range(n)", "range(n - 1)")["numbers"] == [WRONG, RIGHT]
    assert judge(source, "range(n)", "range(n + 1)")["numbers"] == [WRONG, RIGHT]
    assert judge(source, '"end"', "None")["numbers"] == [WRONG, RIGHT]


def test_a_generator_that_is_returned_counts_with_its_life(judge: Judge) -> None:
    source = """
        def numbers(n):
            for i in range(n):
                yield i

        def small():
            return numbers(2)

        def unused():
            return numbers(3)

        list(small())
        unused()
        """
    assert all_right(judge(source))
    found = judge(source, "yield i", "yield -i")
    assert (found["small"], found["unused"]) == ([WRONG], [RIGHT])


def test_how_much_a_generator_was_asked_counts(judge: Judge) -> None:
    source = """
        def numbers():
            yield 1
            yield 1
            yield 1

        def take(given):
            next(given)
            return next(given)

        def main():
            given = numbers()
            take(given)
            return next(given)

        main()
        """
    assert all_right(judge(source))
    assert judge(source, "    next(given)\n", "    pass\n")["take"] == [WRONG]


def test_what_a_generator_would_have_yielded_is_not_known(judge: Judge) -> None:
    source = """
        def numbers():
            yield 1
            yield 2

        def take(given):
            return next(given)

        take(numbers())
        """
    assert judge(source, "return next", "next(given)\n    return next")["take"] == [DONT_KNOW]


def test_values_sent_to_generators(judge: Judge) -> None:
    source = """
        def echo():
            got = yield "ready"
            while got:
                got = yield got.upper()

        def talk():
            it = echo()
            return [next(it), it.send("a"), it.send("b")]

        talk()
        """
    assert all_right(judge(source))
    found = judge(source, "got.upper()", "got.title() if got == 'a' else got")
    assert found["echo"] == found["talk"] == [WRONG]


def test_a_generator_that_an_exception_was_thrown_into_is_not_repeated(judge: Judge) -> None:
    """Which exception that was is known at its end at most; without it, it would return instead of raising."""
    source = """
        from contextlib import contextmanager

        @contextmanager
        def behind():
            yield 1
            return

        def caught():
            try:
                yield 1
            except ValueError:
                pass
            yield 2

        def asked():
            got = yield 1
            raise KeyError(got)

        def main():
            try:
                with behind():
                    raise TypeError
            except TypeError:
                pass
            it = caught()
            next(it)
            it.throw(ValueError())
            list(it)
            try:
                list(asked())
            except KeyError:
                pass

        main()
        """
    found = judge(source)
    assert found["behind"] == found["caught"] == [DONT_KNOW]
    assert found["asked"] == found["main"] == [RIGHT]


def test_coroutines_that_run_at_the_same_time(judge: Judge) -> None:
    source = """
        import asyncio

        async def wait(n):
            await asyncio.sleep(0)
            return n

        async def work(name, done):
            done[name] = 0
            for i in range(2):
                done[name] += await wait(i)
            return name.upper()

        async def main():
            done = {}
            await asyncio.gather(work("a", done), work("b", done))
            return done

        asyncio.run(main())
        """
    assert all_right(judge(source))
    found = judge(source, "await wait(i)", "await wait(i) * (2 if name == 'b' else 1)")
    assert (found["wait"], found["work"], found["main"]) == ([RIGHT] * 4, [RIGHT, WRONG], [WRONG])


# -- what cannot be repeated -----------------------------------------------------------------------


def test_what_is_not_known_is_not_judged(judge: Judge) -> None:
    source = """
        def first(lines):
            return next(lines)

        first(iter([1, 2]))
        """
    assert judge(source)["first"] == [DONT_KNOW]


# -- groups ----------------------------------------------------------------------------------------

GROUP = """
    class Walker:
        def __init__(self):
            self.x = 0

        def right(self):
            self.x += 1
            return self.x

    def main():
        walker = Walker()
        for _ in range(3):
            walker.right()

    main()
    """


def grouped(record: Record, folder: Path, source: str, wrong: str, right: str) -> Verdict:
    recorded = record(source)
    (folder / "fixed.py").write_text(textwrap.dedent(source).replace(wrong, right))
    calls = tuple(call.id for call in recorded.calls("Walker.right"))
    return Here.of(recorded.recording, folder / "fixed.py").verdict(calls)


@pytest.mark.parametrize(
    "wrong, right, verdict",
    [
        ("+= 1", "+= 1", RIGHT),
        ("+= 1", "+= 1 if self.x < 2 else 2", WRONG),
        ("return self.x", "return min(self.x, 1)", WRONG),
    ],
)
def test_groups(record: Record, tmp_path: Path, wrong: str, right: str, verdict: Verdict) -> None:
    assert grouped(record, tmp_path, GROUP, wrong, right) is verdict


def test_a_member_of_a_group_gets_what_the_one_before_made(record: Record, tmp_path: Path) -> None:
    source = """
        class Walker:
            def __init__(self, x):
                self.x = x

            def right(self):
                return Walker(self.x + 1)

        def main():
            walker = Walker(0)
            for _ in range(3):
                walker = walker.right()
            return walker

        main()
        """
    assert grouped(record, tmp_path, source, "", "") is RIGHT
    again = "self.x + (1 if self.x < 2 else 2)"
    assert grouped(record, tmp_path, source, "self.x + 1", again) is WRONG
