# Private names wherever a name can be.
# fmt: off
import sys as __sys
__global = 1
class A:
    __attr = 1
    def __init__(self):
        self.__x = 1
        self.__x += 1
        self.__l = []
        self.__l.append(self.__method(5))
        self.__l[0] += 1
        __local = 3
        print(sorted(locals()), sorted(vars(self)))
        for __i in range(2): pass
        for self.__t in range(2): pass
        with open(__file__) as self.__f: pass
        del self.__f
        [__w := v for v in range(2)]
        print(sorted(locals()), self.__dunder__, self.__class__.__name__)
        self.__x, self.__y = 1, 2
        try:
            raise ValueError
        except ValueError as __e:
            print(sorted(locals()))
        def __inner():
            nonlocal __local
            __local = 4
            return __local
        print(__inner(), __local)
        import os as __os
        match (1, 2):
            case (__a, __b): print(__a, __b)
        print(sorted(locals()))
    __dunder__ = 2
    def __method(self, __arg):
        return __arg
    @classmethod
    def __cm(cls): return cls.__attr
    @staticmethod
    def __sm(): return A.__attr
    def call(self): return self.__cm(), self.__sm(), __class__.__name__
    class __Nested:
        __deep = 5
    def set_global(self):
        global __made
        __made = 7
class _B(A):
    def __init__(self):
        super().__init__()
        self.__x = 'b'
class __:
    def f(self): self.__x = 1
class ___C:
    def f(self):
        self.__x = 1
        return vars(self)
A(); print(A().call(), sorted(k for k in vars(A) if 'A__' in k)); A().set_global()
print(sorted(k for k in vars(_B()) if k.startswith('_')), ___C().f(), sorted(k for k in globals() if '__' in k[1:] and 'made' in k))
o = __(); o.f(); print(vars(o))
print(__global, __sys.version_info[0] > 2)
