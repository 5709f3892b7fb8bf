# Recursion through every kind of call.
# fmt: off
import copy, functools, json, sys
def reach(f):
    try:
        return f(0)
    except RecursionError:
        return 'too deep'
def through_sorted(n): return n if n == 150 else sorted([n], key=lambda i: through_sorted(i + 1))[0]
def through_map(n): return n if n == 200 else list(map(through_map, [n + 1]))[0]
@functools.lru_cache(None)
def through_cache(n): return n if n == 300 else through_cache(n + 1)
def wrap(f):
    @functools.wraps(f)
    def inner(*a): return f(*a)
    return inner
@wrap
def through_wrapper(n): return n if n == 400 else through_wrapper(n + 1)
class R:
    n = 0
    def __getattr__(self, name): return int(name[1:]) if name == 'a200' else getattr(self, 'a%d' % (int(name[1:]) + 1))
    def __add__(self, n): return n if n == 200 else self + (n + 1)
    def __call__(self, n): return n if n == 300 else self(n + 1)
    def m(self, n): return n if n == 900 else self.m(n + 1)
    @property
    def p(self):
        self.n += 1
        return self.n if self.n == 200 else self.p
def generators(n):
    yield n
    if n < 200: yield from generators(n + 1)
def partial(n): return n if n == 300 else functools.partial(partial, n + 1)()
def closures(n):
    def inner(): return n if n == 400 else closures(n + 1)
    return inner()
print(reach(through_sorted), reach(through_map), reach(through_cache), reach(through_wrapper))
r = R()
print(r.a0, r + 0, r(0), r.m(0), r.p, len(list(generators(0))), partial(0), closures(0))
nested = []
for _ in range(200): nested = [nested]
print(copy.deepcopy(nested) == nested, len(json.dumps(nested)))
def plain(n): return n if n == 970 else plain(n + 1)
print(plain(0))
sys.setrecursionlimit(30_000)
def deep(n): return n if n == 25_000 else deep(n + 1)
print(deep(0))
