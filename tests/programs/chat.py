"""Coroutines that await each other, asynchronous iteration and context managers."""

import asyncio


def shout(text):
    return text.upper()


async def receive(n):
    await asyncio.sleep(0)
    if n > 2:
        raise ConnectionError(n)
    return shout(f"message {n}")


class Connection:
    def __init__(self, name):
        self.name = name
        self.n = 0

    async def __aenter__(self):
        await asyncio.sleep(0)
        shout(self.name)
        return self

    async def __aexit__(self, kind, value, trace):
        await asyncio.sleep(0)
        shout("bye")
        return kind is ConnectionError

    def __aiter__(self):
        return self

    async def __anext__(self):
        self.n += 1
        if self.n > 3:
            raise StopAsyncIteration
        return await receive(self.n)


async def messages(n):
    for i in range(n):
        yield await receive(i)


async def main():
    heard = []
    async with Connection("a") as connection:
        async for message in connection:
            heard.append(shout(message))
    async for message in messages(2):
        heard.append(message)
    try:
        await receive(5)
    except ConnectionError:
        heard.append(shout("lost"))
    return len(heard)


print(asyncio.run(main()))
