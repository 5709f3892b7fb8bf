"""Elements of xml.etree: what the trace has is what they hold, whoever changed them and however."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recorder.conftest import Record, Recorded, run_python, write_program
from tests.recorder.heap_compare import Witnessed, run_witnessed
from wrongcall.languages.paths import step_text
from wrongcall.recording import Ref

OPERATIONS = '''
import copy
import xml.etree.ElementTree as ET

class Own(ET.Element):
    """An element with an attribute of its own."""
    def __init__(self, tag, number):
        super().__init__(tag)
        self.number = number

class Text(str):
    pass

def make(rng):
    kind = rng.randrange(9)
    if kind == 0: return Own('own', rng.randrange(9))
    if kind == 1: return ET.Comment('remark')
    if kind == 2: return ET.fromstring('<a k="v">one<b/>two<!-- -->three<c>four</c></a>')
    if kind == 3: return ET.Element('with', {'x': '1'}, y='2')
    if kind == 4: return ET.Element(ET.QName('space', 'name'))
    if kind == 5:
        builder = ET.TreeBuilder()
        builder.start('built', {})
        for part in ('p', 'q', 'r'): builder.data(part)
        builder.end('built')
        return builder.close()
    return ET.Element('plain')

def some_text(rng):
    return rng.choice(['', 'text', 'a longer text', None, Text('own'), 7, ['a', 'list']])

def change(root, rng):
    nodes = list(root.iter())
    # Far from what it was given, not all that foreign code changes is noticed at once.
    e = rng.choice([root, *root][:8] if __name__ == 'foreign' else nodes)
    kind = rng.randrange(34)
    last = len(e) - 1
    if kind == 0: e.append(make(rng))
    elif kind == 1: ET.SubElement(e, 'sub')
    elif kind == 2: ET.SubElement(e, 'sub', {'a': '1'}, b='2').text = 'made'
    elif kind == 3: e.insert(rng.randrange(-2, 3), make(rng))
    elif kind == 4 and last >= 0: e.remove(e[rng.randrange(last + 1)])
    elif kind == 5 and e is not root: e.clear()
    elif kind == 6: e.set(rng.choice('abc'), some_text(rng))
    elif kind == 7: e.text = some_text(rng)
    elif kind == 8: e.tail = some_text(rng)
    elif kind == 9: e.tag = rng.choice(['new', 'newer'])
    elif kind == 10: e.attrib = {'replaced': 'x'}
    elif kind == 11: e.attrib['item'] = some_text(rng)
    elif kind == 12: e.attrib.pop('item', None)
    elif kind == 13: kept = e.attrib; kept.update(k='v'); kept.clear()
    elif kind == 14 and last >= 0: e[last] = make(rng)
    elif kind == 15 and last >= 0: del e[0]
    elif kind == 16: e[0:2] = [make(rng) for _ in range(rng.randrange(4))]
    elif kind == 17: e[::2] = list(e[::2])[::-1]
    elif kind == 18: e[:] = list(e)[::-1]
    elif kind == 19: e.extend(make(rng) for _ in range(2))
    elif kind == 20: e.append(copy.copy(e))
    elif kind == 21 and len(e) < 5: e.append(copy.deepcopy(e))
    elif kind == 22: setattr(e, 'text', 'set')
    elif kind == 23:
        e.text, e.tail = 'both', some_text(rng)
    elif kind == 24:
        for e.text in ('first', 'last'): pass
    elif kind == 25: list(map(e.append, [make(rng)]))
    elif kind == 26: ET.Element.append(e, make(rng))
    elif kind == 27:
        try: ET.indent(ET.ElementTree(root))
        except AttributeError: pass  # a text that is none
    elif kind == 28: e.__setstate__({'tag': 'state', '_children': [make(rng)], 'attrib': {'s': 't'},
                                     'text': 'x', 'tail': None})
    elif kind == 29 and isinstance(e, Own): e.number += 1
    elif kind == 30: [each.attrib for each in nodes]
    elif kind == 31:
        parser = ET.XMLPullParser(['start', 'end'])
        parser.feed('<late><in')
        parser.feed('ner>text</inner>')
        e.extend([found for _, found in parser.read_events()])
    elif kind == 32:
        try: e.append('no element')
        except TypeError: pass
        try: e.text += 'more'
        except TypeError: pass
    elif kind == 33 and e.find('sub') is not None:
        e.find('sub').set('found', 'yes')
    if len(nodes) > 60:
        root[:] = [make(rng)]
'''

PROGRAM = """
import random, foreign, own
# The witness looks for attributes whose names occur here: number text

def both(root, rng):
    foreign.change(root, rng)
    own.change(root, rng)

def run(seed):
    rng = random.Random(seed)
    root = own.ET.Element('root')
    for step in range(80):
        rng.choice([foreign.change, own.change, own.change, both])(root, rng)
        mark(f'{seed} {step}', root)
"""

SEEDS = range(6)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    folder: Path = tmp_path_factory.mktemp("elements")
    write_program(folder, OPERATIONS, "foreign.py")
    write_program(folder, OPERATIONS, "own.py")
    calls = "\n".join(f"run({seed})" for seed in SEEDS)
    with run_witnessed(folder, PROGRAM + calls + "\n") as run:
        yield run


@pytest.mark.parametrize("seed", SEEDS)
def test_state_is_what_the_program_has(run: Witnessed, seed: int) -> None:
    labels = [label for label in run.snapshots if label.startswith(f"{seed} ")]
    assert len(labels) == 80
    for label in labels:
        run.agree(label)


SHOWN = """
import xml.etree.ElementTree as ET

