"""Values of every kind are recorded as what they are: exactly, or cut with their true length."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recorder.heap_compare import Witnessed, run_witnessed
from wrongcall.events import Layout
from wrongcall.recording import Attr, Call, Clipped, Entry, Item, Ref

VALUES = [
    "0",
    "1",
    "-1",
    "255",
    "2**30",
    "-2**30",
    "2**31",
    "2**60 - 1",
    "2**62",
    "2**63 - 1",
    "-2**63",
    "2**63",
    "-2**63 - 1",
    "2**64",
    "2**64 - 1",
    "10**30",
    "-10**30",
    "2**1000",
    "-7**3000",
    "10**5000",
    "0.0",
    "-0.0",
    "0.1",
    "1.0",
    "1e308",
    "5e-324",
    "-2.5",
    "float('nan')",
    "-float('nan')",
    "float('inf')",
    "float('-inf')",
    "1e16 + 1",
    "0j",
    "1 + 2j",
    "-0.0 - 0.0j",
    "complex('nan')",
    "complex('inf+nanj')",
    "True",
    "False",
    "None",
    "...",
    "NotImplemented",
    "''",
    "'a'",
    "'12345678'",
    "'123456789'",
    "'a\\x00b'",
    "'\\x00'",
    "'\\n\\t'",
    "'\\x7f'",
    "'\\x80'",
    "'\\xff'",
    "'\\xe9'",
    "'\\u20ac'",
    "'\\u4f60\\u597d'",
    "'\\U0001f600'",
    "'a\\U0001f600b'",
    "'\\ud800'",
    "'\\udfff'",
    "'a\\udc80b'",
    "'\\U0010ffff'",
    "'x' * 255",
    "'x' * 256",
    "'x' * 257",
    "'x' * 5000",
    "'\\xe9' * 300",
    "'\\U0001f600' * 300",
    "'\\ud800' * 300",
    "'ab' * 100000",
    "b''",
    "b'a'",
    "b'12345678'",
    "b'123456789'",
    "b'\\x00'",
    "bytes(range(256))",
    "b'x' * 100000",
    "[]",
    "()",
    "{}",
    "set()",
    "frozenset()",
    "bytearray()",
    "deque()",
    "[[]]",
    "((),)",
    "{(): []}",
    "{frozenset()}",
    "[None] * 3",
    "[[], []]",
    "[[]] * 2",
    "(1, (2, (3, (4,))))",
    "{'a': {'b': {'c': {}}}}",
    "[1, 'a', 2.5, None, b'x']",
    "{1: 'a', 'b': 2, (1, 2): 3, None: 4, 2.5: 5, b'x': 6}",
    "{1, 'a', (1, 2), None, frozenset({1})}",
    "range(5)",
    "range(1, 10, 2)",
    "range(0)",
    "range(10**30)",
    "range(5, -5, -1)",
    "slice(1)",
    "slice(1, 2, 3)",
    "slice(None)",
    "slice('a', [1], None)",
    "Color.RED",
    "Level.HIGH",
    "Perm.R | Perm.W",
    "[Color.RED, Color.RED]",
    "Number(5)",
    "Number(2**70)",
    "Number(-3)",
    "Text('abc')",
    "Text('\\ud800')",
    "Text('x' * 1000)",
    "Real(-0.0)",
    "Real('nan')",
    "Cplx(1 + 2j)",
    "Data(b'abc')",
    "Flag(True)",
    "ValueError('bad', 1)",
    "KeyError()",
    "chained()",
    "ExceptionGroup('g', [ValueError(1), KeyError(2)])",
    "Pair(1, [2])",
    "Point(1, 2)",
    "types.SimpleNamespace(a=1, b=[2])",
    "cyclic_list()",
    "cyclic_dict()",
    "cyclic_object()",
    "knot()",
    "diamond()",
    "nested(50)",
    "nested(2000)",
    "tuples(500)",
    "chain(300)",
    "object()",
    "len",
    "int",
    "type",
    "types",
    "Point",
    "Point.move",
    "Point(1, 2).move",
    "lambda: 0",
    "functools.partial(len, [])",
    "gen()",
    "(i for i in [])",
    "iter([1])",
    "zip([1], [2])",
    "map(len, [])",
    "enumerate([1])",
    "reversed([1])",
    "memoryview(b'abc')",
    "re.compile('a')",
    "re.match('a', 'a')",
    "types.MappingProxyType({'a': 1})",
    "property()",
    "staticmethod(len)",
    "weakref.ref(Point)",
    "threading.Lock()",
    "{}.keys()",
    "{1: 2}.items()",
    "io.StringIO('abc')",
    "super(Point, Point(1, 2))",
    "ctypes.c_int(5)",
    "uuid.UUID(int=5)",
    "pathlib.PurePosixPath('a/b')",
    "itertools.count(3)",
    "operator.itemgetter(1)",
    "type('', (), {})()",
    "type('\\xe9\\u4f60', (), {})()",
    "type('L' * 250, (), {})()",
]

PROGRAMS = Path(__file__).parent.parent / "programs" / "harmless"


def program() -> str:
    marks = [f"mark('{number}', {value})" for number, value in enumerate(VALUES)]
    settings = "sys.setrecursionlimit(20000)\nsys.set_int_max_str_digits(0)\n"
    return (PROGRAMS / "values.py").read_text() + settings + "\n".join(marks) + "\n"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("values"), program()) as run:
        yield run


@pytest.fixture
def deep_recursion() -> Iterator[None]:
    """The comparison recurses as deep as the values do."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("number", range(len(VALUES)), ids=VALUES)
