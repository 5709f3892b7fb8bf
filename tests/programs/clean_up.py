"""Context managers, finally, exceptions that are replaced, swallowed, and passed on."""

import contextlib


class Resource:
    def __init__(self, name, swallow=()):
        self.name = name
        self.swallow = swallow

    def __enter__(self):
        note("open", self.name)
        return self

    def __exit__(self, kind, value, trace):
        note("close", self.name)
        return kind is not None and issubclass(kind, self.swallow)


log = []


def note(*words):
    log.append(words)
    return len(log)


@contextlib.contextmanager
def section(name):
    note("begin", name)
    try:
        yield name
    except KeyError:
        note("key error in", name)
    finally:
        note("end", name)


def early(n):
    with Resource("outer") as outer, Resource("inner"):
        if n == 0:
            return note(outer.name)
        with section("s"):
            fail(n)
        note("after section")
    return n


def fail(n):
    if n == 1:
        raise KeyError(n)
    if n == 2:
        raise ValueError(n)
    return n


def replaced():
    try:
        fail(2)
    except ValueError:
        raise TypeError("other")
    finally:
        note("finally")


def swallowed():
    with Resource("r", (ValueError,)):
        fail(2)
    for i in range(3):
        try:
            if fail(i) == 0:
                continue
        except KeyError:
            note("break")
            break
        finally:
            note("round", i)
    else:
        note("never")
    try:
        return note("first")
    finally:
        note("second")


def all_in_order():
    with contextlib.ExitStack() as stack:
        for i in range(2):
            stack.enter_context(Resource(i))
        stack.callback(note, "callback")
        stack.push(lambda *exc: note("pushed") > 0)
        fail(1)
    return "suppressed"


for n in range(4):
    try:
        early(n)
    except ValueError:
        note("outside")
for f in (replaced, swallowed, all_in_order):
    try:
        print(f())
    except TypeError as error:
        print(type(error.__context__).__name__)
print(len(log), log[-1])
