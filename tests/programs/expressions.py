"""Calls in every place where an expression can stand; the order of evaluation shows."""

counter = 0


def f(x):
    global counter
    counter += 1
    return x


def boom(x):
    raise ValueError(x)


def conditional(x):
    return f(1) if x else f(2)


def logical(x):
    return f(0) or f(x) and f(2)


def chained():
    return f(1) < f(2) < f(0) < f(9)


def formatted():
    return f"{f(1)} {f('a'):>{f(5)}} {f('b')!r}"


def starred(*args, **kwargs):
    return f(*[f(1)], **{})


def subscripts():
    table = {f("a"): f(1), **f({"b": 2})}
    table[f("k")] = f("v")
    table[f("k")] += f("w")
    del table[f("a")]
    return len(table[f("k")][f(0) : f(1)])


def unpacked():
    a, (b, *c) = f((1, (2, 3, 4)))
    x = y = f(5)
    return len(c) + x + y


def walrus():
    if (n := f(4)) > 3:
        while (n := f(n - 1)) > 1:
            f("round")
    return n


def asserted():
    assert f(1), f("never")
    return None


def called():
    return f(f)(f(f(f(1))))


def caught():
    try:
        return [(lambda y: boom(y))(i) for i in range(3)]
    except f(ValueError):
        return f("caught")


def loops():
    for i in f([1, 2]):
        f(i)
    else:
        f("else")
    with f(open(__file__)) as file:
        return f(bool(file.readline()))


def defined():
    def inner(a=f(1), *, b=f(2)) -> f(3):
        return a + b

    class Inner(f(object)):
        x = f(4)

    return inner()


def matched(x):
    match f(x):
        case [a, b] if f(a) > f(b):
            return f("falling")
        case [a, b]:
            return f("rising")
        case _:
            return f("other")


def lambdas():
    return (lambda x, y=f(1): f(x) + f(y))(f(2))


def main():
    for g in (chained, formatted, starred, subscripts, unpacked, walrus, asserted, called):
        print(g.__name__, g())
    for g in (caught, loops, defined, lambdas):
        print(g.__name__, g())
    for g in (conditional, logical):
        print(g.__name__, g(0), g(1))
    print(matched([2, 1]), matched([1, 2]), matched(None))
    return counter


print(main())
