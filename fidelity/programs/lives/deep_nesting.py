"""Containers and objects nested 300,000 deep are made and die."""


class Node:
    def __init__(self, inside):
        self.inside = inside


def nest(wrap):
    whole = None
    for _ in range(300_000):
        whole = wrap(whole)
    return whole


def depth(whole, inside):
    count = 0
    while whole is not None:
        whole = inside(whole)
        count += 1
    return count


WRAPS = {
    "list": (lambda x: [x], lambda x: x[0]),
    "tuple": (lambda x: (x,), lambda x: x[0]),
    "dict": (lambda x: {"inside": x}, lambda x: x["inside"]),
    "object": (Node, lambda x: x.inside),
}
for name, (wrap, inside) in WRAPS.items():
    whole = nest(wrap)
    print(name, depth(whole, inside))
    del whole
    print("gone")
