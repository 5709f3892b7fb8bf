"""What modules hold stands for what they held in the recorded run."""

from __future__ import annotations

from tests.oracles.reference.conftest import Judge, Why, all_right
from wrongcall.session import Verdict

RIGHT, WRONG = Verdict.RIGHT, Verdict.WRONG


def test_a_sentinel_is_the_same_object_as_in_the_reference(judge: Judge) -> None:
    source = """
        MISSING = object()

        def get(table, key, default=MISSING):
            found = table.get(key, default)
            if found is MISSING:
                return "none"
            return found

        get({}, 1)
        get({1: 2}, 1)
        """
    assert all_right(judge(source))
    assert judge(source, '"none"', '"nothing"')["get"] == [WRONG, RIGHT]


def test_a_registry_is_what_it_was_when_the_call_began(judge: Judge) -> None:
    source = """
        known = {}

        def register(name, function=len):
            known[name] = name.upper()

        def names():
            return sorted(known)

        register("a")
        names()
        register("b")
        names()
        known.clear()
        names()
        """
    assert all_right(judge(source))
    assert judge(source, "sorted(known)", "sorted(known)[:1]")["names"] == [RIGHT, WRONG, RIGHT]


def test_a_global_that_only_the_reference_changes_makes_a_difference(why: Why) -> None:
    found = why(
        """
        log = []

        def add(n):
            return n

        def main():
            return add(1)

        if __name__ == "__main__":
            main()
        """,
        "    return n\n",
        "    log.append(n)\n    return n\n",
    )
    assert found["add"] == ["wrong: a list that a module holds has 1 elements, not 0"]


def test_functions_and_classes_that_are_passed_are_those_of_the_reference(judge: Judge) -> None:
    source = """
        class Item:
            def price(self):
                return 1

        def twice(n):
            return 2 * n

        def apply(function, kind):
            return function(kind().price())

        apply(twice, Item)
        """
    assert all_right(judge(source))
    assert judge(source, "2 * n", "3 * n")["apply"] == [WRONG]


def test_a_name_that_was_bound_to_another_function_is_restored(judge: Judge) -> None:
    source = """
        def one():
            return 1

        def two():
            return 2

        chosen = one

        def use():
            return chosen()

        use()
        chosen = two
        use()
        """
    assert all_right(judge(source))
