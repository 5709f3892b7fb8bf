# What the values to be recorded are made of.
# fmt: off
# attributes of the library's objects: _name_ _value_ _sort_order_ _inverted_ int _parts _raw_paths _tail_cached
# is_safe _drv _root _str _hash _cached_cparts _lines_cached _str_normcase_cached _parts_normcase_cached
import ctypes, enum, functools, io, itertools, operator, pathlib, re, sys, threading, types, uuid, weakref
from collections import deque, namedtuple

class Color(enum.Enum):
    RED = 'red'
class Level(enum.IntEnum):
    HIGH = 10
class Perm(enum.Flag):
    R = 1
    W = 2
class Number(int): pass
class Text(str): pass
class Real(float): pass
class Cplx(complex): pass
class Data(bytes): pass
class Flag(int):
    __slots__ = ()
Pair = namedtuple('Pair', 'left right')
class Point:
    def __init__(self, px, py):
        self.px = px
        self.py = py
    def move(self):
        pass
def chained():
    try:
        try:
            {}['k']
        except KeyError as error:
            raise ValueError('v') from error
    except ValueError as error:
        return error.with_traceback(None)
def cyclic_list():
    a = [1]
    a.append(a)
    return a
def cyclic_dict():
    a = {}
    a['self'] = a
    a[1] = [a]
    return a
def cyclic_object():
    a, b = Point(1, 2), Point(3, 4)
    a.px, b.px = b, a
    a.py = (a, b, [a])
    return a
def knot():
    a, b, c = [], {}, set()
    t = (a, b)
    a.extend([b, t, a])
    b.update(a=a, t=t)
    c.add(t[0] is a)
    a.append(c)
    return t
def diamond():
    shared = [1]
    return {'left': (shared, [shared]), 'right': [shared, {'again': shared}]}
def nested(depth):
    a = []
    for _ in range(depth):
        a = [a]
    return a
def tuples(depth):
    a = ()
    for i in range(depth):
        a = (i, a)
    return a
def chain(length):
    a = None
    for i in range(length):
        a = Point(i, a)
    return a
def gen():
    yield 1
