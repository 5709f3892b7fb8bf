"""Attributes of classes, read and changed, against a witness that looks at the classes of the plain program."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.recorder.conftest import run_python
from tests.trace.conftest import Record, Recorded
from wrongcall.recording import UNSET, Ref, Value
from wrongcall.trace.read.places import Attr

SEEDS = range(int(os.environ.get("WRONGCALL_SEEDS", "6")))
CLASSES = ("A", "B", "C")
ATTRIBUTES = ("x", "y", "_z", "__p", "items")
WITNESS = """
import json, sys, types

def snapshot(space):
    found = {}
    for name in ("A", "B", "C"):
        for attr, value in vars(space.get(name, object)).items():
            if isinstance(value, (int, list)):
                found[f"{name}.{attr}"] = repr(value)
    return found

def main(path):
    space, logged, running = {"__name__": "__main__"}, [], []
    def watch(frame, event, arg):
        if frame.f_code.co_filename != path or frame.f_code.co_name in ("<module>", *"ABC"):
            return
        if event == "call":
            logged.append([frame.f_code.co_qualname, snapshot(space), None, None])
            running.append(len(logged) - 1)
        elif event == "return":
            logged[running.pop()][2:] = [snapshot(space), repr(arg)]
    code = compile(open(path).read(), path, "exec")
    sys.setprofile(watch)
    exec(code, space)
    sys.setprofile(None)
    print(json.dumps(logged))

main(sys.argv[1])
"""


def statement(chance: Random, receivers: list[str]) -> list[str]:
    """Return a statement that reads or changes an attribute of a class."""
    attr = chance.choice([a for a in ATTRIBUTES if receivers or a != "__p"])
    # A private name means another attribute in each class.
    target = chance.choice(receivers if attr == "__p" else [*receivers, "A", "B", "C"])
    if attr == "items":
        kind = chance.choice(["{}.items.append({})", "{}.items = [{}]", "got = len({}.items) + {}"])
        return [kind.format(target, chance.randrange(3))]
    return chance.choice(
        [
            [f"{target}.{attr} += {chance.randrange(3)}"],
            [f"{target}.{attr} = {chance.randrange(4)}"],
            [f"got = {target}.{attr}"],
            [f"setattr({target}, 'y', {chance.randrange(3)})"],
            [f"if 'x' in vars({target}) and {target} is not A:", f"    del {target}.x"],
        ]
    )


def written(seed: int) -> str:
    """Return a random program."""
    chance = Random(seed)
    lines = ["# generated"]
    for name, base in (("A", ""), ("B", "(A)"), ("C", "(A)")):
        lines += [f"class {name}{base}:"]
        if name != "C":
            lines += ["    x = 0", "    y = 1", "    _z = 2", "    __p = 3", "    items = []"]
        for number in range(2):
            receivers = chance.choice([["cls"], ["type(self)", "self.__class__"]])
            is_class = receivers == ["cls"]
            lines += ["    @classmethod"] if is_class else []
            lines += [f"    def {name.lower()}{number}({'cls' if is_class else 'self'}):"]
            lines += ["        got = 0"]
            for _ in range(chance.randrange(1, 4)):
                its = [r for r in receivers if name != "C"] or []
                lines += [f"        {line}" for line in statement(chance, its)]
            if not is_class and chance.random() < 0.5:
                lines += [f"        got += self.{chance.choice(['x', 'y', '_z'])}"]
            lines += ["        return got"]
    for number in range(3):
        lines += [f"def f{number}():", "    got = 0"]
        for _ in range(chance.randrange(1, 4)):
            lines += [f"    {line}" for line in statement(chance, [])]
        if number:
            lines += [f"    f{chance.randrange(number)}()"]
        lines += [f"    {chance.choice(['A', 'B'])}().a0()", "    return got"]
    for _ in range(12):
        calls = ["f0()", "f1()", "f2()", "A().a0()", "A().a1()", "B().b0()", "B().b1()", "C().c0()"]
        lines += [chance.choice(calls)]
    return "\n".join(lines) + "\n"


def witnessed(run: Recorded, folder: Path) -> list[Any]:
    """Return what the witness saw: function, classes before, classes after, result."""
    witness = folder / "witness.py"
    witness.write_text(WITNESS)
    done = run_python([str(witness), str(folder / "prog.py")], folder)
    assert done.returncode == 0, done.stderr
    logged: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return logged


def shown(run: Recorded, value: Value, time: int) -> str | None:
    if isinstance(value, Ref):
        return repr(list(run.recording.states.state(value.oid, time).items))
    return None if value is UNSET else repr(value)


def effects(run: Recorded, number: int) -> dict[str, Any]:
    """Return how the classes differ after a call, by the effect that is shown."""
    effect = run.recording.questions.effect(number)
    found: dict[str, Any] = {}
    for changed in effect.objects:
        state = run.recording.states.state(changed.oid, effect.after)
        name = state.attrs.get("__qualname__")
        if name in CLASSES:
            for change in changed.changes:
                assert isinstance(change.place, Attr)
                place = f"{name}.{change.place.name}"
                old, new = change.old, change.new
                if not isinstance(old, Ref) and not isinstance(new, Ref):
                    found[place] = [shown(run, old, 0), shown(run, new, 0)]
    return found


def calls_of(run: Recorded) -> list[int]:
    functions = run.recording.program.functions
    kept = [n for n, f in functions.items() if f.kind == "function"]
    return sorted(run.recording.calls.of_functions(kept))


def differences(before: dict[str, str], after: dict[str, str]) -> dict[str, Any]:
    """Return the numbers that differ."""
    return {
        place: [before.get(place), after.get(place)]
        for place in {**before, **after}
        if before.get(place) != after.get(place) and not place.endswith("items")
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_changes_of_classes_are_those_of_the_plain_program(
    record: Record, tmp_path: Path, seed: int
) -> None:
    run = record(written(seed))
    logged, calls = witnessed(run, tmp_path), calls_of(run)
    assert [run.recording.call(c).function.qualname for c in calls] == [row[0] for row in logged]
    for call, (_, before, after, _) in zip(calls, logged, strict=True):
        assert effects(run, call) == differences(before, after), call


@pytest.mark.parametrize("seed", SEEDS)
def test_equal_keys_mean_equal_classes_and_results(
    record: Record, tmp_path: Path, seed: int
) -> None:
    run = record(written(seed))
    logged, calls = witnessed(run, tmp_path), calls_of(run)
    by_key: dict[bytes, Any] = {}
    by_portable: dict[Any, Any] = {}
    names = run.recording.program.functions
    for call, (name, before, after, result) in zip(calls, logged, strict=True):
        assert names[run.recording.call(call).function.id].qualname == name
        told = name, result, differences(before, after)
        assert by_key.setdefault(run.recording.questions.key(call), told) == told
        key = run.recording.questions.portable_key(call)
        if key is not None:
            assert by_portable.setdefault((name, key), told) == told


READS = """
class Counter:
    limit = 3
    names = ["a", "b"]
    count = 0
    table = {}
    class Inner:
        depth = 0
    def bump(self):
        type(self).count += self.limit
        return self.names[0]
    def look(self):
        return self.table
    def deep(self):
        self.Inner.depth += 1
    def plain(self):
        return 1

