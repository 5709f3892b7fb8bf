"""Recording programs whose types are unusual: classes that are their own type."""

from __future__ import annotations

from pathlib import Path

from tests.recorder.bothways import runs_the_same

LIBRARY = """
    class Own(type):
        def __new__(cls, name, bases, namespace):
            made = super().__new__(cls, name, bases, namespace)
            made.__class__ = made
            return made
        def __repr__(self):
            return self.__name__

    class First(type):
        pass

    class Second(type):
        pass

    def pair(name):
        class One(First, metaclass=First):
            pass
        class Two(Second, metaclass=Second):
            pass
        One.__class__, Two.__class__ = Two, One
        return One, Two

    def own(name):
        return Own(name, (Own,), {})

    CLIENT = own("CLIENT")
"""

PROGRAM = """
    import gc
    import lib

    class Connection:
        def __init__(self, role):
            self.role = role
            self.states = {role: [role, type(role)]}

    def connect(role):
        role.count = getattr(role, "count", 0) + 1
        return Connection(role)

    print(type(lib.CLIENT) is lib.CLIENT, connect(lib.CLIENT).states, lib.CLIENT.count)
    for number in range(50):
        role = lib.own(f"ROLE{number}")
        one, two = lib.pair(number)
        print(connect(role).states, type(type(one)) is one, connect(two).role is two)
        del role, one, two
        gc.collect()

    class Mine(type):
        pass

    def become(cls):
        cls.__class__ = cls
        cls.x = [cls]
        return cls.x

    class Yours(Mine, metaclass=Mine):
        pass

    print(become(Yours)[0] is type(Yours))
"""


def test_classes_that_are_their_own_type_or_the_type_of_their_type(tmp_path: Path) -> None:
    program = {"prog.py": PROGRAM, "site-packages/lib.py": LIBRARY}
    seen = runs_the_same(tmp_path, program, env={"PYTHONPATH": "site-packages"})
    assert seen.status == 0, seen.stderr
    assert seen.stdout.startswith("True {CLIENT: [CLIENT, CLIENT]} 1\n")
