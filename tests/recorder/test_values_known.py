"""Values of library types show as their own repr would write them, or as people do.

The witness is `repr` as the program itself prints it. Where what is shown differs from that on purpose (a
memoryview's repr is an address), the expected text stands in the test.
"""

from __future__ import annotations

import datetime
import decimal
import json
import pickle
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import wrongcall.recording
from tests.recorder.conftest import Record, Recorded, run_recorded, write_program
from wrongcall.present import Viewer
from wrongcall.recording import Ref

WIDE = 10_000

PREAMBLE = """
import array, collections, contextvars, datetime, decimal, enum, fractions, functools, ipaddress, json
import operator, os, pathlib, re, sys, time, types, typing, uuid, zoneinfo
import numpy as np

class Color(enum.Enum):
    RED = 1
class Level(enum.IntEnum):
    LOW = 1
class Text(enum.StrEnum):
    A = "x"
class Perm(enum.Flag):
    R = 1
    W = 2
class Bits(enum.IntFlag):
    R = 1
    W = 2
class Zone(datetime.tzinfo):
    def __init__(self):
        self.hours = 5
class Stamp(datetime.datetime):
    pass
class Money(decimal.Decimal):
    pass
class Place(pathlib.PurePosixPath):
    pass
Point = collections.namedtuple("Point", "x y")
class Typed(typing.NamedTuple):
    a: int
    b: str = "q"
class Sub(Point):
    __slots__ = ()
class Cart:
    def __repr__(self):
        raise SystemError("nobody asked for this")
    def add(self):
        pass
    @property
    def area(self):
        pass
    @staticmethod
    def static():
        pass
    @classmethod
    def made(cls):
        pass
    @functools.lru_cache
    def cached(self):
        pass
    @functools.cached_property
    def lazy(self):
        pass

def f(value):
    return value
"""

