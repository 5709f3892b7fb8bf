# Objects held by the variables of functions.
# fmt: off
def local():
    t = T('a')
    u = T('b')
    step('in')
    return 5
local(); step(1)
def gives():
    t = T('c')
    return t
gives(); step(2)
gives().g(); step(3)
def deletes(p):
    del p
    step('deleted')
deletes(T('d')); step(4)
def rebinds(p):
    p = None
    step('rebound')
rebinds(T('e')); step(5)
def keeps(p):
    step('kept')
keeps(T('f')); step(6)
def both(p, *args, **kwargs):
    args = None
    step('args')
    kwargs = None
    step('kwargs')
both(T('g'), T('h'), k=T('i')); step(7)
def passes(p):
    return keeps(p)
passes(T('j')); step(8)
def tail(n, p):
    return tail(n - 1, p) if n else step('tail')
tail(3, T('k')); step(9)
def outer():
    t = T('l')
    def inner():
        return t
    return inner
f = outer(); step(10)
f(); step(11)
f = None; step(12)
def counter():
    t = T('m')
    def change():
        nonlocal t
        t = T('n')
        step('changed')
    change()
    step('after change')
counter(); step(13)
def no_return():
    T('o')
    step('still in')
no_return(); step(14)
def early(p):
    if p:
        return
    step('never')
early(T('p')); step(15)
def loops():
    for t in [T('q'), T('r')]:
        if t.name == 'q':
            continue
        break
    step('loop left')
loops(); step(16)
m = T('s').g; step(17)
m(); m = None; step(18)
a, b = T('t'), T('u')
def swap(a, b):
    a, b = b, a
    step('swapped')
    return a
swap(a, b); step(19)
del a, b; step(20)
def with_block():
    with T('v') as t:
        step('inside')
        return t.name
with_block(); step(21)
def finally_block(p):
    try:
        return p
    finally:
        p = None
        step('finally')
finally_block(T('w')); step(22)
(lambda p: step('lambda'))(T('x')); step(23)
class Made:
    def __init__(self, p):
        self.p = p
    def __call__(self, p):
        self.p = p
        step('called')
made = Made(T('y')); step(24)
made(T('z')); step(25)
Made(T('A')); step(26)
made = None; step(27)
import functools
p = functools.partial(keeps, T('B')); p(); p = None; step(28)
@functools.lru_cache
def cached(n):
    return T('cached')
cached(1); cached(1); cached.cache_clear(); step(29)
