# Objects that weak references watch.
# fmt: off
x = T('a'); r = weakref.ref(x, lambda r: print('callback a')); print(r() is x)
x = None; print(r()); step(1)
r = weakref.ref(T('b')); print(r()); step(2)
wd = weakref.WeakValueDictionary(); k = T('c'); wd['k'] = k; print(len(wd))
k = None; print(len(wd)); step(3)
ws = weakref.WeakSet(); k = T('d'); ws.add(k); print(len(ws))
del k; print(len(ws)); step(4)
wk = weakref.WeakKeyDictionary(); k = T('e'); wk[k] = T('value'); print(len(wk))
k = None; print(len(wk)); step(5)
f = T('f'); weakref.finalize(f, print, 'finalized f'); f = None; step(6)
def local():
    t = T('g')
    return weakref.ref(t)
print(local()()); step(7)
def given(p):
    return weakref.ref(p)
print(given(T('h'))()); step(8)
l = [T('i')]; r = weakref.ref(l[0]); l[0] = T('j'); print(r()); l.clear(); step(9)
m = weakref.WeakMethod(T('k').g); print(m()); step(10)
o = T('l'); p = weakref.proxy(o); print(p.name); o = None
try:
    p.name
except ReferenceError:
    print('gone')
step(11)
class Sub(list): pass
s = Sub([T('m')]); r = weakref.ref(s); s = None; print(r()); step(12)
refs = [weakref.ref(T(str(i))) for i in range(3)]; print([r() for r in refs]); step(13)
def caught():
    t = T('n'); r = weakref.ref(t)
    try:
        raise ValueError(t)
    except ValueError:
        pass
    del t
    return r
print(caught()()); step(14)
def gen():
    t = T('o'); yield weakref.ref(t)
g = gen(); r = next(g); print(r() is None); g.close(); print(r() is None); step(15)