AS_REPR = [
    "datetime.date(2020, 2, 29)",
    "datetime.datetime(2020, 1, 2, 3, 4)",
    "datetime.datetime(2020, 1, 2, 3, 4, 5)",
    "datetime.datetime(1, 1, 1, 0, 0, 0, 7)",
    "datetime.datetime(2020, 1, 2, fold=1)",
    "datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc)",
    "datetime.datetime(2020, 1, 2, 3, fold=1, tzinfo=zoneinfo.ZoneInfo('UTC'))",
    "datetime.time()",
    "datetime.time(1, 2, 3, 4, fold=1)",
    "datetime.time(1, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))",
    "datetime.time(1, fold=1, tzinfo=datetime.timezone.utc)",
    "datetime.timedelta(0)",
    "datetime.timedelta(days=-1, seconds=3, microseconds=9)",
    "datetime.timedelta.max",
    "datetime.timezone.utc",
    "datetime.timezone(datetime.timedelta(minutes=-90), 'odd')",
    "zoneinfo.ZoneInfo('UTC')",
    "decimal.Decimal('0')",
    "decimal.Decimal('-0.00')",
    "decimal.Decimal('1.50E+30')",
    "decimal.Decimal('1e-7')",
    "decimal.Decimal('0.000001')",
    "decimal.Decimal('12345678901234567890123456789012345678901234567890.5')",
    "decimal.Decimal('1' + '0' * 40)",
    "decimal.Decimal('-Infinity')",
    "decimal.Decimal('NaN')",
    "decimal.Decimal('-sNaN123')",
    "decimal.Decimal.__new__(decimal.Decimal)",
    "fractions.Fraction(-1, 3)",
    "complex(1, -2)",
    "uuid.UUID('12345678123456781234567812345678')",
    "pathlib.Path('/a') / 'b' / '..' / 'c'",
    "pathlib.Path()",
    "pathlib.PurePosixPath('//x', './y/')",
    "pathlib.PureWindowsPath('c:/x', 'y')",
    "pathlib.PureWindowsPath('c:', '/x')",
    "pathlib.Path('a/b.txt').with_suffix('.py')",
    "pathlib.Path('/a/b/c').parent",
    "ipaddress.ip_address('10.0.0.1')",
    "ipaddress.ip_address('fe80::1%eth0')",
    "ipaddress.ip_network('10.0.0.0/8')",
    "Point(1, [2])",
    "Typed(3)",
    "Sub(1, 2)",
    "time.gmtime(0)",
    "sys.version_info",
    "range(3)",
    "range(1, 10, 2)",
    "slice(1, None, 2)",
    "types.MappingProxyType({'a': 1})",
    "{'a': 1}.keys()",
    "{'a': 1}.values()",
    "collections.OrderedDict(a=1).keys()",
    "collections.deque([1, 2], maxlen=3)",
    "collections.deque([], maxlen=0)",
    "collections.deque('ab')",
    "collections.Counter({'a': 2, 'b': 1})",
    "collections.Counter()",
    "collections.ChainMap({1: 2}, {3: 4})",
    "re.compile('a+')",
    "re.compile('a+', re.I | re.M)",
    "re.compile(b'x', re.A | re.X)",
    "re.compile('x', re.A)",
    "len",
    "os.getpid",
    "[1].append",
    "str.upper",
    "int.__add__",
    "int.real",
    "dict.__dict__['fromkeys']",
    "functools.partial(print, 1, sep='')",
    "functools.partial(print)",
    "operator.itemgetter(1)",
    "operator.itemgetter(1, 'a')",
    "operator.attrgetter('a.b', 'c')",
    "operator.methodcaller('f')",
    "operator.methodcaller('f', 1, k=2)",
    "ValueError()",
    "ValueError('bad')",
    "KeyError('x')",
    "UnicodeDecodeError('utf-8', b'\\xff', 0, 1, 'invalid start byte')",
    "StopIteration(5)",
    "SystemExit(3)",
    "ImportError('no')",  # from 3.15 on, repr also shows name and path, which are attributes here
    "SyntaxError('bad', ('f.py', 1, 2, 'x y', 1, 3))",
    "OSError(2, 'gone')",
    "ExceptionGroup('g', [ValueError(1), TypeError()])",
    "set()",
    "{7}",
    "frozenset()",
    "frozenset({7})",
    "()",
    "(1,)",
    "b'x\\x00'",
    "bytearray(b'ab\\xff')",
    "bytearray()",
    "array.array('i', [1, -2])",
    "array.array('d')",
    "array.array('d', [0.5])",
    "np.int8(-5)",
    "np.uint8(250)",
    "np.int16(-300)",
    "np.uint16(65535)",
    "np.int32(-7)",
    "np.uint32(2**32 - 1)",
    "np.int64(-2**63)",
    "np.uint64(2**64 - 1)",
    "np.longlong(5)",
    "np.ulonglong(5)",
    "np.bool_(True)",
    "np.bool_(False)",
    "np.float16(0.1)",
    "np.float32(0.1)",
    "np.float32('nan')",
    "np.float64(0.1)",
    "np.longdouble(1) / 3",
    "np.complex64(1 + 0.1j)",
    "np.complex128(1 + 0.1j)",
    "np.clongdouble(1) / 3",
    "np.str_('a')",
    "np.bytes_(b'a')",
    "np.datetime64('2020-01-02')",
    "np.datetime64('2020-01-02T03:04:05.123456789')",
    "np.timedelta64(5, 'D')",
    "np.timedelta64(25, '10s')",
    "np.timedelta64(7)",
]

