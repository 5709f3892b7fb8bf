# Objects nested 300,000 deep die.
# fmt: off
import sys
class Node:
    __slots__ = ('next',)
class Plain:
    pass
def nest(kind):
    x = None
    for _ in range(300_000):
        if kind == 'list': x = [x]
        elif kind == 'tuple': x = (x,)
        elif kind == 'dict': x = {'k': x}
        elif kind == 'mixed': x = [({'k': x},)]
        elif kind == 'slots':
            n = Node(); n.next = x; x = n
        else:
            n = Plain(); n.next = x; x = n
    return x
def use(x):
    return type(x).__name__
for kind in ('list', 'tuple', 'dict', 'mixed', 'slots', 'object'):
    x = nest(kind)
    print(kind, use(x))
    del x
    print('gone')
