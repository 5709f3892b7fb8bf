# The namespace of a class body may be any object: whatever is done to it shows here.
# fmt: off
class Shown(dict):
    def __getitem__(self, key):
        print('get', key)
        return super().__getitem__(key)
    def __setitem__(self, key, value):
        print('set', key)
        super().__setitem__(key, value)
    def __delitem__(self, key):
        print('del', key)
        super().__delitem__(key)
    def __contains__(self, key):
        print('in', key)
        return super().__contains__(key)
    def get(self, key, default=None):
        print('get()', key)
        return super().get(key, default)
class Meta(type):
    @classmethod
    def __prepare__(m, name, bases): return Shown()
    def __new__(m, name, bases, ns): return super().__new__(m, name, bases, dict(ns))
def fails(): raise KeyError
class C(metaclass=Meta):
    a = 1
    a += 2
    b, *c = 'xyz'
    b = c = a
    for d in range(2): pass
    with open(__file__) as e: pass
    import math as f, os.path
    from math import pi as g, tau as h
    del g, h
    def m(self): return super().__init__()
    class Inner: pass
    try: i, fails().j = 1, 2
    except KeyError as k: pass
    try: a += [1]
    except TypeError: pass
    match (1, 2):
        case (l, n) if l > 5: pass
        case _: pass
    (o := 3)
    p: int = 4
    m.q = 5
    m.q += 6
    r = [7]
    r[0] += 8
    s = 0
    r[s] += 9
    r += [10]
    print(r, m.q)
def around():
    t, u = 1, []
    class D(metaclass=Meta):
        nonlocal t, u
        t = 2
        t += 3
        u += [4]
        for t in 'ab': pass
        if (t := 5): pass
    print(t, u)
around()
print(sorted(k for k in vars(C) if not k.startswith('_')), C().m())
