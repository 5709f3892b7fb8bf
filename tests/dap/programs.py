"""Programs for the tests of the debug adapter. Lines are counted from 1."""

SUMS = """\
LIMIT = 10

def add(total, n):
    result = total + n
    return result

def sums(numbers):
    total = 0
    for n in numbers:
        total = add(total, n)
        print("now", total)
    return total

found = sums([1, 2, 3, 4])
print("found", found)
"""

OBJECTS = """\
class Node:
    def __init__(self, value, below=None):
        self.value = value
        self.below = below

def build(n):
    top = None
    for i in range(n):
        top = Node(i, top)
    return top

def main():
    many = list(range(2500))
    named = {"a": 1, "b": [1, 2]}
    some = {3, 1}
    text = "long " * 100
    node = build(3)
    node.value = 7
    node.value += 1
    return node

main()
"""

RAISES = """\
def parse(text):
    return int(text)

def each(texts):
    found = []
    for text in texts:
        try:
            found.append(parse(text))
        except ValueError:
            found.append(None)
    return found

def main():
    each(["1", "x", "2"])
    table = {}
    return table["missing"]

main()
"""

GENERATORS = """\
def count(n):
    i = 0
    while i < n:
        yield i
        i += 1

def squares(numbers):
    for n in numbers:
        yield n * n

def main():
    total = 0
    for v in squares(count(3)):
        total += v
    return total

main()
"""

TASKS = """\
import asyncio

async def child(n):
    await asyncio.sleep(0)
    return n + 1

async def worker(name, log):
    x = await child(len(log))
    log.append((name, x))
    return name

async def main():
    log = []
    one = asyncio.create_task(worker("a", log))
    two = asyncio.create_task(worker("b", log))
    await one
    await two
    return log

asyncio.run(main())
"""

THREADS = """\
import threading

def work(name, done, go):
    go.wait()
    result = name * 2
    done.append(result)

def main():
    done = []
    go = threading.Event()
    other = threading.Thread(target=work, args=("x", done, go))
    other.start()
    before = len(done)
    go.set()
    other.join()
    after = len(done)
    return before, after

main()
"""

RECURSION = """\
def down(n):
    if n == 0:
        return 0
    return 1 + down(n - 1)

down(50)
"""
