"""Fetch all pages of a site, a few at a time, over a transport that fails now and then."""

import asyncio
from dataclasses import dataclass


class TransportError(Exception):
    """It may work the next time."""


class NotFound(Exception):
    """It will not."""


@dataclass(frozen=True)
class Page:
    """What came of a request."""

    path: str
    status: int
    text: str = ""


class Transport:
    """Stands in for a network: pages by path, and how often each fails before it works."""

    def __init__(self, pages, failures):
        self.pages = pages
        self.failures = failures

    async def get(self, path):
        await asyncio.sleep(0)
        if self.failures.get(path, 0) > 0:
            self.failures[path] -= 1
            raise TransportError(path)
        if path not in self.pages:
            raise NotFound(path)
        return self.pages[path]


async def fetch(transport, path, attempts):
    """Fetch a page, trying so many times; 503 if it never works."""
    for _ in range(attempts):
        try:
            return Page(path, 200, await transport.get(path))
        except NotFound:
            return Page(path, 404)
        except TransportError:
            await asyncio.sleep(0)
    return Page(path, 503)


def links(text):
    """Return the paths that a text refers to."""
    return [word.strip(".,") for word in text.split() if word.startswith("/")]


async def fetch_all(transport, paths, attempts):
    """Fetch pages at the same time."""
    return await asyncio.gather(*[fetch(transport, path, attempts) for path in paths])


def new_paths(pages, known):
    """Return the paths that pages refer to and that are not known yet."""
    found = []
    for page in pages:
        for path in links(page.text):
            if path not in known and path not in found:
                found.append(path)
    return found


async def crawl(transport, start, at_once=2, attempts=3):
    """Fetch a page and whatever can be reached from it."""
    waiting, fetched = [start], {}
    while waiting:
        batch, waiting = waiting[:at_once], waiting[at_once:]
        pages = await fetch_all(transport, batch, attempts)
        fetched.update((page.path, page) for page in pages)
        waiting += new_paths(pages, [*fetched, *waiting])
    return fetched


def summary(pages):
    """Return a line for each page, and one for all."""
    lines = [f"{page.status} {page.path} ({len(page.text.split())} words)" for page in pages]
    good = sum(page.status == 200 for page in pages)
    return [*lines, f"{good} of {len(pages)} pages fetched"]


def main():
    site = {
        "/": "Welcome. See /prices, /contact and /news.",
        "/prices": "Lamps from 19 to 65. Order at /contact.",
        "/contact": "Write to us. The way: /map",
        "/news": "A new chair: /news/chair. The old one: /news/sofa",
        "/news/chair": "It has four legs. See /prices",
    }
    transport = Transport(site, {"/prices": 2, "/news": 1, "/map": 5})
    for line in summary(list(asyncio.run(crawl(transport, "/")).values())):
        print(line)


if __name__ == "__main__":
    main()
