# A class whose objects tell when they die; the other programs here begin with it.
# fmt: off
import gc, sys, weakref
from collections import deque

class T:
    alive = 0
    def __init__(self, name):
        self.name = name
        T.alive += 1
    def __del__(self):
        T.alive -= 1
        print('del', self.name)
    def g(self, *others):
        print('g', self.name)
        return 1
    def me(self):
        return self
    def new(self):
        return T(self.name + "'")
    def __add__(self, other):
        return T(self.name + '+')
    def __iadd__(self, other):
        return self
    def __eq__(self, other):
        return True
    __hash__ = object.__hash__
    def __bool__(self):
        return True
    def __enter__(self):
        return T('entered')
    def __exit__(self, *error):
        print('exit')
        return True
    def __str__(self):
        return 'str'

class Holder:
    pass

def same(x):
    print('same')
    return x

def step(text):
    print('--', text, T.alive)
