# fmt: off
"""The module's docstring."""
"""not a docstring"""
import inspect, sys
def f(a, b=2, *args, c, d=4, **kw):
    """The docstring of f."""
    x = 1
    print(sorted(locals()), sorted(vars()), dir())
    print('{a} {x}'.format(**locals()), '%(x)s' % locals())
    print(sorted(eval('locals()')), eval('dir()'), sorted(eval('vars()')))
    exec('print(sorted(locals()))')
    print([sorted(k for k in locals() if k[0] not in '.ko') for o in [0]])
    print(sorted((lambda z: locals())(1)))
    copy = dict(locals())
    print(sorted(copy), len(locals()))
    ns = locals
    print(sorted(ns()))
    return locals()
print(sorted(f(1, c=3)))
print(__doc__, f.__doc__, f.__name__, f.__qualname__, f.__module__, f.__defaults__, f.__kwdefaults__)
print(inspect.signature(f), f.__code__.co_argcount, f.__code__.co_kwonlyargcount, f.__code__.co_posonlyargcount)
print(f.__code__.co_freevars, f.__code__.co_cellvars, f.__closure__, f.__annotations__, f.__dict__)
print(f.__code__.co_firstlineno, f.__code__.co_filename.endswith('prog.py'), f.__code__.co_flags & 0x2f)
def outer():
    free = 1
    used = 2
    def inner():
        own = 3
        print(sorted(locals()), dir())
        return used
    print(inner.__code__.co_freevars, [c.cell_contents for c in inner.__closure__], sorted(locals()))
    print(outer.__code__.co_cellvars, outer.__code__.co_freevars)
    return inner
outer()()
class C:
    """The docstring of C."""
    first = 1
    print(sorted(locals()), sorted(vars()), dir())
    def m(self):
        """The docstring of m."""
        print(sorted(locals()), self.m.__doc__)
    @staticmethod
    def s():
        print(locals())
    @property
    def p(self):
        """The docstring of p."""
        return sorted(locals())
    x: int = 5
    y: 'later'
C().m(); C.s(); print(C().p, C.p.__doc__, C.__doc__, sorted(k for k in vars(C)), C.__annotations__)
print(sorted(k for k in dir(C()) if not k.startswith('__')), sorted(vars(C())))
print(sorted(k for k in globals() if not k.startswith('__')))
print(sorted(k for k in dir() if not k.startswith('__')), sorted(k for k in vars() if not k.startswith('__')))
def only_doc():
    """Nothing else."""
print(only_doc.__doc__, only_doc())
def no_doc():
    f"""not a docstring {1}"""
def bytes_doc():
    b"no docstring"
print(no_doc.__doc__, bytes_doc.__doc__)
class OnlyDoc:
    """Nothing else."""
print(OnlyDoc.__doc__, sorted(vars(OnlyDoc)))
def gen():
    """The docstring of gen."""
    v = 1
    print(sorted(locals()))
    yield v
list(gen()); print(gen.__doc__, inspect.isgeneratorfunction(gen), inspect.getgeneratorlocals(gen()))
async def coro():
    """The docstring of coro."""
    v = 1
    return sorted(locals())
import asyncio
print(asyncio.run(coro()), coro.__doc__, inspect.iscoroutinefunction(coro))
print(inspect.getsource(only_doc), inspect.getdoc(f), inspect.getmodule(f).__name__)
print((lambda a, *b, c=1: 0).__code__.co_varnames, (lambda: 0).__name__, (lambda: 0).__qualname__)
print(outer.__code__.co_name, outer().__qualname__, C.m.__qualname__, type(lambda: 0).__name__)
def defaults(l=[]):
    l.append(1)
    return l
print(defaults(), defaults(), defaults.__defaults__)
del_me = 1
def deletes(p):
    del p
    print(sorted(locals()))
    try:
        p
    except UnboundLocalError as e:
        print(e)
deletes(1)
def unbound():
    try:
        print(later)
    except UnboundLocalError as e:
        print(e)
    later = 1
unbound()
try:
    undefined
except NameError as e:
    print(e)
def nested_unbound():
    def inner():
        return v
    try:
        inner()
    except NameError as e:
        print(e)
    v = 1
nested_unbound()
try:
    f()
except TypeError as e:
    print(e)
try:
    C().m(1)
except TypeError as e:
    print(e)
try:
    C().nothing
except AttributeError as e:
    print(e)
try:
    [].nothing()
except AttributeError as e:
    print(e)
try:
    None()
except TypeError as e:
    print(e)
try:
    len(5)
except TypeError as e:
    print(e)
try:
    [1][5] = 2
except IndexError as e:
    print(e)
try:
    (1,)[0] = 2
except TypeError as e:
    print(e)
try:
    {}['k']
except KeyError as e:
    print(e)
try:
    (1).x = 5
except AttributeError as e:
    print(e)
try:
    None.x = 5
except AttributeError as e:
    print(e)
try:
    None[0] = 5
except TypeError as e:
    print(e)
try:
    None.a.b = 5
except AttributeError as e:
    print(e)
try:
    del None.x
except AttributeError as e:
    print(e)
try:
    None.x += 1
except AttributeError as e:
    print(e)
try:
    None[0] += 1
except TypeError as e:
    print(e)
try:
    a, None.x = 1, 2
except AttributeError as e:
    print(e)
try:
    for None.x in [1]: pass
except AttributeError as e:
    print(e)
try:
    del [1][5], None.x
except IndexError as e:
    print(e)
try:
    'abc'.append(1)
except AttributeError as e:
    print(e)
