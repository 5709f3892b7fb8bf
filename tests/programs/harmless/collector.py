# The collector runs at every allocation and runs code of the program.
# fmt: off
import gc, sys
from collections import deque, OrderedDict
class T:
    log = []
    def __init__(self, n):
        self.n = n
        self.me = self
        self.q = deque([[n], (n, [n])])
    def __del__(self):
        self.work([self.n, {'k': deque([T2(self.n)])}])
    def work(self, x):
        y = deque([x, [x]])
        y.append({1: x})
        T.log.append(len(y))
        del T.log[:-3]
        return y
class T2:
    def __init__(self, n):
        self.n = [n]
def take(*args):
    return args
gc.set_threshold(1, 1, 1)
for i in range(300):
    t = T(i)
    t = None
    take(deque([[i], T2(i)]), {'d': deque([i])}, range(i), slice(i))
    def f():
        def g(): return i
        return g
    f()()
    o = T2(i)
    vars(o)['x'] = deque([o])
    l = [deque([T2(j)]) for j in range(3)]
    l.sort(key=id)
gc.set_threshold(700)
gc.collect()
print(len(T.log), 'done')
