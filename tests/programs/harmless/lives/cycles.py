# Objects that hold each other.
# fmt: off
gc.disable()
a = T('a'); a.self = a; del a; step(1)
gc.collect(); step(2)
a, b = T('b'), T('c'); a.b, b.a = b, a; del a, b; step(3)
gc.collect(); step(4)
l = [T('d')]; l.append(l); del l; step(5)
gc.collect(); step(6)
d = {'t': T('e')}; d['d'] = d; del d; step(7)
gc.collect(); step(8)
def closure():
    t = T('f')
    def inner(): return inner, t
    return inner
closure(); step(9)
gc.collect(); step(10)
class Local:
    t = T('g')
del Local; step(11)
gc.collect(); step(12)
try:
    x = T('h'); raise ValueError
except ValueError as e:
    x.error = e; e.x = x
del x; step(13)
gc.collect(); step(14)
class Back(T):
    def __del__(self):
        print('resurrected', self.name); saved.append(self)
saved = []
Back('i'); step(15)
saved.clear(); step(16)
print(gc.collect() >= 0, len(gc.garbage)); step(17)
gc.enable()
for i in range(5000):
    h = Holder(); h.h = h; h.l = [h]
gc.collect(); print(sum(isinstance(o, Holder) for o in gc.get_objects()))
