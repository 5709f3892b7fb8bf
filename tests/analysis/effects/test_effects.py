from __future__ import annotations

from tests.trace.conftest import Record, Recorded
from wrongcall.languages.paths import Path, step_text
from wrongcall.recording import UNSET, ChangeKind, Effect

Line = tuple[str, str, object, object]


def lines(run: Recorded, effect: Effect) -> list[Line]:
    """What is different: kind, place, old, new; objects by their picture."""
    found: list[Line] = []
    for changed in effect.objects:
        for change in changed.changes:
            place = f"{changed.path}{step_text(change.place)}"
            old = run.picture(change.old, effect.before)
            found.append((change.kind.value, place, old, run.picture(change.new, effect.after)))
    for rebound in effect.variables:
        change = rebound.change
        found.append((change.kind.value, step_text(change.place), change.old, change.new))
    return found


def test_the_effect_is_what_is_different_at_the_exit(record: Record) -> None:
    run = record(
        """
        class Node:
            def __init__(self, key):
                self.key = key
                self.next = None

        def work(numbers, node, table):
            numbers[1] = 20
            numbers.append(4)
            node.next.key = "b"
            node.next.next = Node("c")
            table["new"] = 1
            table["old"], table["old"] = 5, 0   # taken back
            local = [1]
            local.append(2)

        first = Node("a")
        first.next = Node("x")
        work([1, 2, 3], first, {"old": 0})
        """
    )
    effect = run.recording.questions.effect(run.call("work").id)
    by_place: dict[str, list[tuple[str, object, object]]] = {}
    for kind, place, old, new in lines(run, effect):
        by_place.setdefault(place, []).append((kind, old, new))
    assert by_place.pop("node.next.key") == [("changed", "x", "b")]
    assert by_place.pop("table['new']") == [("added", UNSET, 1)]
    ((kind, old, new),) = by_place.pop("node.next.next")
    assert (kind, old) == ("changed", None)
    assert isinstance(new, tuple)
    assert new[2] == {"key": "c", "next": None}
    # The list grew, so it is aligned: 2 went and 20 came at its place, 4 came at the end.
    assert by_place == {
        "numbers[1]": [("added", UNSET, 20), ("removed", 2, UNSET)],
        "numbers[3]": [("added", UNSET, 4)],
    }


def test_an_array_that_is_stored_into_is_compared_index_by_index(record: Record) -> None:
    run = record(
        """
        def rotate(a):
            a[0], a[1], a[2] = a[2], a[0], a[1]

        rotate([1, 2, 3])
        """
    )
    assert lines(run, run.recording.questions.effect(run.call("rotate").id)) == [
        ("changed", "a[0]", 1, 3),
        ("changed", "a[1]", 2, 1),
        ("changed", "a[2]", 3, 2),
    ]


def test_elements_that_are_taken_out_and_put_in_elsewhere_have_moved(record: Record) -> None:
    run = record(
        """
        def to_front(a):
            a.insert(0, a.pop())

        to_front(["x", "y", "z"])
        """
    )
    effect = run.recording.questions.effect(run.call("to_front").id)
    ((change,),) = [changed.changes for changed in effect.objects]
    assert change.kind is ChangeKind.MOVED
    assert (step_text(change.place), change.new) == ("[0]", "z")
    assert change.origin is not None
    assert step_text(change.origin) == "[2]"


def test_globals_closure_variables_and_objects_that_nothing_leads_to(record: Record) -> None:
    run = record(
        """
        total = 0
        log = []

        class Account:
            def __init__(self):
                self.balance = 0

        hidden = Account()
        get = lambda: hidden

        def outer():
            seen = 0
            def inner(account):
                nonlocal seen
                global total
                seen += 1
                total = total + 10
                get().balance += 5
            inner(None)
            inner(None)
            return seen

        outer()
        """
    )
    first, second = (
        run.recording.questions.effect(call.id) for call in run.calls("outer.<locals>.inner")
    )
    found = lines(run, first)
    assert ("changed", "__main__.total", 0, 10) in found
    assert ("changed", "hidden.balance", 0, 5) in found
    assert ("changed", ".seen", 0, 1) in found
    assert len(found) == 3
    assert ("changed", ".seen", 1, 2) in lines(run, second)
    # To whoever called outer, its variables are nothing.
    whole = lines(run, run.recording.questions.effect(run.call("outer").id))
    assert sorted(line[1] for line in whole) == ["__main__.total", "hidden.balance"]


def test_new_objects_are_no_change(record: Record) -> None:
    run = record(
        """
        def make():
            made = {}
            made["x"] = [1]
            made["x"].append(2)
            return made

        make()
        """
    )
    effect = run.recording.questions.effect(run.call("make").id)
    assert not effect
    assert effect.objects == ()


