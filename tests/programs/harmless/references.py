# Shows reference counts of objects.
# fmt: off
import sys
class Thing:
    pass
def count(x):
    return sys.getrefcount(x)
def outer(x):
    y = x
    return count(x)
t = Thing()
l, d, s = [t, t], {'t': t}, {t}
t.me = t
print(sys.getrefcount(t), count(t), outer(t), count(l), count(d), count(s))
def f(a, *args, k=None, **kw):
    return [sys.getrefcount(v) for v in (a, args, k, kw)]
print(f(t, 1, k=l, z=d))
def g():
    o = object()
    p = [o]
    q = (o, p)
    yield sys.getrefcount(o), sys.getrefcount(p), sys.getrefcount(q)
    o = None
    yield sys.getrefcount(q[0])
print(list(g()))
for x in [Thing(), [], {}, set(), (1, t)]:
    print(sys.getrefcount(x))
class C:
    def m(self):
        return sys.getrefcount(self)
c = C()
print(c.m(), C().m(), C.m(c))
try:
    raise ValueError(t)
except ValueError as e:
    print(sys.getrefcount(e), sys.getrefcount(t))
print(sys.getrefcount(t), [sys.getrefcount(v) for v in [Thing(), []]])
