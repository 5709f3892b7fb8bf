"""Finalizers and weak references: each line tells who died, and when."""

import gc
import weakref


class Thing:
    def __init__(self, name, *others):
        self.name = name
        self.others = list(others)

    def __del__(self):
        print("end of", self.name)


def told(name):
    return lambda reference: print("told of", name)


def nested():
    inner = Thing("inner")
    outer = Thing("outer", inner)
    del inner
    watched = weakref.ref(outer, told("outer"))
    outer = None
    return watched


def raising():
    local = Thing("local")
    raise KeyError(local.name)


def cycle(size):
    ring = [Thing(f"ring {i}") for i in range(size)]
    for i, thing in enumerate(ring):
        thing.others.append(ring[i - 1])
    return [weakref.ref(thing, told(thing.name)) for thing in ring]


def finalized():
    thing = Thing("finalized")
    weakref.finalize(thing, print, "finalize called")


print(nested()())
try:
    raising()
except KeyError as error:
    print("caught", error)
print("after except")
Thing("temporary").others.append(Thing("in temporary"))
a, b = Thing("a"), Thing("b")
a, b = b, a
del a
print("a is gone")
b = [b, Thing("in list")]
b.pop()
print("popped")
b = {"key": b.pop(), "other": Thing("in dict")}
b["key"] = None
b |= {"other": 0}
finalized()
gc.disable()
gc.collect()  # what the interpreter's start left behind
references = cycle(4)
print("collected", gc.collect(), [reference() for reference in references])
values = weakref.WeakValueDictionary()
keys = weakref.WeakKeyDictionary()
for i in range(3):
    thing = values[i] = Thing(f"value {i}")
    keys[thing] = i
print(sorted(values), sorted(keys.values()))
del thing
print(sorted(values), sorted(keys.values()))


class Phoenix:
    saved = []

    def __del__(self):
        self.saved.append(self)
        print("saved")


Phoenix()
print(len(Phoenix.saved))
Phoenix.saved.clear()
print("end of program")