AS_WRITTEN = {
    "Color.RED": "Color.RED",
    "Level.LOW": "Level.LOW",
    "Text.A": "Text.A",
    "Perm.R | Perm.W": "Perm.R|W",
    "Perm(0)": "Perm(0)",
    "Bits.R | Bits.W": "Bits.R|W",
    "Stamp(2020, 1, 2)": "Stamp(2020, 1, 2, 0, 0)",
    "datetime.datetime(2020, 1, 2, tzinfo=Zone())": (
        "datetime.datetime(2020, 1, 2, 0, 0, tzinfo=Zone(hours=5))"
    ),
    "marked(Money('1.50'), cur='EUR')": "Money('1.50', cur='EUR')",
    "marked(Place('/a/b'), n=1)": "Place('/a/b', n=1)",
    "collections.OrderedDict(a=1)": "OrderedDict({'a': 1})",
    "{'a': 1}.items()": "dict_items({'a': 1})",
    "collections.defaultdict(list, {'a': [1]})": "defaultdict(list, {'a': [1]})",
    "collections.defaultdict(None, {})": "defaultdict(None, {})",
    "collections.defaultdict(f)": "defaultdict(f, {})",
    "memoryview(bytearray(12))": "<memoryview of bytearray, 12 bytes>",
    "memoryview(b'x')": "<memoryview of bytes, 1 byte>",
    "released()": "<released memoryview>",
    "vars(Cart)": "<mappingproxy>",
    "re.search('(b)c', 'abcd')": "<re.Match span=(1, 3), match='bc'>",
    "re.search(b'b', b'abcd')": "<re.Match span=(1, 2), match=b'b'>",
    "f": "<function f>",
    "Cart": "<class Cart>",
    "os": "<module os>",
    "Cart().add": "<bound method Cart.add of Cart()>",
    "Cart.made": "<bound method Cart.made of <class Cart>>",
    "(1).__add__": "<built-in method __add__ of 1>",
    "functools.partial(f, 1, x=[2])": "functools.partial(<function f>, 1, x=[2])",
    "Cart.area": "<property Cart.area>",
    "vars(Cart)['static']": "<staticmethod Cart.static>",
    "vars(Cart)['made']": "<classmethod Cart.made>",
    "vars(Cart)['lazy']": "<cached_property Cart.lazy>",
    "Cart.cached": "<lru_cache of Cart.cached>",
    "chained()": "ValueError('bad', notes=['hint'], cause=KeyError('x'))",
    "gone()": "FileNotFoundError(2, 'No such file or directory', '/no/such')",
    "var": "<ContextVar name='var'>",
    "token": "<Token var=<ContextVar name='var'>, old_value=1>",
    "array.array('u', 'ab')": "array('u', 'ab')",
    # Its own repr gives the names of later fields to those that have none.
    "os.stat_result(range(10))": (
        "os.stat_result(st_mode=0, st_ino=1, st_dev=2, st_nlink=3, st_uid=4, st_gid=5, st_size=6, "
        "7, 8, 9)"
    ),
    "np.datetime64('nat')": "np.datetime64('NaT')",  # versions of numpy differ
    "object.__new__(fractions.Fraction)": "<Fraction>",
    "object.__new__(uuid.UUID)": "<UUID>",
    "object.__new__(pathlib.PosixPath)": "<PosixPath>",
    "Pretender()": "Pretender(x=1)",
}

HELPERS = """
def marked(value, **attributes):
    value.__dict__.update(attributes)
    return value
def released():
    view = memoryview(b"x")
    view.release()
    return view
def chained():
    try:
        try:
            {}["x"]
        except KeyError as error:
            raise ValueError("bad") from error
    except ValueError as error:
        error.add_note("hint")
        return error
def gone():
    try:
        open("/no/such")
    except OSError as error:
        return error
var = contextvars.ContextVar("var")
var.set(1)
token = var.set(2)
class Pretender:
    __class__ = property(lambda self: datetime.date)
    def __init__(self):
        self.x = 1
"""


def lines(run: Recorded, width: int = WIDE) -> list[str]:
    """The arguments of the calls of ``f`` as they are shown."""
    return [Viewer(run.recording, call.exit).line(call.value, width) for call in run.calls("f")]


def test_values_show_as_their_repr_writes_them(record: Record) -> None:
    listed = ",\n    ".join(AS_REPR)
    run = record(
        f"{PREAMBLE}\nvalues = [\n    {listed}\n]\nfor value in values:\n    f(value)\n"
        "print(json.dumps([repr(value) for value in values]))\n"
    )
    expected = [_at_no_address(text) for text in json.loads(run.stdout)]
    assert dict(zip(AS_REPR, lines(run), strict=True)) == dict(zip(AS_REPR, expected, strict=True))


def _at_no_address(text: str) -> str:
    """Leave out what a repr has of memory: ``<built-in method append of list object at 0x7f...>``."""
    return (
        text.replace(text[text.index("of list object") :], "of [1]>") if " at 0x" in text else text
    )