def test_value(run: Witnessed, number: int, deep_recursion: None) -> None:
    run.agree(str(number))


# -- what is not told whole, and what is told beside the contents ----------------------------------

SPECIAL = """
import datetime, decimal, enum, fractions, sys
sys.set_int_max_str_digits(0)
def take(value):
    pass
class Color(enum.Enum):
    RED = 'red'
    BLUE = [1, 2]
class Twisted(datetime.date):
    def __repr__(self):
        print('repr was called')
        return 'x'
take('x' * (1 << 20))
take('x' * ((1 << 20) + 1))
take('\\u20ac' * (1 << 20))
take(b'y' * (3 << 20))
take(1 << 10_000_000)
take(list(range(1_000_000)))
take(decimal.Decimal('1.50'))
take(datetime.date(2020, 1, 2))
take(datetime.datetime(2020, 1, 2, 3, 4, 5, 6))
take(datetime.timedelta(days=1, seconds=2))
take(fractions.Fraction(1, 3))
take(Color.BLUE)
take(Twisted(2020, 1, 2))
take('\\U0001f600' * (1 << 19))
take(bytearray(3 << 20))
take({i: str(i) for i in range(200_000)})
take(tuple(range(300_000)))
take(set(range(300_000)))
take([[i] for i in range(100_000)])
"""


@pytest.fixture(scope="module")
def special(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("special"), SPECIAL + "mark('end', None)\n") as run:
        yield run


def taken(run: Witnessed, text: str) -> Call:
    """The call of take on the line with this text."""
    line = run.line(f"take({text})")
    (found,) = [call for call in run.calls("take") if call.caller_line == line]
    return found


def test_a_text_of_a_million_characters_is_whole(special: Witnessed) -> None:
    assert taken(special, "'x' * (1 << 20)").args[0].value == "x" * (1 << 20)


@pytest.mark.parametrize(
    "text, unit, length",
    [
        ("'x' * ((1 << 20) + 1)", "x", (1 << 20) + 1),
        ("'\\u20ac' * (1 << 20)", "\u20ac", 1 << 20),
        ("'\\U0001f600' * (1 << 19)", "\U0001f600", 1 << 19),
        ("b'y' * (3 << 20)", b"y", 3 << 20),
    ],
)
def test_a_longer_text_is_cut(
    special: Witnessed, text: str, unit: str | bytes, length: int
) -> None:
    value = taken(special, text).args[0].value
    assert isinstance(value, Clipped)
    assert value.length == length
    assert len(value.beginning) >= 10_000
    assert value.beginning == unit * len(value.beginning)


def test_a_number_of_millions_of_digits_is_cut(special: Witnessed) -> None:
    value = taken(special, "1 << 10_000_000").args[0].value
    assert isinstance(value, Clipped)
    assert value.beginning.startswith(b"0x1000")  # type: ignore[arg-type]
    assert value.length == len(hex(1 << 10_000_000))


def test_a_list_of_a_million(special: Witnessed) -> None:
    call = taken(special, "list(range(1_000_000))")
    value = call.args[0].value
    assert isinstance(value, Ref)
    state = special.recording.states.state(value.oid, call.entered)
    assert state.length == 1_000_000
    assert tuple(state.items) == tuple(range(1_000_000))