def grow(parent):
    made = ET.SubElement(parent, 'b', {'k': 'v'})
    made.text = 'x'
    return made

def replace(parent):
    parent[0] = ET.Element('i')

def drop(parent):
    del parent[:]

def mark(e):
    e.set('id', '1')
    e.attrib['n'] = '2'

def first_mark(e):
    e.set('id', '1')

def ask_and_set(e):
    e.text = str(len(e.attrib))

def clear(e):
    e.clear()

def look(e):
    return e.attrib, e.text, len(e), e.find('b'), list(e.iter())

def in_library(e):
    ET.indent(ET.ElementTree(e))

root = ET.Element('root')
empty = ET.Element('empty')
parsed = ET.fromstring('<a>t<!-- -->t</a>')
grow(root)
grow(root)
look(root)
look(empty)
look(parsed)
in_library(root)
replace(root)
drop(root)
mark(root)
first_mark(ET.Element('new'))
bare = ET.Element('bare')
ask_and_set(bare)
clear(bare)
"""


def changes(run: Recorded, qualname: str, number: int = 0) -> list[str]:
    """What a call changed in the elements that it was given, as places."""
    call = run.calls(qualname)[number]
    found = []
    for changed in run.recording.questions.effect(call.id).objects:
        kind = run.recording.states.heap.object(changed.oid).type.qualname
        found += [
            f"{kind} {change.kind.value} {step_text(change.place)}" for change in changed.changes
        ]
    return sorted(found)


def test_a_change_belongs_to_the_call_that_made_it(record: Record) -> None:
    run = record(SHOWN)
    assert changes(run, "grow") == ["Element added [0]"]
    assert changes(run, "grow", 1) == ["Element added [1]"]
    assert changes(run, "replace") == ["Element changed [0]"]
    assert changes(run, "drop") == ["Element removed [0]", "Element removed [1]"]
    # Its dict exists since `look` asked for it.
    assert changes(run, "mark") == ["dict added ['id']", "dict added ['n']"]
    assert changes(run, "first_mark") == ["Element added .attrib"]
    # Asking for an empty dict makes one, and so does clearing it: that is not what changed.
    assert changes(run, "ask_and_set") == ["Element changed .text"]
    assert changes(run, "clear") == ["Element changed .text"]
    # What a function of the standard library set is a change of the call that called it.
    assert changes(run, "in_library") == [
        "Element changed .tail",
        "Element changed .tail",
        "Element changed .text",
    ]


def test_looking_changes_nothing(record: Record) -> None:
    run = record(SHOWN)
    assert [changes(run, "look", number) for number in range(3)] == [[], [], []]
    texts = []
    for call in run.calls("look"):
        value = call.args[0].value
        assert isinstance(value, Ref)
        texts.append(run.recording.states.state(value.oid, call.entered).attrs["text"])
    assert texts == [None, None, "tt"]


def test_recording_leaves_elements_as_they_are(record: Record, tmp_path: Path) -> None:
    source = """
    import gc, sys, weakref
    import xml.etree.ElementTree as ET

    class Own(ET.Element):
        def __del__(self):
            print("deleted", self.tag)
        def __getattribute__(self, name):
            if armed: raise AssertionError(name)
            return super().__getattribute__(name)
        def __len__(self):
            raise AssertionError("len")
        __iter__ = __getitem__ = __eq__ = __repr__ = __bool__ = __len__
        __hash__ = ET.Element.__hash__

    armed = False

    def see(*values):
        return values

    def sizes(e):
        # Without attributes and children, an element has no room for them: asking for its dict would make it.
        return sys.getsizeof(e), sys.getrefcount(e), [sys.getrefcount(child) for child in e]

    root = ET.Element("root")
    parsed = ET.fromstring("<a>t<!-- -->t</a>")
    see(root, parsed)
    print(sizes(root), sizes(parsed))
    child = ET.SubElement(root, "child")
    see(root)
    print(sizes(root))
    dead = weakref.ref(child, lambda _: print("child is dead"))
    del child
    see(root)
    root.clear()
    print("cleared", dead())

    own = Own("own")
    armed = True
    see(own)
    see([own])
    root.append(own)
    see(root)
    armed = False
    print(sizes(root))
    del own
    del root[0]
    print("end of own")

    cycle = Own("cycle")
    ET.Element.append(cycle, ET.Element("inner"))
    cycle.me = cycle
    see(cycle)
    del cycle
    print(gc.collect() > 0)
    for number in range(1000):
        see(ET.SubElement(root, "e", n=str(number)))
        del root[:]
    print(sizes(root))
    """
    recorded = record(source)
    plain = run_python(["prog.py"], tmp_path)
    assert plain.returncode == 0, plain.stderr
    assert recorded.stdout == plain.stdout
    assert "child is dead\ncleared None" in plain.stdout


def test_many_elements_at_the_same_address_are_told_apart(record: Record) -> None:
    run = record(
        """
        import xml.etree.ElementTree as ET

        def see(e):
            pass

        root = ET.Element("root")
        for number in range(300):
            root[:] = [ET.Element("e", n=str(number))]
            root[0].text = str(number)
            see(root)
        """
    )
    for number, call in enumerate(run.calls("see")):
        root = call.args[0].value
        assert isinstance(root, Ref)
        (child,) = run.recording.states.state(root.oid, call.entered).items
        assert isinstance(child, Ref)
        attrs = run.recording.states.state(child.oid, call.entered).attrs
        assert attrs["text"] == str(number)
        assert run.picture(attrs["attrib"], call.entered)[-1] == [("n", str(number))]
