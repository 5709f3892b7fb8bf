"""The recorder never calls code of the program: no method runs once more because of it."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.recorder.bothways import plain, recorded, runs_the_same, write_files

PROGRAMS = Path(__file__).parent.parent / "programs" / "harmless"

NOSY_STEPS = {
    "passing": "take(x, [x], {'k': x}, (x,))",
    "holding": "h = [x]; h.append(x); h[0] = x; h.insert(0, x); h.extend([x]); h.pop(); h.clear()",
    "as a value": "d = {1: x}; d['k'] = x; d.update(k=x); d.setdefault('z', x); d.pop('k')",
    "as an attribute": "class H: pass\nh = H(); h.x = x; h.y = h.x; setattr(h, 'z', x); del h.x",
    "in a namespace": "class H: pass\nh = H(); vars(h)['w'] = x; h.__dict__['v'] = x",
    "in a tuple": "t = (x, (x, 1)); take(t); a, b = t",
    "returning": "def f():\n    return x\nf(); (lambda: x)()",
    "yielding": "def g():\n    got = yield x\n    yield got\ni = g(); next(i); i.send(x); list(i)",
    "comprehending": "[y for y in [x, x]]; {k: v for k, v in [(1, x)]}",
    "sorting": "l = [x]; l.sort(key=id); sorted([x], key=id); l.reverse()",
    "in a deque": "q = collections.deque([x], 2); q.append(x); q.rotate(); q.popleft()",
    "foreign": "import copy\n[y for y in map(id, [x])]; isinstance(x, object); callable(x); id(x)",
    "raising": "try:\n    raise KeyError(x)\nexcept KeyError as e:\n    e.x = x",
    "closing over": "v = x\ndef inner():\n    nonlocal v\n    v = [v]\n    return v\ninner()",
    "augmenting": "l = []; l += [x]; t = (); t += (x,); d = {}; d |= {1: x}",
    "attributes of it": "try:\n    x.new = [1]; x.new.append(2); x.new += [3]\n"
    "except Exception:\n    pass",
    "unpacking": "a, *b = [x, x, x]; [a, b] = x, x",
    "in an instance": "class P:\n    __slots__ = ('v',)\np = P(); p.v = x; p.v = None",
}


@pytest.fixture(scope="module")
def nosy(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[str]]:
    """What both runs of the program with the counting objects print."""
    folder = tmp_path_factory.mktemp("nosy")
    parts = [(PROGRAMS / "nosy.py").read_text()]
    for number, (label, body) in enumerate(NOSY_STEPS.items()):
        parts.append(f"def step_{number}(x):\n" + textwrap.indent(body, "    "))
        parts.append(f"for name, x in kinds.items():\n    step_{number}(x)")
        parts.append(f"    report('{label} / ' + name)")
    write_files(folder, "\n".join(parts))
    before, after = plain(folder, "prog.py"), recorded(folder, "prog.py")
    assert before.status == 0, before.stderr
    assert after.status == 0, after.stderr
    return before.stdout.splitlines(), after.stdout.splitlines()


@pytest.mark.parametrize("label", ["made", *NOSY_STEPS])
def test_no_method_is_called_because_of_recording(
    nosy: tuple[list[str], list[str]], label: str
) -> None:
    before, after = ([line for line in lines if line.startswith(label)] for lines in nosy)
    assert after == before
    assert len(before) >= (1 if label == "made" else 20)


def test_awkward_objects(tmp_path: Path) -> None:
    """Half built, or raising whatever is asked of them."""
    seen = runs_the_same(tmp_path, (PROGRAMS / "awkward.py").read_text())
    assert seen.status == 0, seen.stderr
