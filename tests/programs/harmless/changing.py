# Containers that are changed, or change their class, while one of their methods runs.
# fmt: off
class L(list): pass
class M(list): pass
class D(dict): pass
class E(dict): pass
class O: pass
def use(*x): return x
def main():
    x = L([3, 1, 2])
    use(x)
    def key(v):
        x.__class__ = M if type(x) is L else L
        use(x)
        return v
    x.sort(key=key)
    x.extend(key(v) for v in [5, 6])
    use(x)
    print(x)
    d = D(a=1)
    use(d)
    def gen():
        for i in range(3):
            d.__class__ = E if type(d) is D else D
            use(d)
            yield (i, [i])
    d.update(gen())
    print(d)
    o = O(); o.a = 1
    d = getattr(o, '__dict__')
    use(d)
    def gen2():
        for i in range(3):
            use(vars(o))
            o.b = i
            yield ('k%d' % i, [i])
    d.update(gen2())
    print(d, vars(o))
    # the container loses its last other reference while its method runs
    class Dies:
        def __init__(self, l): self.l = l
        def __del__(self): self.l.append('dead'); use(self.l)
    l = []
    l.append(Dies(l)); use(l)
    l[0] = 1
    print(l)
    l.append(Dies(l)); l.clear(); print(l)
    l.append(Dies(l)); l[:] = [1]; print(l)
    l.append(Dies(l)); del l[-1]; print(l)
    l.append(Dies(l)); l.pop(); print(l)
    l.extend([Dies(l), Dies(l)]); l.sort(key=id); l2 = l; l = None; l2.clear(); print(l2)
    dd = {}
    class DiesD:
        def __del__(self): dd['dead'] = len(dd); use(dd)
    dd['k'] = DiesD(); use(dd); dd['k'] = 1; print(dd)
    dd['k'] = DiesD(); dd.clear(); print(dd)
    dd['k'] = DiesD(); dd.update(k=2); print(dd)
    dd['k'] = DiesD(); del dd['k']; print(dd)
    class DiesA:
        def __del__(self): oo.x = 'dead'; use(oo)
    oo = O(); oo.x = DiesA(); use(oo); oo.x = 1; print(oo.x)
    oo.x = DiesA(); del oo.x; print(oo.x)
    oo.y = DiesA(); oo.__dict__.clear(); print(vars(oo))
    from collections import deque
    q = deque(maxlen=2)
    class DiesQ:
        def __del__(self): q.append('dead'); use(q)
    q.append(DiesQ()); q.append(1); use(q); q.append(2); print(q)
    q.appendleft(DiesQ()); q.clear(); print(q)
    s = set()
    class DiesS:
        def __del__(self): s.add('dead'); use(s)
    s.add(DiesS()); use(s); s.clear(); print(s)
    s.add(DiesS()); s.pop() if 'dead' not in s else s.clear(); print(sorted(map(str, s)))
    # equal keys that change what they look at
    class K:
        def __init__(self, n): self.n = n
        def __hash__(self): return 1
        def __eq__(self, other): dd[self.n] = len(dd); use(dd); return self.n == other.n
    e = {K(1): 1, K(2): 2}
    use(e)
    e[K(2)] = 3
    e.pop(K(1))
    e.setdefault(K(3), [])
    print(list(e.values()), dd)
    # a list that is changed while it is compared
    class C:
        def __init__(self, l): self.l = l
        def __eq__(self, o): self.l.clear(); use(self.l); return False
    l = []; l.extend([C(l), 1, 2]); use(l)
    try: l.remove(5)
    except ValueError: print('not there', l)
    class Lt:
        def __lt__(self, o): big.append(1) if False else None; use(big); return False
    big = [Lt(), Lt()]; big.sort(); print(len(big))
main()
def redefine():
    for i in range(200):
        class Temp:
            def __init__(self): self.x = [i]
        t = Temp(); use(t); t.x.append(1); setattr(t, 'y%d' % i, t)
        del t, Temp
redefine()
import gc; gc.collect()
print('end')