c = Counter()
c.bump(); c.table["k"] = c.bump(); c.look(); c.deep(); c.deep(); c.plain()
"""


def given(run: Recorded, name: str) -> list[str]:
    """Return the attributes of classes that the calls of a function were given."""
    return [
        " ".join(f"{g.label}={g.value!r}" for g in run.recording.questions.input(call.id).globals)
        for call in run.calls(name)
    ]


def test_only_attributes_that_vary_are_part_of_the_input(record: Record) -> None:
    run = record(READS)
    # limit and names are part of the program, as functions are.
    assert given(run, "Counter.bump") == ["Counter.count=0", "Counter.count=3"]
    assert given(run, "Counter.look")[0].startswith("Counter.table=Ref(")
    assert given(run, "Counter.deep") == ["Counter.Inner.depth=0", "Counter.Inner.depth=1"]
    assert given(run, "Counter.plain") == [""]


def test_changes_of_a_class_without_a_path_to_it_have_its_name(record: Record) -> None:
    run = record(READS)
    effect = run.recording.questions.effect(run.calls("Counter.bump")[0].id)
    assert [str(changed.path) for changed in effect.objects] == ["Counter"]


def test_calls_that_change_a_class_in_different_ways_are_different_questions(
    record: Record,
) -> None:
    run = record(
        "class C:\n    n = 0\n\n"
        "def setting(k):\n    C.n = k[0]\n\n"
        "for k in ([1], [1], [2]):\n    C.n = 5\n    setting(k)\n    setting([9])\n"
    )
    keys = [run.recording.questions.key(call.id) for call in run.calls("setting")]
    assert keys[0] == keys[2]
    assert len(set(keys)) == 4


@pytest.mark.xfail(strict=True, reason="classes that functions make are not looked at")
def test_attributes_of_local_classes_are_part_of_the_input(record: Record) -> None:
    run = record(
        """
        def made():
            class Local:
                count = 0
                def bump(self):
                    type(self).count += 1
            return Local()

        local = made()
        local.bump()
        local.bump()
        """
    )
    calls = run.calls("made.<locals>.Local.bump")
    first, second = (run.recording.questions.input(call.id) for call in calls)
    assert [g.value for g in (*first.globals, *second.globals)] == [0, 1]
