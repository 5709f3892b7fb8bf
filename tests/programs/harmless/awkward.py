# Objects that are half built, or raise whatever they are asked.
# fmt: off
import types, unittest.mock
class Half:
    __slots__ = ('a', 'b')
    def __new__(cls):
        self = object.__new__(cls)
        look(self)
        return self
    def __init__(self):
        look(self)
        self.a = 1
        look(self)
class Raises:
    def __getattr__(self, name):
        raise RuntimeError('getattr ' + name)
    @property
    def p(self):
        raise RuntimeError('p')
class RaisesAll:
    def __getattribute__(self, name):
        raise RuntimeError('getattribute')
    def __repr__(self):
        raise RuntimeError
    __str__ = __eq__ = __hash__ = __len__ = __bool__ = __iter__ = __repr__
class NoInit(list):
    def __init__(self):
        pass
class BadDict(dict):
    def keys(self): raise RuntimeError
    items = values = __iter__ = __len__ = __getitem__ = keys
class Slotted:
    __slots__ = ('__dict__',)
class WithGetDict:
    __dict__ = property(lambda self: 1 / 0)
class Desc:
    def __get__(self, o, t=None): raise RuntimeError('desc')
    def __set__(self, o, v): raise RuntimeError('desc')
class HasDesc:
    d = Desc()
def look(x):
    y = [x]
    return None
Half()
for cls in (Raises, RaisesAll, NoInit, BadDict, Slotted, WithGetDict, HasDesc):
    o = cls()
    look(o)
    print(cls.__name__)
try:
    HasDesc().d = 5
except RuntimeError as e:
    print(e)
try:
    RaisesAll().x = 5
    RaisesAll().x
except RuntimeError as e:
    print(e)
look(object.__new__(Half))
look(list.__new__(NoInit))
look(Exception.__new__(Exception))
look(types.SimpleNamespace.__new__(types.SimpleNamespace))
look(dict.__new__(BadDict))
look(int.__new__(type('I', (int,), {})))
look(type('Empty', (), {}))
m = unittest.mock.MagicMock()
m.method.return_value = 3
look(m)
print(m.method(1, [2]), m.method.call_args, m.attr.deep is m.attr.deep, len(m), m.mock_calls)
m.x = look
m.x(m)
m['k'] = 5
print(m.mock_calls)
class Building:
    def __init__(self, parent=None):
        self.parent = parent
        self.child = None if parent else Building(self)
        look(self)
look(Building())
look(__builtins__)
look(globals())
look(type)
look(type.__dict__)
look(super)
look(NotImplemented)
def cell(): return cell
look(cell.__closure__)
look(cell.__code__)
look((lambda: (yield))())
import sys
look(sys)
look(sys._getframe())
try:
    1 / 0
except ZeroDivisionError as e:
    look(e.__traceback__)
class Enumlike(int):
    def __new__(cls, v):
        o = int.__new__(cls, v)
        o.v = v
        look(o)
        return o
Enumlike(5)