@pytest.mark.parametrize(
    "text, layout, count",
    [
        ("{i: str(i) for i in range(200_000)}", Layout.DICT, 200_000),
        ("tuple(range(300_000))", Layout.TUPLE, 300_000),
        ("set(range(300_000))", Layout.SET, 300_000),
        ("bytearray(3 << 20)", Layout.BYTEARRAY, 3 << 20),
    ],
)
def test_large_containers(special: Witnessed, text: str, layout: Layout, count: int) -> None:
    call = taken(special, text)
    value = call.args[0].value
    assert isinstance(value, Ref)
    state = special.recording.states.state(value.oid, call.entered)
    assert state.layout == layout
    sizes = {Layout.DICT: len(state.entries), Layout.SET: len(state.members)}
    assert sizes.get(layout, state.length) == count
    if layout == Layout.DICT:
        assert state.entries[123_456] == (123_456, "123456")


def test_a_list_of_a_hundred_thousand_lists(special: Witnessed) -> None:
    """What is beyond the budget of a first sight is there, and known to be unknown."""
    call = taken(special, "[[i] for i in range(100_000)]")
    value = call.args[0].value
    assert isinstance(value, Ref)
    state = special.recording.states.state(value.oid, call.entered)
    assert len(state.items) == 100_000
    for i in (0, 50_000, 99_999):
        inner = state.items[i]
        assert isinstance(inner, Ref)
        known = special.recording.states.state(inner.oid, call.entered)
        assert (known.explored, known.items) in [(True, (i,)), (False, ())]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("decimal.Decimal('1.50')", "Decimal('1.50')"),
        ("datetime.date(2020, 1, 2)", "datetime.date(2020, 1, 2)"),
        ("datetime.datetime(2020, 1, 2, 3, 4, 5, 6)", "datetime.datetime(2020, 1, 2, 3, 4, 5, 6)"),
        ("datetime.timedelta(days=1, seconds=2)", "datetime.timedelta(days=1, seconds=2)"),
    ],
)
def test_values_that_show_themselves(special: Witnessed, text: str, expected: str) -> None:
    value = taken(special, text).args[0].value
    assert isinstance(value, Ref)
    assert special.recording.states.state(value.oid).attrs["__repr__"] == expected


def test_a_fraction_has_its_slots(special: Witnessed) -> None:
    value = taken(special, "fractions.Fraction(1, 3)").args[0].value
    assert isinstance(value, Ref)
    attrs = special.recording.states.state(value.oid).attrs
    assert (attrs["_numerator"], attrs["_denominator"]) == (1, 3)


def test_an_enum_member_has_its_name_and_value(special: Witnessed) -> None:
    value = taken(special, "Color.BLUE").args[0].value
    assert isinstance(value, Ref)
    state = special.recording.states.state(value.oid)
    assert state.type.qualname == "Color"
    assert state.attrs["_name_"] == "BLUE"
    inner = state.attrs["_value_"]
    assert isinstance(inner, Ref)
    assert special.recording.states.state(inner.oid).items == (1, 2)


def test_the_repr_of_a_subclass_is_not_called(special: Witnessed) -> None:
    assert special.recorded.stdout == ""
    value = taken(special, "Twisted(2020, 1, 2)").args[0].value
    assert isinstance(value, Ref)
    assert special.recording.states.state(value.oid).type.qualname == "Twisted"


# -- texts that grow -------------------------------------------------------------------------------

GROWING = """
def ascii_text():
    s = ''
    for i in range(500):
        s += 'abc'
    return s
def other_text():
    s = ''
    for i in range(500):
        s += '\\u20ac'
    return s
def mixed():
    s = ''
    for i in range(400):
        s += 'a'
    s += '\\xe9'
    for i in range(400):
        s += 'b'
    s += '\\U0001f600'
    return s
def kept():
    s = 'x' * 300
    t = s
    s += 'y'
    u = s
    s += 'z'
    return [t, u, s]
def forked():
    s = 'x' * 300
    a = s + 'a'
    b = s + 'b'
    c = a + b
    return [s, a, b, c]
def huge():
    s = 'x' * ((1 << 20) - 10)
    for i in range(20):
        s += 'y'
    return s
def reused():
    found = []
    for i in range(50):
        s = str(i % 10) * 300
        found.append(s[:1] + str(len(s)))
        del s
    return found
class Writer:
    def __init__(self):
        self.text = ''
    def write(self, part):
        self.text += part
def attribute():
    w = Writer()
    for i in range(200):
        w.write('line %d; ' % i)
    return w.text
def grown_bytes():
    b = b''
    for i in range(300):
        b += b'xyz'
    return b
for f in (ascii_text, other_text, mixed, kept, forked, huge, reused, attribute, grown_bytes):
    f()
"""


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("growing"), GROWING + "mark('end', None)\n") as run:
        yield run


