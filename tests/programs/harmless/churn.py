# Many objects that live shortly; shows the largest size of the process.
# fmt: off
import resource
class Thing:
    def __init__(self, i):
        self.i = i
        self.l = [i]
def churn():
    for i in range(100_000):
        t = Thing(i)
        t.d = {'k': t.l}
        x = (i, [i])
        s = {i}
def names():
    for i in range(30_000):
        t = Thing(i)
        t.__dict__['x%d' % (i % 50)] = 'text %d' % i * 10
def queue():
    from collections import deque
    q = deque()
    for i in range(100_000):
        q.append([i])
        if len(q) > 10:
            q.popleft()
churn()
names()
queue()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
