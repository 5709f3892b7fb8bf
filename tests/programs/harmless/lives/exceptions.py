# Objects held by exceptions and their tracebacks.
# fmt: off
class E(Exception):
    pass
def raises(p):
    t = T('local')
    raise E(p)
try:
    raises(T('a'))
except E:
    step('caught')
step(1)
try:
    raises(T('b'))
except E as e:
    step('caught')
step(2)
try:
    raises(T('c'))
except E as e:
    kept = e
step(3)
kept = None; step(4)
try:
    try:
        raises(T('d'))
    except E as e:
        raise ValueError from e
except ValueError:
    step('chained')
step(5)
try:
    try:
        raises(T('e'))
    finally:
        step('finally')
except E: pass
step(6)
with T('f'):
    raises(T('g'))
step(7)
def retry():
    for i in range(2):
        try:
            raises(T(f'retry {i}'))
        except E:
            step('again')
retry(); step(8)
def through():
    t = T('through')
    raises(t)
try:
    through()
except E: pass
step(9)
try:
    [raises(T(f'item {i}')) for i in range(3)]
except E: pass
step(10)
try:
    sorted([1, 2], key=lambda i: raises(T(f'key {i}')))
except E: pass
step(11)
try:
    T('attribute').nothing
except AttributeError: pass
step(12)
try:
    T('h')[0]
except TypeError: pass
step(13)
try:
    same(T('i'), T('j'))
except TypeError: pass
step(14)
def in_generator():
    t = T('in generator')
    yield 1
    raise E
try:
    for _ in in_generator(): pass
except E: pass
step(15)
def suppressed():
    try:
        raises(T('k'))
    except E:
        return 1
    finally:
        step('suppressing')
suppressed(); step(16)
try:
    raise ExceptionGroup('g', [E(T('l'))])
except* E: pass
step(17)
import contextlib
with contextlib.suppress(E):
    raises(T('m'))
step(18)
def swallow(p):
    try:
        p.nothing
    except AttributeError as e:
        return str(e)[:1]
swallow(T('n')); step(19)
try:
    x, y = T('o'), 1 / 0
except ZeroDivisionError: pass
step(20)
try:
    T('p').g(T('q'), 1 / 0)
except ZeroDivisionError: pass
step(21)
try:
    [T('r'), T('s')][5] = T('t')
except IndexError: pass
step(22)
try:
    T('u').x.y = T('v')
except AttributeError: pass
step(23)
