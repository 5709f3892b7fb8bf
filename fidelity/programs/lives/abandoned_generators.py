"""100,000 generators are begun and abandoned; every finally block runs at once."""

import asyncio

ended = [0, 0]


def numbers(start):
    try:
        while True:
            yield start
            start += 1
    finally:
        ended[0] += 1


async def waiting(event):
    try:
        await event.wait()
    finally:
        ended[1] += 1


async def tasks(count):
    event = asyncio.Event()
    waiters = [asyncio.ensure_future(waiting(event)) for _ in range(count)]
    await asyncio.sleep(0)
    for waiter in waiters:
        waiter.cancel()
    return await asyncio.gather(*waiters, return_exceptions=True)


total = 0
for i in range(100_000):
    total += next(numbers(i))
print(total, ended)
kept = [numbers(i) for i in range(1000)]
print(sum(map(next, kept)), ended)
kept.clear()
print(ended)
print(len(asyncio.run(tasks(1000))), ended)
never_begun = [numbers(i) for i in range(1000)]
del never_begun
print(ended)
