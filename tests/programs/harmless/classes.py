# Classes with everything that belongs to them.
# fmt: off
import abc, functools, typing
class A:
    def __init__(self): self.log = ['A']
    def m(self): return 'A.m'
    @classmethod
    def c(cls): return 'A.c ' + cls.__name__
    @staticmethod
    def s(): return 'A.s'
    def __init_subclass__(cls, **kw): super().__init_subclass__(); cls.sub = sorted(kw)
    @property
    def p(self): return 1
class B(A, tag=1):
    def __init__(self):
        super().__init__()
        self.log += ['B']
    def m(self):
        def inner(): return super(B, self).m()
        return super().m() + inner() + (lambda: super(B, self).m())()
    def n(self): return [super(B, self).m() for _ in range(2)], __class__.__name__
    @classmethod
    def c(cls): return super().c() + '!'
    @property
    def p(self): return super().p + 1
    def __new__(cls):
        o = super().__new__(cls)
        o.made = True
        return o
    def g(self): yield super().m()
    def shown(self): return sorted(locals()), __class__
    def lam(self): return (lambda: __class__)()
class C(B):
    n = 3
    squares = [i * i for i in range(n)]
    table = {i: j for i in range(n) for j in [i + 1]}
    total = sum(x for x in squares)
    def deco(f): return f
    @deco
    def m(self): return super().m()
    for k in range(2): pass
    if n > 2: big = True
    else: small = True
    try: zero = 1 / 0
    except ZeroDivisionError: zero = None
    with open(__file__) as handle: pass
    lam = lambda self: self.n
    class D:
        def who(self): return __class__.__qualname__
    __slots__ = ()
    (w := 5)
print(B().m(), B().n(), B.c(), B().p, B().made, list(B().g()), B().shown()[0], B().lam())
print(C().m(), C.squares, C.table, C.total, C.D().who(), C().lam(), C.w, C.k, B.sub, vars(B())['log'])
print(sorted(k for k in vars(C) if not k.startswith('__')), C.__mro__, C.__module__, C.__qualname__)
class Abs(abc.ABC):
    @abc.abstractmethod
    def f(self): ...
try:
    Abs()
except TypeError as e:
    print(e)
class G(typing.Generic[typing.TypeVar('X')]): pass
print(G[int], isinstance([], typing.Sequence))
class Meta(type):
    def __new__(m, name, bases, ns, **kw):
        print(name, sorted(k for k in ns if not k.startswith('__')))
        return super().__new__(m, name, bases, ns)
    @classmethod
    def __prepare__(m, name, bases, **kw): return {'prepared': 1}
    def __call__(cls, *a): return super().__call__(*a)
class M(metaclass=Meta, flag=1):
    x = 1
    def f(self): return __class__
print(M().f(), M.prepared)
class Obj: pass
class Other(Obj):
    def hi(self): return 'hi'
o = Obj(); o.x = 1; o.__class__ = Other; print(o.hi(), o.x, type(o)); o.y = 2; o.__class__ = Obj; print(vars(o))
def local():
    v = 1
    class L(A):
        w = v
        def m(self): return super().m() + str(v)
    return L().m(), L.w, L.__qualname__
print(local())
class Desc:
    def __set_name__(self, o, n): print('name', n)
    def __get__(self, o, t): return 'got'
class E: d = Desc()
print(E.d, E().d)
def f(a, /, b, *, c): return a, b, c
print(f(1, b=2, c=3), f.__get__(5)(b=1, c=2))
class Op:
    def __matmul__(self, o): return 'mm'
    def __rmatmul__(self, o): return 'rmm'
    def __imatmul__(self, o): return 'imm'
    def __neg__(self): return 'neg'
    def __getattr__(self, n): return n
    def __class_getitem__(cls, k): return k
x = Op(); print(x @ 1, 1 @ x, -x, x.abc, Op[5]); x @= 1; print(x)
@functools.total_ordering
class Ord:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __lt__(self, o): return self.n < o.n
print(Ord(1) >= Ord(0), sorted([Ord(2), Ord(1)])[0].n)
