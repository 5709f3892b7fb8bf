"""Functions, closures, classes and generators' functions pickled by value: cloudpickle and dill."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field

import cloudpickle
import dill

LIMIT = 3


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def countdown(n):
    while n > LIMIT:
        yield n
        n -= 1


def make_account(balance):
    def deposit(amount, *, fee=1):
        nonlocal balance
        balance += amount - fee
        return balance

    return deposit


@dataclass
class Basket:
    """A class with a generated __init__ and methods of its own."""

    items: list = field(default_factory=list)

    def add(self, *more):
        self.items.extend(more)
        return self

    @property
    def size(self):
        return len(self.items)

    def __len__(self):
        return super().__len__() if False else self.size


def check(name, dumps, loads):
    again = loads(dumps(fib))
    print(name, again(12), again.__name__, again.__code__ == fib.__code__)
    print(name, list(loads(dumps(countdown))(6)))
    account = make_account(10)
    copy = loads(dumps(account))
    print(name, account(5), copy(5), copy(5, fee=0), account(1))
    basket = loads(dumps(Basket(["a"]).add("b")))
    print(name, basket, basket.size, len(basket.add("c")))
    print(name, [f(4) for f in loads(dumps([lambda x: x + LIMIT, lambda x: x * LIMIT]))])


check("cloudpickle", cloudpickle.dumps, pickle.loads)
check("dill", lambda value: dill.dumps(value, recurse=True), dill.loads)
print(dill.source.getsource(fib).splitlines()[0])
