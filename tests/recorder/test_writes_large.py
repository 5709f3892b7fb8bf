"""Large containers that the program and foreign code change in turn: what the trace has is what they hold.

Large dicts, sets and deques are not compared item by item after each foreign call (see `native/compare/watches.h`).
Random programs change them in every way that Python has, from both sides; a witness writes down what they hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recorder.conftest import write_program
from tests.recorder.heap_compare import Witnessed, run_witnessed

OPERATIONS = '''
import weakref
from collections import deque

class Key:
    """Equal to itself only. Its hash is no address: those would decide what a set yields first."""
    def __init__(self, number=0):
        self.number = number
    def __hash__(self):
        return hash(self.number) * 7919

class Equal:
    """Equal to others with the same number."""
    def __init__(self, number):
        self.number = number
    def __eq__(self, other):
        return isinstance(other, Equal) and self.number == other.number
    def __hash__(self):
        return hash(self.number) % 50

kept = [Key(number) for number in range(200)]

def some_key(rng):
    number = rng.randrange(150)
    kind = rng.randrange(7)
    if kind == 0: return kept[number]
    if kind == 1: return weakref.ref(kept[number], print)
    if kind == 2: return Equal(number)
    if kind == 3: return (number, 'x')
    if kind == 4: return float(number)
    if kind == 5: return str(number)
    return number

def some_value(rng):
    kind = rng.randrange(4)
    return Key() if kind == 0 else [rng.randrange(9)] if kind == 1 else rng.randrange(1000)

def change_dict(d, rng):
    kind = rng.randrange(12)
    keys = list(d)
    if kind < 3: d[rng.choice(keys)] = some_value(rng)
    elif kind < 5: d[some_key(rng)] = some_value(rng)
    elif kind == 5: del d[rng.choice(keys)]
    elif kind == 6:
        key = rng.choice(keys)
        d[key] = d.pop(key)
    elif kind == 7: d.update({some_key(rng): some_value(rng) for _ in range(rng.choice((2, 30)))})
    elif kind == 8: d |= {some_key(rng): some_value(rng)}
    elif kind == 9: d.popitem()
    elif kind == 10: d.setdefault(some_key(rng), some_value(rng))
    else:
        key = some_key(rng)
        d[key] = 1
        d[rng.choice(keys)] = 2
        del d[key]
        d[key] = some_value(rng)
    while len(d) < 80 or (kind == 9 and rng.randrange(2)):
        d[some_key(rng)] = some_value(rng)
    if rng.randrange(60) == 0:
        old = dict(d)
        d.clear()
        d.update(old)

def change_set(s, rng):
    kind = rng.randrange(8)
    members = list(s)
    if kind < 2: s.add(some_key(rng))
    elif kind == 2: s.discard(some_key(rng))
    elif kind == 3: s |= {some_key(rng), some_key(rng)}
    elif kind == 4: s -= {rng.choice(members)}
    elif kind == 5: s ^= {some_key(rng), rng.choice(members)}
    elif kind == 6:
        member = rng.choice(members)
        s.remove(member)
        if isinstance(member, Equal): s.add(Equal(member.number))
        else: s.add(member)
    else: s.pop()
    while len(s) < 80:
        s |= {some_key(rng)}

def change_deque(d, rng):
    kind = rng.randrange(14)
    at = rng.randrange(len(d))
    if kind == 0: d[at] = some_value(rng)
    elif kind == 1: del d[at]
    elif kind == 2: d += [some_value(rng), some_value(rng)]
    elif kind == 3: d.rotate(rng.randrange(-20, 20))
    elif kind == 4: d.append(some_value(rng))
    elif kind == 5: d.appendleft(some_value(rng))
    elif kind == 6: d.popleft()
    elif kind == 7: d.extendleft([1, 2])
    elif kind == 8: d.reverse()
    elif kind == 9: d.__setitem__(at, some_value(rng))
    elif kind == 10: deque.__delitem__(d, at)
    elif kind == 11: d.__iadd__([some_value(rng)])
    elif kind == 12 and rng.randrange(10) == 0: d.__init__(list(d)[1:], d.maxlen)
    elif len(d) < d.maxlen: d.insert(at, some_value(rng))
    while len(d) < 70:
        d.append(some_value(rng))

def change_list(x, rng):
    kind = rng.randrange(7)
    at = rng.randrange(len(x))
    if kind < 3: x[at] = some_value(rng)
    elif kind == 3: del x[at]
    elif kind == 4: x.insert(at, some_value(rng))
    elif kind == 5: x[at:at + 2] = [some_value(rng)] * 3
    else: x += [some_value(rng)]
    if len(x) > 150: del x[60:100]

CHANGES = (change_dict, change_set, change_deque, change_list)
'''

PROGRAM = """
import random, foreign
from collections import deque, defaultdict
from own import CHANGES

class Box:
    def __init__(self, rng):
        self.parts = [
            {number: number for number in range(100)},
            set(range(100)),
            deque(range(100), 120),
            list(range(100)),
        ]
        self.parts.append(defaultdict(int, {str(number): number for number in range(100)}))

def both(part, change, rng):
    foreign.CHANGES[change](part, rng)
    CHANGES[change](part, rng)

def run(seed):
    rng = random.Random(seed)
    box = Box(rng)
    for step in range(160):
        number = rng.randrange(5)
        part, change = box.parts[number], number % 4
        who = rng.randrange(4)
        if who < 2:
            foreign.CHANGES[change](part, rng)
        elif who == 2:
            CHANGES[change](part, rng)
        else:
            both(part, change, rng)
        if step % 5 == 0:
            mark(f'{seed} {step}', box)
"""

SEEDS = range(6)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    folder: Path = tmp_path_factory.mktemp("large")
    write_program(folder, OPERATIONS, "foreign.py")
    write_program(folder, OPERATIONS, "own.py")
    calls = "\n".join(f"run({seed})" for seed in SEEDS)
    with run_witnessed(folder, PROGRAM + calls + "\n") as run:
        yield run


@pytest.mark.parametrize("seed", SEEDS)
def test_state_is_what_the_program_has(run: Witnessed, seed: int) -> None:
    labels = [label for label in run.snapshots if label.startswith(f"{seed} ")]
    assert len(labels) == 32
    for label in labels:
        run.agree(label)
