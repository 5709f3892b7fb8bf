# Local variables as frames, exec, eval, trace functions and code objects show them.
# fmt: off
import sys, inspect, traceback
def f(a, b=2):
    c = 3
    fr = sys._getframe()
    fl = fr.f_locals
    print(sorted(fl), len(fl), '.h' in list(fl), sorted(fl.keys()), len(list(fl.values())), [k for k, v in fl.items()] , sorted(dict(fl)), sorted(fl.copy()), sorted(fl | {}), list(reversed(list(fl))), '.h' in repr(list(fl)))
    print(sorted(eval('locals()')), sorted(eval('vars()', None, None)), eval('a + c'), f.__code__.co_varnames)
    exec('d = 5; print(sorted(locals()))')
    ns = locals()
    dir(); exec('pass')
    print(sorted(ns))
    return inspect.currentframe().f_locals['c']
print(f(1))
def tr(frame, event, arg):
    frame.f_locals
    sorted(frame.f_locals)
    return tr
def g(a):
    x = a
    for i in range(2):
        x += i
    return x, sorted(locals())
sys.settrace(tr)
r = g(3)
sys.settrace(None)
print(r)
def tr2(frame, event, arg):
    if frame.f_code.co_name == 'g' and event == 'line': frame.f_locals['x'] = 70
    return tr2
sys.settrace(tr2)
r = g(3)
sys.settrace(None)
print(r)
def h():
    y = 1
    1 / 0
try: h()
except ZeroDivisionError as e:
    print(sorted(e.__traceback__.tb_next.tb_frame.f_locals))
def gen():
    z = 1
    yield z
q = gen(); next(q); print(inspect.getgeneratorlocals(q), sorted(q.gi_frame.f_locals))
r = f.__code__.replace(co_name='other')
import types
print(types.FunctionType(r, globals())(1, 2))
@types.coroutine
def co(): yield 1
for x in co(): print(x)
class C:
    k = 1
    print(sorted(locals()), sorted(sys._getframe().f_locals), eval('k'))
    exec('m = 2')
print(C.m)