@pytest.mark.parametrize("name", ["ascii_text", "other_text", "mixed", "grown_bytes", "attribute"])
def test_a_text_that_grows(growing: Witnessed, name: str) -> None:
    space: dict[str, object] = {}
    exec(GROWING, space)
    assert growing.call(name).value == space[name]()  # type: ignore[operator]


@pytest.mark.parametrize("name", ["ascii_text", "other_text", "mixed"])
def test_every_step_of_a_text_that_grows(growing: Witnessed, name: str) -> None:
    writes = growing.recording.places.local_writes(growing.call(name).id, "s")
    final = growing.call(name).value
    assert isinstance(final, str)
    steps = [w.new for w in writes]
    assert steps[0] == ""
    assert steps[-1] == final
    assert all(isinstance(s, str) and final.startswith(s) for s in steps)
    assert [len(str(s)) for s in steps] == sorted({len(str(s)) for s in steps})


@pytest.mark.parametrize("name", ["kept", "forked", "reused"])
def test_texts_side_by_side(growing: Witnessed, name: str) -> None:
    space: dict[str, object] = {}
    exec(GROWING, space)
    value = growing.call(name).value
    assert isinstance(value, Ref)
    assert list(growing.recording.states.state(value.oid).items) == space[name]()  # type: ignore[operator]


def test_a_text_that_grows_beyond_what_is_stored(growing: Witnessed) -> None:
    writes = growing.recording.places.local_writes(growing.call("huge").id, "s")
    for count, write in enumerate(writes):
        text, length = write.new, (1 << 20) - 10 + count
        if isinstance(text, Clipped):
            assert text.length == length
            assert text.beginning == "x" * len(text.beginning)
        else:
            assert text == "x" * ((1 << 20) - 10) + "y" * count


# -- addresses that are used again -----------------------------------------------------------------

REUSED = """
import types
class Thing:
    def __init__(self, n):
        self.n = n
    def method(self):
        pass
async def agen():
    yield
def look(value):
    pass
slot = [None]
attr = Thing(None)
table = {'k': None}
for i in range(2000):
    slot[0] = Thing(i)
    attr.n = Thing(i)
    table['k'] = Thing(i)
for i in range(2000):
    slot[0] = i + 10**6
    attr.n = float(i)
    table['k'] = str(i) * 3
for i in range(50):
    look(slice(i, i + 1))
    look([i])
    look({i: i})
    look((i,))
    look({i})
    look(Thing(i))
    look(range(i))
    look(lambda: i)
    look(types.SimpleNamespace(n=i))
    look(iter([i]))
    look(bytearray([i]))
    look(ValueError(i))
    look(i + 2**70)
    look(str(i) * 200)
    look(iter((i,)))
    look(iter(range(i + 1)))
    look(Thing(i).method)
    look([i].append)
    look(agen().asend(None))
for i in range(2000):
    slot.__setitem__(0, [i])
"""


@pytest.fixture(scope="module")
def reused(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("reused"), REUSED + "mark('end', None)\n") as run:
        yield run


def test_two_thousand_objects_in_one_slot(reused: Witnessed) -> None:
    recording = reused.recording
    names = recording.states.globals("__main__")
    for name, place in (("slot", Item(0)), ("attr", Attr("n")), ("table", Entry("k"))):
        oid = names[name].oid  # type: ignore[union-attr]
        values = [w.new for w in recording.places.writes(oid, place)][1:]
        things = [v for v in values[:2000] if isinstance(v, Ref)]
        assert len({v.oid for v in things}) == 2000, name
        times = [w.time for w in recording.places.writes(oid, place)][1:2001]
        numbers = [
            recording.states.state(v.oid, t).attrs["n"] for v, t in zip(things, times, strict=True)
        ]
        assert numbers == list(range(2000)), name
    atoms = {
        "slot": [i + 10**6 for i in range(2000)],
        "attr": [float(i) for i in range(2000)],
        "table": [str(i) * 3 for i in range(2000)],
    }
    for name, place in (("slot", Item(0)), ("attr", Attr("n")), ("table", Entry("k"))):
        oid = names[name].oid  # type: ignore[union-attr]
        assert [w.new for w in recording.places.writes(oid, place)][2001:4001] == atoms[name]