def test_other_values_show_as_people_write_them(record: Record) -> None:
    listed = ",\n    ".join(AS_WRITTEN)
    run = record(f"{PREAMBLE}{HELPERS}\nfor value in [\n    {listed}\n]:\n    f(value)\n")
    assert dict(zip(AS_WRITTEN, lines(run), strict=True)) == AS_WRITTEN


# -- against repr, at random -------------------------------------------------------------------------


class Pair(NamedTuple):
    first: int
    second: decimal.Decimal


zones = st.one_of(
    st.none(),
    st.timedeltas(datetime.timedelta(hours=-23), datetime.timedelta(hours=23)).map(
        datetime.timezone
    ),
    st.builds(
        datetime.timezone,
        st.timedeltas(datetime.timedelta(hours=-23), datetime.timedelta(hours=23)),
        st.text(max_size=4).filter(str.isprintable),
    ),
)
numbers = st.integers(-(2**80), 2**80)
values = st.one_of(
    st.dates(),
    st.datetimes(timezones=zones, allow_imaginary=True),
    st.builds(lambda moment: moment.replace(fold=1), st.datetimes()),
    st.times(timezones=zones),
    st.timedeltas(),
    st.decimals(),
    st.builds(
        lambda sign, digits, exponent: decimal.Decimal((sign, digits, exponent)),
        st.integers(0, 1),
        st.lists(st.integers(0, 9), max_size=60).map(tuple),
        st.one_of(st.integers(-80, 80), st.integers(-(10**6), 10**6)),
    ),
    st.fractions(),
    st.complex_numbers(),
    st.uuids(),
    st.builds(range, numbers, numbers, numbers.filter(bool)),
    st.builds(Pair, numbers, st.decimals()),
)


