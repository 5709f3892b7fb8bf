# Shows in which order the parts of expressions and statements are evaluated.
# fmt: off
class Log:
    def __init__(self, name): self.__dict__['name'] = name
    def __getattr__(self, n):
        if n.startswith('__'): raise AttributeError(n)
        print('get', self.name, n); return Log(self.name + '.' + n)
    def __setattr__(self, n, v): print('set', self.name, n, v)
    def __delattr__(self, n): print('del', self.name, n)
    def __getitem__(self, k): print('item', self.name, k); return Log(f'{self.name}[{k}]')
    def __setitem__(self, k, v): print('store', self.name, k, v)
    def __delitem__(self, k): print('delete', self.name, k)
    def __call__(self, *a, **k): print('call', self.name, a, k); return Log(self.name + '()')
    def __iadd__(self, o): print('iadd', self.name, o); return self
    def __add__(self, o): print('add', self.name, o); return self
    def __radd__(self, o): print('radd', self.name, o); return self
    def __lt__(self, o): print('lt', self.name, o); return True
    def __bool__(self): print('bool', self.name); return True
    def __iter__(self): print('iter', self.name); return iter([1, 2])
    def __enter__(self): print('enter', self.name); return [3, 4]
    def __exit__(self, *e): print('exit', self.name)
    def __repr__(self): return '<' + self.name + '>'
    def __index__(self): print('index', self.name); return 0
    def __format__(self, s): print('format', self.name, s); return self.name
    def __contains__(self, x): print('contains', self.name, x); return True
    def keys(self): print('keys', self.name); return ['k']
    def __hash__(self): print('hash', self.name); return 1
    def __eq__(self, o): print('eq', self.name, o); return False
def L(n):
    print('eval', n)
    return Log(n)
def main():
    L('a')[L('k')] = L('v')
    L('a').x = L('v')
    L('a').x.y = L('v')
    L('a')[L('k')] += L('v')
    L('a').x += L('v')
    L('a').x[L('k')].y += L('v')
    L('a')[L('i'):L('j'):L('s')] = L('v')
    L('a')[L('i'), L('j'):] = L('v')
    L('a')[L('i'):] += L('v')
    del L('a')[L('k')], L('b').x
    del L('a')[L('i'):L('j')]
    L('a')[L('k')] = L('b').x = q = L('v')
    L('a').x, L('b')[L('k')] = L('v'), L('w')
    L('a').x, (L('b').y, *L('c').z) = L('v'), L('w')
    L('f')(L('a'), *L('b'), kw=L('c'), **L('d'))
    L('o').m(L('a'), k=L('b'))
    L('o').m.n(L('a'))(L('b'))
    L('o')[L('k')](L('a'))
    for L('a').x in L('it'): print('body')
    for L('a')[L('k')], L('b').y in [L('p'), L('q')]: print('body')
    with L('c') as L('a').x: print('body')
    with L('c') as (L('a').x, L('b')[L('k')]), L('d') as z: print('body')
    L('a') < L('b') < L('c')
    L('a') and L('b') or L('c')
    L('a') if L('b') else L('c')
    not L('a')
    [L('e') for x in L('it') if L('cond')]
    {L('k'): L('v') for x in L('it')}
    {L('k'): L('v'), **L('d')}
    [L('a'), *L('b'), L('c')]
    f'{L("a")} {L("b"):{L("c")}} {L("d")!r}'
    L('a')[L('k')]: L('annotation') = L('v')
    L('a').x: L('annotation') = L('v')
    assert L('a'), L('b')
    x = (y := L('a')) + L('b')
    L('a') in L('b')
    L('a')[(k := L('k'))] = k if False else L('v')
    lambda p=L('default'): L('never')
    @L('d1')
    @L('d2')
    def f(a=L('da'), *, b: L('ab') = L('db')) -> L('ret'): pass
    class C(L('base').x if False else object, metaclass=type): z = L('body')
    match L('subject'):
        case Log(name=n) if L('guard'): print(n)
    while L('w'): break
    return L('a')[L('b')]
main()
def failing():
    for text in ["L('a')[L('k')] = 1 / 0", "L('a').x = 1 / 0", "L('a')[1 / 0] = L('v')", "(1 / 0)[L('k')] = L('v')",
                 "L('f')(L('a'), 1 / 0, L('b'))", "(1 / 0).m(L('a'))", "L('o').m(1 / 0)", "L('a').x += 1 / 0",
                 "L('a')[L('k')] += 1 / 0", "L('a').x, L('b')[1 / 0] = 1, 2", "del L('a')[1 / 0]"]:
        try:
            exec(text)
        except ZeroDivisionError:
            print('failed')
failing()
def failing_here():
    try: L('a')[L('k')] = 1 / 0
    except ZeroDivisionError: print('failed')
    try: L('a')[1 / 0] = L('v')
    except ZeroDivisionError: print('failed')
    try: L('f')(L('a'), 1 / 0, L('b'))
    except ZeroDivisionError: print('failed')
    try: L('o').m(1 / 0)
    except ZeroDivisionError: print('failed')
    try: L('a').x, L('b')[1 / 0] = 1, 2
    except ZeroDivisionError: print('failed')
    try: L('a').x.y += 1 / 0
    except ZeroDivisionError: print('failed')
failing_here()
print([L('module')[L('k')] for _ in [1]])