def test_objects_at_the_same_address_are_told_apart(reused: Witnessed) -> None:
    recording = reused.recording
    calls = reused.calls("look")
    kinds = len(calls) // 50
    for i in range(50):
        turn = calls[i * kinds : (i + 1) * kinds]
        states = [
            recording.states.state(c.args[0].value.oid, c.entered)
            if isinstance(c.args[0].value, Ref)
            else None
            for c in turn
        ]
        found = [
            states[0] and states[0].attrs.get("start"),
            states[1] and states[1].items,
            states[2] and states[2].entries,
            states[3] and states[3].items,
            states[4] and states[4].members,
            states[5] and states[5].attrs.get("n"),
            states[6] and states[6].attrs.get("stop"),
            states[8] and states[8].attrs.get("n"),
            states[10] and states[10].items,
            turn[12].args[0].value,
            turn[13].args[0].value,
        ]
        assert found == [
            i,
            (i,),
            ((i, i),),
            (i,),
            (i,),
            i,
            i,
            i,
            (i,),
            i + 2**70,
            str(i) * 200,
        ]
    # A slice or a function that died is not the next one.
    for kind in range(kinds):
        values = [calls[i * kinds + kind].args[0].value for i in range(50)]
        assert len(set(values)) == 50, f"the {kind}th kind of object"


REUSED_TUPLES = """
import itertools
def look(value):
    pass
for t in zip(range(50), range(50)):
    look(t)
for t in enumerate('abcdefghij'):
    look(t)
for t in itertools.permutations('abc'):
    look(t)
for t in itertools.combinations(range(5), 2):
    look(t)
for t in itertools.product([0.5, 1.5], 'xy'):
    look(t)
for t in {i: str(i) for i in range(20)}.items():
    look(t)
for t in zip([[1], [2], [3]], ['x' * 300, 'y' * 300, 'x' * 300]):
    look(t)
for t in itertools.pairwise('abcd'):
    look(t)
for t in itertools.zip_longest([1, 2], [3]):
    look(t)
for t in zip([10**20, 10**21, 10**22], [1j, 2j, 3j], [b'a' * 9, b'b' * 9, b'c' * 9]):
    look(t)
"""


@pytest.fixture
def tuples(tmp_path: Path) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path, REUSED_TUPLES + "mark('end', None)\n") as run:
        yield run


def test_tuples_that_iterators_fill_again(tuples: Witnessed) -> None:
    expected: list[tuple[object, ...]] = [
        *zip(range(50), range(50), strict=True),
        *enumerate("abcdefghij"),
        *itertools.permutations("abc"),
        *itertools.combinations(range(5), 2),
        *itertools.product([0.5, 1.5], "xy"),
        *{i: str(i) for i in range(20)}.items(),
        *zip([[1], [2], [3]], ["x" * 300, "y" * 300, "x" * 300], strict=True),
        *itertools.pairwise("abcd"),
        *itertools.zip_longest([1, 2], [3]),
        *zip([10**20, 10**21, 10**22], [1j, 2j, 3j], [b"a" * 9, b"b" * 9, b"c" * 9], strict=True),
    ]
    found = []
    for call in tuples.calls("look"):
        value = call.args[0].value
        assert isinstance(value, Ref)
        items = tuples.recording.states.state(value.oid, call.entered).items
        found.append(
            tuple(
                list(tuples.recording.states.state(v.oid, call.entered).items)
                if isinstance(v, Ref)
                else v
                for v in items
            )
        )
    assert found == expected


def test_nan_is_nan(run: Witnessed) -> None:
    """The comparison above would not be fooled by two values that are not equal to themselves."""
    value = run.obj(str(VALUES.index("float('nan')")))
    assert isinstance(value, float)
    assert math.isnan(value)
    assert math.copysign(1, run.obj(str(VALUES.index("-0.0")))) == -1  # type: ignore[arg-type]


def test_pictures_show_cycles_and_aliases(run: Witnessed) -> None:
    label = str(VALUES.index("cyclic_list()"))
    oid = run.oid(label)
    assert run.recording.states.plain(Ref(oid), run.time(label)) == (
        "list",
        oid,
        [1, ("list", oid, ...)],
    )
    label = str(VALUES.index("diamond()"))
    name, _, entries = run.recording.states.plain(run.obj(label), run.time(label))
    assert name == "dict"
    assert [key for key, _ in entries] == ["left", "right"]
    shared = entries[0][1][2][0]
    assert (shared[0], shared[2]) == ("list", [1])
    again = ("list", shared[1], ...)
    assert entries[0][1][2][1][2] == [again]
    assert entries[1][1][2][0] == again
    assert entries[1][1][2][1][2] == [("again", again)]
