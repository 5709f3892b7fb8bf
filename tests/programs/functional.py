"""Closures, lambdas, decorators and functions handed to other functions."""

import functools
import itertools
import operator


def compose(*functions):
    def composed(x):
        for f in reversed(functions):
            x = f(x)
        return x

    return composed


def counted(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        wrapper.count += 1
        return f(*args, **kwargs)

    wrapper.count = 0
    return wrapper


def repeat(n):
    def decorate(f):
        def wrapper(x):
            for _ in range(n):
                x = f(x)
            return x

        return wrapper

    return decorate


@counted
def double(x):
    return 2 * x


@repeat(3)
@counted
def increment(x):
    return x + 1


@functools.lru_cache(maxsize=None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def compare(a, b):
    return (len(a) > len(b)) - (len(a) < len(b))


def make_accumulator(total=0):
    def add(x):
        nonlocal total
        total += x
        return total

    return add


def main():
    print(compose(double, increment, lambda x: x - 1)(10))
    print(fibonacci(10))
    words = ["pear", "fig", "banana", "kiwi"]
    print(sorted(words, key=lambda w: (len(w), w)))
    print(sorted(words, key=functools.cmp_to_key(compare)))
    print(max(words, key=double))
    add = make_accumulator()
    print(list(map(add, [1, 2, 3])), add(4))
    print(functools.reduce(lambda a, b: a * 10 + b, [1, 2, 3]))
    groups = itertools.groupby(words, key=lambda w: len(w))
    print([(n, len(list(g))) for n, g in groups])
    print([f(5) for f in (lambda x, k=k: x * k for k in range(3))])
    print(list(filter(lambda x: x % 2, itertools.accumulate([1, 2, 3], operator.add))))
    print(double.count)


main()
