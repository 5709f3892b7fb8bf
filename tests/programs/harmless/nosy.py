# Objects of every kind that count which of their methods are called.
# fmt: off
import collections, types
counts = collections.Counter()
NAMES = '''__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __repr__ __str__ __bool__ __len__ __iter__
    __contains__ __getitem__ __setitem__ __delitem__ __index__ __int__ __float__ __call__ __enter__ __exit__
    __format__ __bytes__ __sizeof__ __dir__ __reduce_ex__ __getstate__ __instancecheck__ __subclasscheck__
    __add__ __iadd__ __radd__ __missing__ __reversed__ __next__ __length_hint__ __fspath__'''.split()

def counting(base, name):
    original = getattr(base, name, None)
    def method(self, *args, **kwargs):
        counts[name] += 1
        if original is not None and original is not getattr(object, name, None):
            return original(self, *args, **kwargs)
        if name == '__hash__':
            return 1
        if name in ('__eq__', '__bool__', '__contains__'):
            return self is args[0] if args else True
        if name in ('__len__', '__index__', '__int__', '__length_hint__'):
            return 1
        if name == '__iter__':
            return iter([1])
        if name in ('__repr__', '__str__', '__format__'):
            return 'nosy'
        if name in ('__add__', '__iadd__', '__radd__', '__getitem__', '__enter__', '__call__'):
            return self
        return NotImplemented if name.startswith(('__l', '__g', '__n')) else None
    return method

def nosy(base, label, extra=()):
    space = {name: counting(base, name) for name in NAMES
             if base is object or name in dir(base) and name not in ('__getstate__', '__sizeof__')}
    def getattribute(self, name):
        counts['__getattribute__'] += 1
        return base.__getattribute__(self, name)
    def setattribute(self, name, value):
        counts['__setattr__'] += 1
        base.__setattr__(self, name, value)
    space['__getattribute__'] = getattribute
    space['__setattr__'] = setattribute
    if base is object:
        def getmissing(self, name):
            counts['__getattr__ ' + name] += 1
            raise AttributeError(name)
        space['__getattr__'] = getmissing
    return type(label, (base,), space)

class Meta(type):
    def __getattribute__(cls, name):
        counts['Meta.__getattribute__'] += 1
        return type.__getattribute__(cls, name)
    def __eq__(cls, other):
        counts['Meta.__eq__'] += 1
        return cls is other
    def __hash__(cls):
        counts['Meta.__hash__'] += 1
        return 5
    def __repr__(cls):
        counts['Meta.__repr__'] += 1
        return 'meta'
    def __instancecheck__(cls, other):
        counts['Meta.__instancecheck__'] += 1
        return False
    def __bool__(cls):
        counts['Meta.__bool__'] += 1
        return True
    def __len__(cls):
        counts['Meta.__len__'] += 1
        return 1

class OfMeta(metaclass=Meta):
    level = 1

class Lying:
    @property
    def __class__(self):
        counts['__class__'] += 1
        return int
    @property
    def __dict__(self):
        counts['__dict__'] += 1
        return {}
    @property
    def shape(self):
        counts['shape'] += 1
        raise RuntimeError('no')
    dtype = tzinfo = args = start = stop = step = __name__ = __module__ = shape

class Module(types.ModuleType):
    def __getattr__(self, name):
        counts['module ' + name] += 1
        raise AttributeError(name)

def take(x, *more):
    y = x
    return x

def report(label):
    print(label, sorted(counts.items()))
    counts.clear()

kinds = {
    'object': nosy(object, 'Object')(),
    'list': nosy(list, 'List')([1, 2]),
    'dict': nosy(dict, 'Dict')(a=1),
    'set': nosy(set, 'Set')([1]),
    'frozenset': nosy(frozenset, 'Frozen')([1]),
    'tuple': nosy(tuple, 'Tuple')([1, [2]]),
    'str': nosy(str, 'Str')('abc'),
    'bytes': nosy(bytes, 'Bytes')(b'abc'),
    'int': nosy(int, 'Int')(5),
    'big': nosy(int, 'Big')(10**30),
    'float': nosy(float, 'Float')(0.5),
    'complex': nosy(complex, 'Complex')(1j),
    'deque': nosy(collections.deque, 'Deque')([1, 2]),
    'odict': nosy(collections.OrderedDict, 'Ordered')(a=1),
    'defaultdict': nosy(collections.defaultdict, 'Default')(list),
    'bytearray': nosy(bytearray, 'Array')(b'abc'),
    'exception': nosy(ValueError, 'Error')('bad'),
    'lying': Lying(),
    'meta': OfMeta(),
    'class': OfMeta,
    'module': Module('m'),
}
report('made')
