# Things that grow step by step: growth.py NAME N.
# fmt: off
import heapq, sys
from array import array
from collections import deque

class Writer:
    text = ''

shared = ''

def local_text(n):
    s = ''
    for i in range(n):
        s += 'x'

def wide_text(n):
    s = ''
    for i in range(n):
        s += '\u20ac'

def sum_of_texts(n):
    s = ''
    for i in range(n):
        s = s + 'x'

def attribute_text(n):
    w = Writer()
    for i in range(n):
        w.text += 'x'

def global_text(n):
    global shared
    for i in range(n):
        shared += 'x'

def nonlocal_text(n):
    s = ''
    def grow():
        nonlocal s
        s += 'x'
    for i in range(n):
        grow()

def list_append(n):
    l = []
    for i in range(n):
        l.append(i)

def list_add(n):
    l = []
    for i in range(n):
        l += [i]

def list_pop_first(n):
    l = list(range(n))
    while l:
        l.pop(0)

def list_insert(n):
    l = []
    for i in range(n):
        l.insert(0, i)

def list_store(n):
    l = [0] * n
    def store(l, i):
        l[i] = i
    for i in range(n):
        store(l, i)

def list_heap(n):
    h = []
    for i in range(n):
        heapq.heappush(h, -i)

def deque_turn(n):
    q = deque(range(n))
    for i in range(n):
        q.append(q.popleft())
        q.rotate(1)

def dict_store(n):
    d = {}
    for i in range(n):
        d[i] = i
    for i in range(n):
        del d[i]

def set_add(n):
    s = set()
    for i in range(n):
        s.add(i)
    for i in range(n):
        s.discard(i)

def bytearray_append(n):
    b = bytearray()
    for i in range(n):
        b.append(i % 256)

def bytearray_add(n):
    b = bytearray()
    for i in range(n):
        b += b'x'

def bytearray_store(n):
    b = bytearray(n)
    for i in range(n):
        b[i] = 1

def array_append(n):
    a = array('i')
    for i in range(n):
        a.append(i)

def array_store(n):
    a = array('i', [0]) * n
    for i in range(n):
        a[i] = i

def array_extend(n):
    a = array('d')
    for i in range(n):
        a.extend((i, i))
        a.insert(0, i)

def array_add(n):
    a = array('i')
    for i in range(n):
        a += array('i', (i, i))

def bytearray_queue(n):
    b = bytearray(n)
    for i in range(n):
        b.append(1)
        b.pop(0)

def bytearray_slice(n):
    b = bytearray(n)
    for i in range(n):
        b[i:i + 1] = b'xy'
        del b[-1:]

def memoryview_store(n):
    b = bytearray(n)
    m = memoryview(b)
    for i in range(n):
        m[i] = 1
        m[i:i + 1] = b'x'

globals()[sys.argv[1]](int(sys.argv[2]))
