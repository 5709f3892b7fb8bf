# Objects held by variables.
# fmt: off
x = T('a'); step(1)
x = T('b'); step(2)
x = None; step(3)
x = y = T('c'); step(4)
del x; step(5)
del y; step(6)
x, y = T('d'), T('e'); step(7)
x, y = y, x; step(8)
x, *y = T('f'), T('g'), T('h'); step(9)
x = x.new(); step(10)
x += T('i'); step(11)
x = x + T('j'); step(12)
for x in [T('k'), T('l')]: step('loop')
step(13)
for x in (T('m'),): pass
step(14)
for i, x in enumerate([T('n'), T('o')]): step('loop')
step(15)
for x, y in zip([T('p'), T('q')], [T('r'), T('s')]): step('loop')
step(16)
del x, y
step(17)
if (w := T('t')): step('walrus')
w = 0; step(18)
[T(str(i)).g() for i in range(2)]; step(19)
[v.g() for v in [T('u'), T('v')]]; step(20)
[v for v in [T('w')] if (z := v)]; step(21)
z = None; step(22)
x: T = T('x'); step(23)
x: T = None; step(24)
match T('y'):
    case T(name=n): step('matched')
step(25)
match (T('z'), 1):
    case (c, 2): pass
    case (c, 1): step('second')
step(26)
c = None; step(27)
while (c := T('A')).name != 'A': pass
step(28)
c = 1; step(29)
def d(x=T('default')): pass
step(30)
d = None; step(31)
class C: attr = T('class')
step(32)
C.attr = None; step(33)
import sys as c
step(34)
global_name = T('global')
