# Objects held by generators and coroutines.
# fmt: off
def gen(p=None):
    t = T('in generator')
    try:
        yield 1
        yield 2
    finally:
        print('finally')
g = gen(); step(1)
next(g); step(2)
del g; step(3)
g = gen(); next(g); g.close(); step(4)
g = None; step(5)
gen(T('never started')); step(6)
g = gen(T('parameter')); g = None; step(7)
for i in gen(): break
step(8)
for i in gen(): pass
step(9)
list(gen(T('listed'))); step(10)
next(gen(T('temporary'))); step(11)
def delegates():
    t = T('delegating')
    yield from gen()
for i in delegates(): break
step(12)
ge = (x for x in [T('a'), T('b')]); next(ge); step(13)
del ge; step(14)
any(x.g() for x in [T('c'), T('d')]); step(15)
g = gen(); next(g)
try:
    g.throw(KeyError)
except KeyError: pass
step(16)
def echo():
    got = None
    while True:
        got = yield got
e = echo(); next(e); e.send(T('sent')); step(17)
e.send(None); step(18)
e.send(T('again')); del e; step(19)
def yields():
    yield T('yielded')
for x in yields(): x.g()
x = None; step(20)
next(yields()).g(); step(21)
sum(1 for _ in yields()); step(22)
cycle = gen(); next(cycle); h = Holder(); h.g = cycle; h.h = h; del h, cycle; step(23)
gc.collect(); step(24)
import asyncio
async def coroutine(p):
    t = T('coroutine local')
    await asyncio.sleep(0)
    return p
asyncio.run(coroutine(T('awaited'))); step(25)
c = coroutine(T('not awaited')); c.close(); c = None; step(26)
async def agen():
    t = T('async generator')
    try:
        yield 1
    finally:
        print('async finally')
async def use():
    async for x in agen():
        step('async loop')
asyncio.run(use()); step(27)
