"""Every way to change a dict, defaultdict, OrderedDict or Counter is recorded, and the order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.recorder.heap_compare import (
    Case,
    Witnessed,
    case_program,
    cases,
    check_case,
    run_witnessed,
)

PRELUDE = """
# attributes of the library's objects: data maps _name_ _value_ _sort_order_
import functools, operator, copy, types
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction

class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        return hash(self.n)
    def __eq__(self, other):
        return isinstance(other, Key) and self.n == other.n

class Plain:
    pass

class Text(str):
    pass

class Number(IntEnum):
    ONE = 1
    TWO = 2

class Table(dict):
    def put(self, key, value):
        self[key] = value

class Loud(dict):
    def __setitem__(self, key, value):
        self.last = key
        super().__setitem__(key, value)
    def __missing__(self, key):
        self[key] = value = [key]
        return value

class Quiet(dict):
    def __missing__(self, key):
        return -1

class Numbered(defaultdict):
    pass

def broken(*pairs):
    yield from pairs
    raise KeyError

plain, key = Plain(), Key(1)
"""

DICT = [
    "x['c'] = 3",
    "x['a'] = 9",
    "x['a'] = x",
    "x['a'] = x['c'] = []",
    "x['a'], x['c'] = 8, 9",
    "a, *x['c'] = 7, 8, 9",
    "for x['a'] in (7, 8): pass",
    "for x['c'] in (7, 8): pass",
    "x['a']: int = 7",
    "x['a'] += 5",
    "k = 'a'\nx[k] += 5",
    "x[str('a')] += 5",
    "x['a'] = x.pop('a')",
    "del x['a']",
    "del x['a'], x['b']",
    "del x['b']\nx['b'] = 5",
    "x.pop('a')",
    "x.pop('b', None)",
    "x.popitem()",
    "x.setdefault('c', 5)",
    "x.setdefault('c')",
    "x.setdefault('c', []).append(1)",
    "x.update({'a': 5, 'c': 6})",
    "x.update(a=5, c=6)",
    "x.update({'a': 5}, c=6)",
    "x.update([('a', 5), ('c', 6)])",
    "x.update(zip('ac', (5, 6)))",
    "x.update((k, k * 2) for k in 'ac')",
    "x |= {'c': 6}",
    "x |= [('c', 6)]",
    "x.clear()",
    "x.clear()\nx['z'] = 1",
    "x.__setitem__('c', 3)",
    "x.__delitem__('a')",
    "x.__ior__({'c': 3})",
    "x.__init__(c=3)",
    "dict.__setitem__(x, 'c', 3)",
    "dict.update(x, c=3)",
    "dict.setdefault(x, 'c', 3)",
    "operator.setitem(x, 'c', 3)",
    "operator.delitem(x, 'a')",
    "operator.ior(x, {'c': 3})",
    "functools.partial(x.__setitem__, 'c')(3)",
    "functools.partial(x.update, c=3)()",
    "list(map(x.pop, ['a', 'b']))",
    "list(map(x.setdefault, 'abc', [7, 8, 9]))",
    "list(map(x.__setitem__, 'bc', [7, 8]))",
    "any(map(functools.partial(operator.setitem, x), 'bc', [7, 8]))",
    "exec('x[\"c\"] = 3')",
    "exec('c = 3', {}, x)",
    "exec('d = 4', x)\nx.pop('__builtins__')",
    "eval('1', x)\nx.pop('__builtins__')",
    "[x.update({k: 1}) for k in 'ac']",
    "{x.pop(k) for k in 'ab'}",
    "for k in list(x):\n    x[k * 2] = x.pop(k)",
    "try:\n    x.update(broken(('a', 5), ('c', 6)))\nexcept KeyError:\n    pass",
    "try:\n    x |= broken(('a', 5), ('c', 6))\nexcept KeyError:\n    pass",
    "try:\n    x['c'] = 5\n    x[[]] = 6\nexcept TypeError:\n    pass",
    "try:\n    x['c'], x[[]] = 5, 6\nexcept TypeError:\n    pass",
    "try:\n    del x['a'], x['zz']\nexcept KeyError:\n    pass",
    "y = x\ny['c'] = 1\ndel y['a']",
    "for i in range(100):\n    x[i] = i\nfor i in range(0, 100, 2):\n    del x[i]",
    "for i in range(100):\n    x[i % 3] = i",
    "for i in range(60):\n    x[i] = Plain()\n    if i > 3:\n        del x[i - 3]",
    "for i in range(60):\n    x['a'] = Plain()",
    "for i in range(60):\n    x.update(a=Plain())",
    "x[x['a']] = {}\nx[1]['k'] = x",
]

# Two keys that have the same bits and are not equal, not even to themselves.
TWO_NANS = "x[float('nan')] = 1\nx[float('nan')] = 2"

KEYS = [
    "x[1.0] = 'one'",
    "x[True] = 'true'",
    "x[1 + 0j] = 'complex'",
    "x[Decimal(1)] = 'decimal'",
    "x[Fraction(1)] = 'fraction'",
    "x[Number.ONE] = 'enum'",
    "x[Number.TWO] = 'new enum'\nx[2] = 'two'",
    "x[-0.0] = 'zero'\nx[0] = 'nought'\nx[False] = 'false'",
    "x[2**70] = 'big'\nx[2.0**70] = 'bigger'",
    "x[2**53 + 1] = 1\nx[2.0**53] = 2",
    "x[-1] = 1\nx[-2] = 2",
    "x[10**25] = 1\nx[-10**25] = 2\ndel x[10**25]",
    "x[None] = 1\nx[...] = 2\nx[NotImplemented] = 3\ndel x[None]",
    "x['t'] = 1",
    "x[Text('t')] = 'changed'",
    "x[Text('u')] = 1\nx['u'] = 2\nx[Text('u')] += 1",
    "x[b't'] = 1\nx['t'] = 2",
    "x[Key(1)] = 'equal key'",
    "x[Key(2)] = 'new'\nx[Key(2)] = 'again'",
    "x[key] = 5",
    "x[Key(1)] += '!'",
    "del x[Key(1)]",
    "x.pop(Key(1))",
    "x.setdefault(Key(1), 7)",
    "x.setdefault(Key(3), 7)",
    "x.update({Key(1): 8})",
    "x |= {Key(1): 8}",
    "del x[key]\nx[Key(1)] = 9",
    "x.pop(key)\nx[key] = 1",
    "x[1, 2] = 'tuple'",
    "x[(1, 2)] = 'tuple'\nx[1.0, 2] = 'same'\nx[True, 2] += '!'",
    "x[1, (2, 'c')] = 1\nx[1, (2, 'c')] = 2\nx[1, (2, 'd')] = 3\ndel x[1, (2, 'c')]",
    "x[()] = 1\nx[((),)] = 2",
    "x[plain] = 1\nx[plain] = 2",
    "x[plain, 1] = 1\nx[plain, 1] = 2\nx[Plain(), 1] = 3",
    "x[Key(1), 1] = 1\nx[Key(1), 1] = 2\nx[key, 1] = 3",
    "x[Key(1), 1] = 1\ndel x[key, 1]",
    "x[frozenset({1, 2})] = 1\nx[frozenset({2, 1})] = 2\ndel x[frozenset((1, 2))]",
    "x[frozenset({1, 2})] = 1\nx[frozenset({1, 3})] = 2",
    TWO_NANS,
    "nan = float('nan')\nx[nan] = 1\nx[nan] = 2\ndel x[nan]",
    "nan = float('nan')\nx[nan, 1] = 1\nx[nan, 1] = 2",
    "x[float('nan')] = 1\nx[float('inf')] = 2\nx[float('-inf')] = 3",
    "x[0.1] = 1\nx[0.1 + 0.2] = 2\nx[0.3] = 3",
    "x[int] = 1\nx[len] = 2\nx[Key] = 3\nx[Key] = 4",
    "x[range(3)] = 1\nx[range(0, 3, 1)] = 2",
    "x[type] = 1\nx[types] = 2\ndel x[type]",
    "x[lambda: 0] = 1",
    "x['\\ud800'] = 1\nx['\\U0001f600'] = 2\nx['\\u00e9'] = 3\nx['a' * 300] = 4\nx['a' * 300] = 5",
    "x[b'a' * 300] = 1\nx[b'a' * 300] = 2",
    "for i in range(30):\n    x[Key(i)] = i\nfor i in range(0, 30, 3):\n    del x[Key(i)]",
    "for i in range(30):\n    x[i, str(i)] = i\nfor i in range(0, 30, 3):\n    x.pop((i, str(i)))",
]

CASES = cases(
    ("{'a': 1, 'b': 2}", DICT),
    ("{1: 'a', 't': 'b', key: 'c'}", KEYS),
    (
        "{'a': {'b': {}}, 'l': [1], 's': {1}}",
        [
            "x['a']['b']['c'] = 1",
            "x['a']['b'] = x",
            "del x['a']['b']",
            "x['l'].append(2)",
            "x['l'] += [2]",
            "x['l'] *= 2",
            "x['s'] |= {2}",
            "x['s'].add(2)",
            "x['l'][0] += 1",
            "x['a']['b'] |= {'c': 1}",
            "x.get('l').append(2)",
            "x.setdefault('l', []).append(2)",
            "x.setdefault('m', []).append(2)",
            "for v in x.values():\n    v.clear()",
            "x['l'], x['s'] = x['s'], x['l']",
            "x['l'][:] = x",
            "x['l'].append(x)\nx['l'].remove(x)",
            "operator.iadd(x['l'], [2])",
            "list(map(dict.clear, [x['a']]))",
        ],
    ),
    (
        "defaultdict(list, a=[1])",
        [
            "x['c']",
            "x['a']",
            "x['c'].append(1)",
            "x['c'] += [1]",
            "x['c'] = 5",
            "del x['a']",
            "x.pop('a')",
            "x.get('c')",
            "x.__getitem__('c')",
            "x.__missing__('c')",
            "operator.getitem(x, 'c')",
            "operator.itemgetter('c', 'd')(x)",
            "[x[k] for k in 'abc']",
            "list(map(x.__getitem__, 'bc'))",
            "'{0[c]}'.format(x)",
            "'%(c)s' % x",
            "x['c'], x['d'] = x['d'], x['c']",
            "x.default_factory = None\ntry:\n    x['c']\nexcept KeyError:\n    pass",
            "x.default_factory = dict\nx['c']['d'] = 1",
            "x.setdefault('c', 4)",
            "x.update(c=1)",
            "x |= {'c': 1}",
            "x.clear()",
            "x.copy()['z']",
            "'c' in x",
        ],
    ),
    (
        "defaultdict(int)",
        ["x['a'] += 1", "for c in 'abca':\n    x[c] += 1", "x['a'] = x['b'] + 1", "x[1, 2] += 1"],
    ),
    (
        "defaultdict(lambda: defaultdict(list))",
        ["x[1][2].append(3)", "x[1][2] += [3]", "x[x['a']['b'].append(1)][2]"],
    ),
    (
        "Numbered(int, a=1)",
        ["x['c']", "x['c'] += 1", "x.name = 1", "x['c'] = 1\nx.name = 'd'"],
    ),
    (
        "OrderedDict(a=1, b=2, c=3)",
        [
            "x.move_to_end('a')",
            "x.move_to_end('c', last=False)",
            "x.move_to_end('b')\nx['a'] = 5\nx.move_to_end('a')",
            "x.popitem()",
            "x.popitem(last=False)",
            "x.popitem(False)",
            "x['d'] = 4",
            "x['d'] = 4\nx.move_to_end('d', False)",
            "x['a'] = 9",
            "x['a'] += 9",
            "del x['b']",
            "x.pop('b')",
            "x.pop('zz', 0)\nx.pop('a')",
            "x.setdefault('d', 4)",
            "x.update(d=4, a=5)",
            "x |= {'d': 4}",
            "x.clear()",
            "x.name = 1",
            "del x['a']\nx['a'] = 1",
            "functools.partial(x.move_to_end, 'a')()",
            "OrderedDict.move_to_end(x, 'a')",
            "operator.setitem(x, 'd', 4)",
            "operator.delitem(x, 'b')",
            "list(map(x.move_to_end, 'ab'))",
            "dict.__setitem__(x, 'a', 7)",
            "for k in list(x):\n    x.move_to_end(k, last=False)",
            "x.__init__(z=1)",
            "x.move_to_end('a')\nx.popitem(last=False)",
            "x.move_to_end('a')\nx.popitem()",
            "x.move_to_end('a')\nx['d'] = 4",
            "x.move_to_end('a')\nx['b'] = 9",
            "x.move_to_end('a')\ndel x['b']",
            "x.move_to_end('a')\nx.pop('b')",
            "x.move_to_end('a')\nx.update(e=5)",
            "x.move_to_end('a')\nx |= {'e': 5}",
            "x.move_to_end('a')\noperator.setitem(x, 'b', 9)",
            "x.move_to_end('a')\nx.setdefault('e', 5)",
            "x.move_to_end('a')\nx['b'] += 5",
            "x.move_to_end('c', False)\ntry:\n    x.move_to_end('zz')\nexcept KeyError:\n    pass",
        ],
    ),
    (
        "Counter('aab')",
        [
            "x['a'] += 1",
            "x['c'] += 1",
            "x['c']",
            "x['c'] = 5",
            "del x['a']",
            "del x['zz']",
            "x.update('abc')",
            "x.update({'a': 3})",
            "x.update(a=3, d=4)",
            "x.subtract('ab')",
            "x.subtract(c=2)",
            "x += Counter('ab')",
            "x -= Counter('aab')",
            "x |= Counter('bbb')",
            "x &= Counter('a')",
            "x.clear()",
            "x.pop('a')",
            "x.popitem()",
            "x.setdefault('c', 0)",
            "for c in 'abc':\n    x[c] -= 1",
            "operator.iadd(x, Counter('c'))",
            "Counter.update(x, 'abc')",
            "x.__init__('zz')",
            "x.most_common()[0][0]",
            "x.name = 1",
        ],
    ),
    (
        "Table(a=1)",
        [
            "x.put('b', 2)",
            "x['b'] = 2",
            "x['a'] += 2",
            "x.name = 'n'",
            "x.name = 'n'\ndel x.name",
            "del x['a']",
            "x |= {'c': 2}",
            "x.update(c=2)",
            "dict.__setitem__(x, 'c', 2)",
            "x.__dict__['name'] = 1",
            "vars(x)['name'] = 1",
            "x.me = x",
            "setattr(x, 'a', 5)",
        ],
    ),
    (
        "Loud(a=1)",
        [
            "x['b'] = 2",
            "x['a'] += 2",
            "x['c'].append(1)",
            "x['b'], x['c'] = 2, 3",
            "x.update(b=2)",
            "x.setdefault('b', 2)",
            "operator.setitem(x, 'b', 2)",
            "for x['b'] in (1, 2): pass",
            "del x['a']",
            "dict.__setitem__(x, 'b', 2)",
        ],
    ),
    ("Quiet(a=1)", ["x['b']", "x['b'] += 1"]),
    (
        "UserDict(a=1)",
        [
            "x['b'] = 2",
            "x['a'] += 2",
            "del x['a']",
            "x.update(c=3)",
            "x.pop('a')",
            "x.popitem()",
            "x.setdefault('c', []).append(1)",
            "x.clear()",
            "x |= {'c': 1}",
            "operator.setitem(x, 'c', 1)",
        ],
    ),
    (
        "UserList([1, 2])",
        ["x.append(3)", "x[0] = 5", "x += [4]", "x.sort(reverse=True)", "del x[0]"],
    ),
    (
        "ChainMap({'a': 1}, {'b': 2})",
        [
            "x['b'] = 3",
            "del x['a']",
            "x['a'] += 1",
            "x.update(c=4)",
            "x.maps.append({})",
            "x.clear()",
        ],
    ),
)

UNCHANGED = {
    ("defaultdict(list, a=[1])", "x['a']"),
    ("defaultdict(list, a=[1])", "x.get('c')"),
    ("defaultdict(list, a=[1])", "x.copy()['z']"),
    ("defaultdict(list, a=[1])", "'c' in x"),
    ("Counter('aab')", "x['c']"),
    ("Counter('aab')", "del x['zz']"),
    ("Counter('aab')", "x.most_common()[0][0]"),
    ("Quiet(a=1)", "x['b']"),
    ("{1: 'a', 't': 'b', key: 'c'}", "x.setdefault(Key(1), 7)"),
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("dicts"), case_program(PRELUDE, CASES)) as run:
        yield run


TAKEN_FOR_ONE = pytest.mark.xfail(reason="keys are told by value: two NaNs are taken for one")


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name, marks=[TAKEN_FOR_ONE] if case.op == TWO_NANS else [])
        for case in CASES
    ],
)
def test_change(run: Witnessed, case: Case) -> None:
    check_case(run, case, (case.make, case.op) not in UNCHANGED)