def test_an_object_that_was_not_looked_into_before(record: Record) -> None:
    # Exploring stops at a budget; what was not explored is, before it is changed.
    run = record(
        """
        def change(rows):
            rows[1800][0] = "new"

        change([[i] for i in range(2000)])
        """
    )
    found = lines(run, run.recording.questions.effect(run.call("change").id))
    assert [(kind, old, new) for kind, _, old, new in found] == [("changed", 1800, "new")]


def test_effects_of_a_generator_count_for_its_driver(record: Record) -> None:
    run = record(
        """
        def numbers(log):
            log.append("begin")
            yield 1
            log.append("end")

        def use(log):
            for n in numbers(log):
                log.append(n)

        use([])
        """
    )
    outer = run.recording.questions.effect(run.call("use").id)
    added = [c.new for changed in outer.objects for c in changed.changes]
    assert added == ["begin", 1, "end"]


def test_a_generator_changes_what_it_writes_and_nothing_else(record: Record) -> None:
    run = record(
        """
        def fill(table):
            table["mine"] = 1
            yield
            table["mine"] = 2

        def use(table):
            for _ in fill(table):
                table["other"] = 3

        use({"mine": 0, "other": 0})
        """
    )
    assert lines(run, run.recording.questions.effect(run.call("fill").id)) == [
        ("changed", "table['mine']", 0, 2)
    ]
    assert len(lines(run, run.recording.questions.effect(run.call("use").id))) == 2


def test_writes_of_another_thread_are_no_effect_of_this_call(record: Record) -> None:
    run = record(
        """
        import threading

        shared = {"a": 0, "b": 0}
        go, done = threading.Event(), threading.Event()

        def other():
            go.wait(5)
            shared["b"] = 1
            done.set()

        def this():
            shared["a"] = 1
            go.set()
            done.wait(5)

        thread = threading.Thread(target=other)
        thread.start()
        this()
        thread.join()
        """
    )
    for name, place in (("this", "shared['a']"), ("other", "shared['b']")):
        found = lines(run, run.recording.questions.effect(run.call(name).id))
        assert [line[1] for line in found if line[1].startswith("shared")] == [place]


def test_a_call_that_raises_has_an_effect_too(record: Record) -> None:
    run = record(
        """
        def fail(a):
            a.append(1)
            raise ValueError(a)

        try:
            fail([])
        except ValueError:
            pass
        """
    )
    assert lines(run, run.recording.questions.effect(run.call("fail").id)) == [
        ("added", "a[0]", UNSET, 1)
    ]


def test_the_effect_of_several_calls_in_a_row(record: Record) -> None:
    run = record(
        """
        def put(items, x, seen):
            items.append(x)
            seen[x] = len(items)
            print("put", x)

        def main():
            items, seen = [0], {}
            put(items, 1, seen)
            put(items, 2, seen)
            put(items, 1, seen)
            items.clear()

        main()
        """
    )
    first, second, third = run.calls("put")
    effect = run.recording.questions.effect_until(first.id, third.id)
    assert [(kind, place, new) for kind, place, _, new in lines(run, effect)] == [
        ("added", "items[1]", 1),
        ("added", "items[2]", 2),
        ("added", "items[3]", 1),
        ("added", "seen[1]", 4),
        ("added", "seen[2]", 3),
    ]
    assert lines(run, run.recording.questions.effect_until(first.id, first.id)) == lines(
        run, run.recording.questions.effect(first.id)
    )
    printed = run.recording.questions.printed(first.id, second.id)
    assert "".join(str(part.text) for part in printed) == "put 1\nput 2\n"


def test_the_effect_of_several_generators_leaves_out_their_consumer(record: Record) -> None:
    run = record(
        """
        log = []

        def numbers(seen, n):
            for i in range(n):
                seen.append(i)
                yield i

        def main():
            seen = []
            pair = [numbers(seen, 1), numbers(seen, 2)]
            for each in pair:
                for x in each:
                    log.append(x)

        main()
        """
    )
    first, second = run.calls("numbers")
    effect = run.recording.questions.effect_until(first.id, second.id)
    assert {place.partition("[")[0] for _, place, _, _ in lines(run, effect)} == {"seen"}


def test_a_global_is_named_by_its_module_though_no_global_is_read(record: Record) -> None:
    run = record("""
        count = 1

        def change():
            global count
            count = 2

        change()
    """)
    (changed,) = run.recording.questions.effect(run.call("change").id).objects
    assert changed.path == Path("__main__")
