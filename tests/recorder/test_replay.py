"""Random programs: at every marked snapshot the trace has the heap that the program had.

A program is a long straight line of statements over lists, dicts, sets, deques, byte arrays,
objects, closures and C functions that change what they are given; the variables hold each other,
so that there are aliases and cycles everywhere. Statements may fail half way: each is in a `try`
of its own.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.recorder.heap_compare import run_witnessed

PRELUDE = """
# k0 k1 k2 k3 k4 k5 k6 k7 k8
import bisect, copy, functools, heapq, operator, random
from collections import Counter, OrderedDict, defaultdict, deque
from itertools import islice

class Obj:
    pass

class Slots:
    __slots__ = ('k0', 'k1', 'k2', 'k3', '__dict__')

class Key:
    def __init__(self, k8):
        self.k8 = k8
    def __hash__(self):
        return hash(self.k8)
    def __eq__(self, other):
        return isinstance(other, Key) and self.k8 == other.k8

class Names(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.k0 = key

class Pile(list):
    pass

def few(values):
    return [] if isinstance(values, set) else list(islice(values, 3))

def small(value):
    return len(value) < 30

def fail():
    yield 1
    raise KeyError

rng = random.Random(5)

def swap(x, i, j):
    x[i], x[j] = x[j], x[i]

def put(x, key, value):
    x[key] = value

def keep_in(x):
    def keep(value):
        nonlocal kept
        kept = value
        x.k4 = kept
    kept = None
    return keep
"""

STARTS = {
    "l0": "[3, 1, 2]",
    "l1": "[]",
    "l2": "Pile([1, 2])",
    "d0": "{'a': 1}",
    "d1": "defaultdict(list)",
    "d2": "OrderedDict(a=1, b=2)",
    "d3": "Names()",
    "d4": "Counter('abca')",
    "s0": "{1, 2, 3}",
    "s1": "set()",
    "q0": "deque([1, 2, 3])",
    "q1": "deque([1], maxlen=3)",
    "b0": "bytearray(b'abc')",
    "o0": "Obj()",
    "o1": "Obj()",
    "o2": "Slots()",
}
NAMES = list(STARTS)

LIST = [
    "{l}.append({v})",
    "{l}[{i}] = {v}",
    "{l}.insert({i}, {v})",
    "{l}.pop()",
    "{l}.pop({i})",
    "del {l}[{i}]",
    "{l}.extend(few({x}))",
    "{l} += few({x})",
    "{l}[{i}:{j}] = few({x})",
    "del {l}[{i}:{j}]",
    "{l}.reverse()",
    "{l}.sort(key=kind_of)",
    "{l}.clear()",
    "{l} *= 2 if small({l}) else 0",
    "{l}.remove({a})",
    "swap({l}, {i}, {j})",
    "{l}[{i}], {l}[{j}] = {l}[{j}], {v}",
    "{l}[{i}] += 1",
    "{l}[{i}] += [{v}]",
    "{l}[{i}].append({v})",
    "{l}[{i}]['a'] = {v}",
    "{l}[{i}].k0 = {v}",
    "rng.shuffle({l})",
    "heapq.heapify({l})",
    "heapq.heappush({l}, {n})",
    "bisect.insort({l}, {n})",
    "operator.setitem({l}, {i}, {v})",
    "operator.delitem({l}, {i})",
    "operator.iadd({l}, few({x}))",
    "list(map({l}.append, few({x})))",
    "functools.partial({l}.insert, {i})({v})",
    "{l}[:] = few({x})",
    "{l}.extend(fail())",
    "{l}[::2] = {l}[::2][::-1]",
    "for {l}[{i}] in few({x}): pass",
    "{l}.__setitem__({i}, {v})",
    "put({l}, {i}, {v})",
    "[{l}.append(y) for y in few({x})]",
    "{l}.extend({l}[:2])",
    "{l}, old = few({x}), {l}; old.append({l})",
]
DICT = [
    "{d}[{k}] = {v}",
    "{d}[{k}] = {v}",
    "del {d}[{k}]",
    "{d}.pop({k}, None)",
    "{d}.popitem()",
    "{d}.setdefault({k}, {v})",
    "{d}.update(a={v}, c={v})",
    "{d}.update({{{k}: {v}}})",
    "{d}.update(zip('abc', few({x})))",
    "{d} |= {{{k}: {v}}}",
    "{d}[{k}] += 1",
    "{d}[{k}] += [{v}]",
    "{d}[{k}].append({v})",
    "{d}[{k}]",
    "{d}.clear()",
    "operator.setitem({d}, {k}, {v})",
    "operator.delitem({d}, {k})",
    "list(map({d}.pop, ['a', {k}]))",
    "put({d}, {k}, {v})",
    "d2.move_to_end({k})",
    "d2.move_to_end({k}, last=False)",
    "d2.popitem(last=False)",
    "d1[{k}].append({v})",
    "d4.update('ab')",
    "d4.subtract('bc')",
    "{d}.update(fail())",
    "for {d}[{k}] in few({x}): pass",
    "{d}[{k}], {d}[{k}] = {v}, {v}",
    "{d} = dict({d})",
    "{d}[Key({n})] = {v}",
    "del {d}[Key({n})]",
    "{d}[({n}, {a})] = {v}",
    "d3.k1 = {v}",
]
SET = [
    "{s}.add({a})",
    "{s}.add({o})",
    "{s}.add(({n}, {a}))",
    "{s}.add(Key({n}))",
    "{s}.discard({a})",
    "{s}.discard({o})",
    "{s}.discard(({n}, {a}))",
    "{s}.discard(Key({n}))",
    "{s} |= {{{a}, {n}}}",
    "{s} &= {{{a}, {n}, 1, 2}}",
    "{s} -= {{{a}}}",
    "{s} ^= {{{a}, {n}}}",
    "{s}.update([{a}], ({n},))",
    "{s}.clear()",
    "{s}.difference_update([{a}])",
    "{s}.symmetric_difference_update([{a}, {n}])",
    "list(map({s}.add, [{a}, {n}]))",
    "operator.ior({s}, {{{a}}})",
    "{s}.add([])",
    "{s}.update(fail())",
    "{s}.remove({n})",
]
DEQUE = [
    "{q}.append({v})",
    "{q}.appendleft({v})",
    "{q}.pop()",
    "{q}.popleft()",
    "{q}.rotate({i})",
    "{q}.rotate({n})",
    "{q}.extend(few({x}))",
    "{q}.extendleft(few({x}))",
    "{q}[{i}] = {v}",
    "del {q}[{i}]",
    "{q}.insert({i}, {v})",
    "{q}.reverse()",
    "{q}.remove({a})",
    "{q}.clear()",
    "{q} += few({x})",
    "{q}[{i}] += 1",
    "{q}[{i}].append({v})",
    "rng.shuffle({q})",
    "list(map({q}.append, few({x})))",
    "operator.setitem({q}, {i}, {v})",
    "{q} *= 2 if small({q}) else 0",
    "{q}.extend(fail())",
]
BYTES = [
    "b0.append({n})",
    "b0[{i}] = {n}",
    "b0[{i}:{j}] = b'xyz'",
    "del b0[{i}]",
    "b0 += b'q'",
    "b0.reverse()",
    "b0.insert({i}, 7)",
    "b0.pop()",
    "b0.extend([{n}, 300])",
    "b0.clear()",
    "operator.setitem(b0, {i}, {n})",
    "b0 *= 2 if small(b0) else 0",
]
OBJECT = [
    "{o}.{m} = {v}",
    "{o}.{m} = {v}",
    "{o}.{m} += 1",
    "{o}.{m} += [{v}]",
    "del {o}.{m}",
    "setattr({o}, '{m}', {v})",
    "delattr({o}, '{m}')",
    "object.__setattr__({o}, '{m}', {v})",
    "{o}.{m}.append({v})",
    "{o}.{m}.{m} = {v}",
    "{o}.{m}['a'] = {v}",
    "{o}.{m}, {o}.k0 = {v}, {v}",
    "for {o}.{m} in few({x}): pass",
    "{o} = Obj()",
    "{o} = copy.copy({o})",
    "l2.{m} = {v}",
    "keep_in({o})({v})",
    "functools.partial(setattr, {o}, '{m}')({v})",
    "names = {o}.__dict__\nnames['k4'] = {v}\ndel names",
    "{o}.{m} = {o}.k1 = {v}",
    "heapq.heappush({o}.{m}, {n})",
]
NAME = [
    "{x} = {x}",
    "l0, l1 = l1, l0",
    "o0, o1 = o1, o0",
    "q0, q1 = q1, q0",
    "s0, s1 = s1, s0",
    "{l} = [{v}, {v}]",
    "{d} = {{'a': {v}}}",
    "{s} = {{{a}, {n}}}",
    "{q} = deque([{v}])",
    "l0 = [y for y in few({x})]",
    "{l} = list({l})",
    "del_me = {v}\ndel del_me",
]

ATOMS = [
    "0",
    "1",
    "2",
    "True",
    "1.0",
    "-1",
    "'a'",
    "'b'",
    "None",
    "2.5",
    "10**20",
    "'long text ' * 3",
    "b'x'",
    "(1, 'a')",
    "()",
]
FIELDS = {
    "l": ["l0", "l1", "l2"],
    "d": ["d0", "d1", "d2", "d3", "d4"],
    "s": ["s0", "s1"],
    "q": ["q0", "q1"],
    "o": ["o0", "o1", "o2"],
    "x": NAMES,
    "v": [*NAMES, *ATOMS, *ATOMS, "[]", "{}", "Obj()", "[l0, o0]", "(l1, d0)"],
    "a": ATOMS,
    "k": ["'a'", "'b'", "'c'", "1", "True", "(1, 2)", "None", "'a long key'", "0.5"],
    "n": ["0", "1", "2", "7", "100"],
    "i": ["0", "1", "-1", "2", "5"],
    "j": ["0", "1", "3", "-1"],
    "m": ["k0", "k1", "k2", "k3"],
}


@st.composite
def statements(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from([LIST, LIST, DICT, DICT, OBJECT, OBJECT, SET, DEQUE, BYTES, NAME]))
    template = draw(st.sampled_from(kind))
    text = ""
    # Each field is drawn anew: two values of one statement may differ.
    while "{" in template:
        before, _, rest = template.partition("{")
        if rest.startswith("{"):
            text, template = text + before + "{", rest[1:]
            continue
        name, _, template = rest.partition("}")
        text += before + draw(st.sampled_from(FIELDS[name]))
    return (text + template).replace("}}", "}")


def program(lines: list[str], marks: set[int]) -> str:
    state = "[" + ", ".join(NAMES) + "]"
    parts = [PRELUDE, "def kind_of(value):\n    return str(type(value))\n", "def main():"]
    parts += [f"    {name} = {start}" for name, start in STARTS.items()]
    for number, line in enumerate(lines):
        body = "\n".join("        " + part for part in line.splitlines())
        parts.append(f"    try:\n{body}\n    except Exception:\n        pass")
        if number in marks:
            parts.append(f"    mark('{number}', {state})")
    parts += [f"    mark('end', {state})", "main()"]
    return "\n".join(parts) + "\n"


def check(folder: Path, lines: list[str], marks: set[int]) -> None:
    """Record a program; where the trace is wrong for the first time, say so."""
    with run_witnessed(folder, program(lines, marks)) as run:
        for label in run.snapshots:
            found = run.differences(label)
            last = lines[: int(label) + 1 if label != "end" else None][-12:]
            assert not found, f"after {label}: {found[:3]}\n...\n" + "\n".join(last)


@settings(
    max_examples=12,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(
    st.lists(statements(), min_size=150, max_size=250), st.sets(st.integers(0, 200), max_size=12)
)
def test_the_trace_has_the_heap_of_the_program(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], marks: set[int]
) -> None:
    folder = tmp_path_factory.mktemp("replay")
    try:
        check(folder, lines, marks)
    finally:
        shutil.rmtree(folder)
