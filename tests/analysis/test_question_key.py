from __future__ import annotations

from tests.trace.conftest import Record


def test_equal_questions_have_equal_keys(record: Record) -> None:
    run = record(
        """
        def total(numbers):
            return sum(numbers)

        for numbers in ([1, 2], [1, 2], [2, 1], [1, 2.0], [True, 2], [1, 2, 3]):
            total(numbers)
        """
    )
    keys = [run.recording.questions.key(call.id) for call in run.calls("total")]
    assert keys[0] == keys[1]
    # Not even [1, 2.0], which equals [1, 2] in Python.
    assert len(set(keys)) == 5


def test_outcome_effect_and_what_was_read_count(record: Record) -> None:
    run = record(
        """
        factor = 1
        calls = []

        def scale(a, quiet):
            if not quiet:
                print("scaled")
            for i in range(len(a)):
                a[i] *= factor

        scale([1], True)      # 0
        scale([1], True)      # 1: the same
        factor = 2
        scale([1], True)      # 2: other global, other effect
        scale([1], False)     # 3
        scale([1], False)     # 4: the same
        """
    )
    keys = [run.recording.questions.key(call.id) for call in run.calls("scale")]
    assert keys[0] == keys[1]
    assert keys[3] == keys[4]
    assert len({keys[0], keys[2], keys[3]}) == 3


def test_keys_depend_on_sharing_but_not_on_object_ids(record: Record) -> None:
    run = record(
        """
        def look(a, b):
            return None

        x, y = [1], [1]
        look(x, y)
        look(y, x)
        look(x, x)
        look(y, y)
        """
    )
    apart, swapped, shared, other = (
        run.recording.questions.key(call.id) for call in run.calls("look")
    )
    assert apart == swapped
    assert shared == other
    assert apart != shared


def test_cycles_and_depth_are_no_trouble(record: Record) -> None:
    run = record(
        """
        class Node:
            pass

        def look(node):
            return node

        def ring(n):
            first = node = Node()
            for i in range(n):
                node.next = Node()
                node = node.next
            node.next = first
            return first

        look(ring(3)); look(ring(3)); look(ring(4))
        """
    )
    three, again, four = (run.recording.questions.key(call.id) for call in run.calls("look"))
    assert three == again
    assert three != four


def test_sets_with_the_same_atoms_are_equal_in_any_order(record: Record) -> None:
    run = record(
        """
        def look(s):
            return len(s)

        look({8, 0, "a"}); look({"a", 0, 8}); look({8, 0, "b"})
        """
    )
    one, same, other = (run.recording.questions.key(call.id) for call in run.calls("look"))
    assert one == same
    assert one != other


def test_unknown_values_equal_nothing_else(record: Record) -> None:
    run = record(
        """
        def look(thing):
            return None

        f, g = object(), object()
        look(f); look(f); look(g)
        """
    )
    one, same, other = (run.recording.questions.key(call.id) for call in run.calls("look"))
    assert one == same
    assert one != other


def test_calls_with_equal_keys_have_equal_outlines(record: Record) -> None:
    run = record(
        """
        def f(a, *rest, **more): return a
        class C: pass
        for value in (1, 1, 1.0, True, "1", b"1", None, 2**70, 1j, -0.0, 0.0, (1,), (1,), [1], C()):
            f(value)
            f([value], value, k=value)
        """
    )
    calls = [call.id for call in run.calls("f")]
    questions = run.recording.questions
    keys = [questions.key(call) for call in calls]
    outlines = [questions.outline(call) for call in calls]
    pairs = [(i, k) for i in range(len(calls)) for k in range(i)]
    assert any(keys[i] == keys[k] for i, k in pairs)
    assert any(outlines[i] != outlines[k] for i, k in pairs)
    assert all(outlines[i] == outlines[k] for i, k in pairs if keys[i] == keys[k])


def test_code_is_equal_to_itself_only_as_its_instructions_are_not_recorded(record: Record) -> None:
    run = record(
        """
        def made(text):
            return compile(PREFIX + text, "<s>", "eval")

        PREFIX = "a + "
        made("b")
        made("b")
        made("b")
        def same(code):
            return code
        """
    )
    keys = [run.recording.questions.key(call.id) for call in run.calls("made")]
    assert len(set(keys)) == 3
    assert run.recording.questions.portable_key(run.calls("made")[0].id) is None


def test_what_a_thread_keeps_for_itself_is_not_known(record: Record) -> None:
    run = record(
        """
        import threading

        local = threading.local()

        def bump():
            local.n += 1

        local.n = 0
        bump()
        bump()
        """
    )
    first, second = (run.recording.questions.key(call.id) for call in run.calls("bump"))
    assert first != second


def test_elements_of_xml_are_compared_by_what_they_hold(record: Record) -> None:
    run = record(
        """
        import xml.etree.ElementTree as ET

        def mark(e):
            e[0].tail = "x"

        def made(text="t", child="c", **attrib):
            e = ET.Element("e", attrib)
            e.text = text
            ET.SubElement(e, child)
            return e

        mark(made(k="v"))
        mark(made(k="v"))      # the same
        mark(made(k="w"))      # another attribute
        mark(made("u", k="v")) # another text
        mark(made(child="d", k="v"))
        """
    )
    calls = [call.id for call in run.calls("mark")]
    keys = [run.recording.questions.key(call) for call in calls]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 4
    portable = [run.recording.questions.portable_key(call) for call in calls]
    assert portable[0] is not None
    assert portable[0] == portable[1]
    assert len(set(portable)) == 4