# An example is a recorded run: few, of many values each, and none to make a failing one smaller.
@settings(
    max_examples=4,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(st.lists(values, min_size=80, max_size=120))
def test_random_values_show_as_their_repr(
    tmp_path_factory: pytest.TempPathFactory, many: list[Any]
) -> None:
    folder = tmp_path_factory.mktemp("random")
    plain = [tuple(value) if isinstance(value, Pair) else value for value in many]
    (folder / "values.pickle").write_bytes(pickle.dumps(plain))
    write_program(
        folder,
        """
        import collections, pickle
        Pair = collections.namedtuple("Pair", "first second")
        def f(value):
            return value
        for value in pickle.load(open("values.pickle", "rb")):
            f(Pair(*value) if isinstance(value, tuple) else value)
        """,
    )
    done = run_recorded(["prog.py"], folder)
    assert done.returncode == 0, done.stderr
    with wrongcall.recording.open(folder / "trace.wrongcall") as recording:
        run = Recorded(recording, done.stdout, done.stderr, done.returncode, folder)
        pairs = zip(lines(run), map(repr, many), strict=True)
        assert [pair for pair in pairs if pair[0] != pair[1]] == []


# -- nothing of the program runs ---------------------------------------------------------------------

HARMLESS = """
import collections, datetime, decimal, fractions, pathlib, threading, types, uuid, array
called = []
def spy(name):
    def method(self, *args, **kwargs):
        called.append(name)
        raise SystemError(name)
    return method
SPARED = {"__new__", "__init__", "__class__", "__init_subclass__", "__del__", "__subclasshook__",
          "__slots__", "__dict__", "__doc__", "__module__", "__setattr__", "__set_name__"}
def spied(base):
    names = [name for name in dir(base) if name not in SPARED]
    return type("Spied", (base,), {name: spy(name) for name in names})
def f(value):
    return value
class Zone(datetime.tzinfo):
    pass
Zones = spied(Zone)
Named = collections.namedtuple("Named", "x y")
MADE = [
    (datetime.date, (2020, 1, 2)), (datetime.datetime, (2020, 1, 2)), (datetime.time, (1,)),
    (datetime.timedelta, (1,)), (decimal.Decimal, ("1.5",)), (collections.deque, ([1], 3)),
    (array.array, ("i", [1])), (bytearray, (b"x",)), (collections.defaultdict, (list,)), (Named, (1, 2)),
]
for base, args in MADE:
    made = spied(base)(*args)
    called.clear()
    f(made)
    f([made])
    assert not called, (base, called)
zone = Zones()
moment = datetime.datetime(2020, 1, 2, tzinfo=zone)
called.clear()
f(moment)
f(datetime.time(1, tzinfo=zone))
assert not called, called
"""


def test_nothing_of_a_subclass_runs(record: Record) -> None:
    run = record(HARMLESS)
    shown = lines(run, 60)
    assert shown[0] == "Spied(2020, 1, 2)"
    assert shown[2] == "Spied(2020, 1, 2, 0, 0)"
    assert shown[8] == "Spied('1.5')"


def test_showing_a_decimal_makes_no_context(record: Record) -> None:
    run = record(
        """
        import decimal, threading
        def f(value):
            return value
        made = decimal.Decimal("1.25")
        def work():
            f(made)
            decimal.DefaultContext.prec = 7
            print(decimal.getcontext().prec)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        """
    )
    assert run.stdout == "7\n"
    assert lines(run) == ["Decimal('1.25')"]


def test_reading_keeps_nothing_alive(record: Record) -> None:
    run = record(
        """
        import datetime, functools, operator, re, sys, weakref
        class Held:
            pass
        def f(value):
            return value
        def counted(make):
            held = Held()
            gone = weakref.ref(held)
            f(make(held))
            del held
            return gone() is None
        print(counted(operator.itemgetter), counted(lambda o: [o].append), counted(lambda o: {1: o}.values()))
        """
    )
    assert run.stdout == "True True True\n"


# -- what is no change -------------------------------------------------------------------------------


def test_equal_values_at_another_address_are_no_change(record: Record) -> None:
    run = record(
        """
        import collections, datetime, decimal, fractions, pathlib, uuid
        import numpy as np
        Point = collections.namedtuple("Point", "x y")
        class Box:
            pass
        def make(one):
            return {
                "when": datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc),
                "price": decimal.Decimal("1.5"),
                "third": fractions.Fraction(1, 3),
                "path": pathlib.Path("a", "b"),
                "id": uuid.UUID(int=5),
                "at": Point(1, decimal.Decimal(one)),
                "n": np.int64(7),
            }
        def same(box):
            for name, value in make("2").items():
                setattr(box, name, value)
        def other(box):
            box.price = decimal.Decimal("1.50")
        box = Box()
        box.__dict__.update(make("2"))
        same(box)
        other(box)
        """
    )
    same = run.recording.questions.effect(run.call("same").id)
    assert [change for changed in same.objects for change in changed.changes] == []
    other = run.recording.questions.effect(run.call("other").id)
    assert [str(c.place) for changed in other.objects for c in changed.changes] == [
        "Attr(name='price')"
    ]


def test_filling_the_caches_of_a_path_is_no_change(record: Record) -> None:
    run = record(
        """
        import pathlib
        def look(path):
            return str(path), hash(path), path.parts, path.name, path == pathlib.Path("x")
        look(pathlib.Path("/a", "b"))
        """
    )
    assert run.recording.questions.effect(run.call("look").id).objects == ()


def test_calls_with_equal_values_ask_the_same(record: Record) -> None:
    run = record(
        """
        import datetime, decimal, re
        def f(a, b):
            return a
        def g(view):
            return len(view)
        for text in ("1.5", "1.5", "1.50"):
            f(decimal.Decimal(text), datetime.date(2020, 1, 2))
        data = bytearray(8)
        g(memoryview(data)[:4])
        g(memoryview(data)[4:])
        """
    )
    one, same, other = (run.recording.questions.key(call.id) for call in run.calls("f"))
    assert one == same
    assert one != other
    first, second = (run.recording.questions.key(call.id) for call in run.calls("g"))
    assert first != second


# -- keys and trees ----------------------------------------------------------------------------------


def test_values_as_keys_show_by_value_and_can_be_typed(record: Record) -> None:
    run = record(
        """
        import collections, datetime, decimal, enum, fractions, pathlib, uuid
        class Color(enum.Enum):
            RED = 1
        Point = collections.namedtuple("Point", "x y")
        def fill(table):
            table[datetime.date(2020, 1, 2)] = 1
            table[decimal.Decimal("1.5")] = 2
            table[fractions.Fraction(1, 3)] = 3
            table[pathlib.PurePosixPath("/a")] = 4
            table[uuid.UUID(int=5)] = 5
            table[Color.RED] = 6
            table[Point(1, 2)] = 7
            table[datetime.date(2020, 1, 3), "x"] = 8
        fill({})
        """
    )
    call = run.call("fill")
    keys = {
        "table[datetime.date(2020, 1, 2)]": 1,
        "table[Decimal('1.5')]": 2,
        "table[Fraction(1, 3)]": 3,
        "table[PurePosixPath('/a')]": 4,
        "table[UUID('00000000-0000-0000-0000-000000000005')]": 5,
        "table[Color.RED]": 6,
        "table[Point(x=1, y=2)]": 7,
        "table[datetime.date(2020, 1, 3), 'x']": 8,
    }
    (changed,) = run.recording.questions.effect(call.id).objects
    shown = [f"table{run.recording.states.keys.step(c.place, call.exit)}" for c in changed.changes]
    assert shown == list(keys)
    found = {path: run.recording.places.find(call.id, path, call.exit)[1] for path in keys}
    assert found == keys


def test_trees_show_no_bookkeeping(record: Record) -> None:
    run = record(
        """
        import collections, datetime, decimal, pathlib
        Point = collections.namedtuple("Point", "x y")
        class Money(decimal.Decimal):
            pass
        class Degrees(float):
            pass
        money = Money("1")
        money.cur = "EUR"
        def f(value):
            return value
        zone = datetime.timezone.utc
        for value in (datetime.datetime(2020, 1, 2, tzinfo=zone), decimal.Decimal(1), money,
                      pathlib.Path("a"), Point(1, 2), Degrees(3)):
            f(value)
        """
    )
    labels = []
    for call in run.calls("f"):
        tree = Viewer(run.recording, call.exit).tree(call.value)
        labels.append([part.label for part in tree.parts])
        assert tree.size == len(tree.parts)
    assert labels == [[".tzinfo"], [], [".cur"], [], ["[0]", "[1]"], []]


def test_groups_of_a_match_can_be_opened(record: Record) -> None:
    run = record(
        """
        import re
        class Odd(str):
            def __getitem__(self, key):
                raise SystemError
        def f(value):
            return value
        f(re.search("(b)(x)?", "abc"))
        f(re.search("(b)", Odd("abc")))
        """
    )
    plain, odd = run.calls("f")
    tree = Viewer(run.recording, plain.exit).tree(plain.value)
    assert {part.label: part.summary for part in tree.parts}[".groups"] == "('b', None)"
    assert Viewer(run.recording, odd.exit).line(odd.value) == "<re.Match span=(1, 2)>"


def test_a_view_shows_the_dict_as_it_is_at_that_time(record: Record) -> None:
    run = record(
        """
        def f(value):
            return value
        table = {"a": 1}
        view = table.keys()
        f(view)
        table["b"] = 2
        f(view)
        """
    )
    assert lines(run) == ["dict_keys(['a'])", "dict_keys(['a', 'b'])"]


def test_a_key_that_leads_back_to_its_dict_is_shown_once(record: Record) -> None:
    run = record(
        """
        class Key:
            pass
        def f(value):
            return value
        key = Key()
        key.table = {key: 1}
        f(key.table)
        """
    )
    table = run.call("f").value
    assert isinstance(table, Ref)
    assert lines(run) == [f"{{Key(table=#{table.oid}): 1}}"]


def test_what_a_callback_in_c_changes_is_seen(record: Record) -> None:
    run = record(
        """
        import collections
        def fill(items, table):
            collections.deque(map(items.append, "ab"), maxlen=0)
            list(map(table.__setitem__, "xy", (1, 2)))
        fill([], {})
        """
    )
    call = run.call("fill")
    viewer = Viewer(run.recording, call.exit)
    shown = [viewer.line(arg.value) for arg in run.recording.questions.input(call.id).args]
    assert shown == ["['a', 'b']", "{'x': 1, 'y': 2}"]
