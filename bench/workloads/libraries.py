"""Libraries at work, each on a small task of its kind. Argument: which one.

The work is done by the library, so it is recorded with `--include` of its package.
"""

import sys

TEXT = """
# Title

Some *emphasis*, **strong** text and `code`, [a link](http://example.org "with title").

- one
- two
  1. nested *item*
  2. another

> A quote with **bold**
> over two lines

| a | b |
|---|---|
| 1 | 2 |

    indented code

***
"""

TOML = """
title = "example"
[owner]
name = "Ann"
born = 1979-05-27T07:32:00Z
[database]
ports = [8000, 8001, 8002]
data = [["delta", "phi"], [3.14]]
temp_targets = { cpu = 79.5, case = 72.0 }
[[products]]
name = "Hammer"
sku = 738594937
[[products]]
name = "Nail"
color = "gray"
"""

HTML = (
    "<html><head><title>t</title></head><body>"
    + "<div class='a' id=x><p>one<br/>two &amp; three</p><!-- c --><a href='#'>l</a></div>" * 60
    + "</body></html>"
)

PROGRAM = '''
import os
def f(a, b=1, *c, d, **e):
    """Doc."""
    for x in range(10):
        if x % 2 and not a or b > 3:
            yield {k: v for k, v in zip(c, [1, 2.5, "s"]) if k}
        else:
            a[x:], b.c = lambda q: q ** 2, f"{a!r:>{b}}"
    try:
        return await_(x) if x else None
    except (ValueError, TypeError) as exc:
        raise RuntimeError from exc
class C(dict, metaclass=M):
    n: int = 3
    @property
    def p(self): return self.n << 2 | 1
'''


def markdown():
    from markdown_it import MarkdownIt

    return len(MarkdownIt("commonmark").enable("table").render(TEXT * 4))


def toml():
    import tomllib

    return sum(len(tomllib.loads(TOML)) for _ in range(12))


def html():
    from html.parser import HTMLParser

    class Count(HTMLParser):
        seen = 0

        def handle_starttag(self, tag, attrs):
            self.seen += len(attrs)

        def handle_data(self, data):
            self.seen += len(data)

    parser = Count()
    parser.feed(HTML)
    return parser.seen


def unparse():
    import ast

    return len(ast.unparse(ast.parse(PROGRAM * 20)))


def json():
    import json
    from json import encoder

    encoder.c_make_encoder = None
    data = {f"k{i}": [i, i / 3, None, {"x": [True, "é" * 3]}] for i in range(600)}
    return len(json.dumps(data, indent=2))


def versions():
    from packaging.requirements import Requirement
    from packaging.specifiers import SpecifierSet

    found = 0
    for i in range(12):
        wanted = Requirement(
            f"pkg{i}[extra]>=1.{i},!=1.5.*,<3; python_version >= '3.{i}' and os_name == 'posix'"
        )
        found += wanted.marker.evaluate()
        found += sum(f"1.{j}" in SpecifierSet(">=1.2,~=1.3") for j in range(6))
    return found


def arguments():
    import argparse

    total = 0
    for i in range(12):
        parser = argparse.ArgumentParser(prog="p")
        sub = parser.add_subparsers(dest="command")
        for name in ("one", "two"):
            each = sub.add_parser(name)
            each.add_argument("--size", type=int, default=i)
            each.add_argument("files", nargs="*")
        total += parser.parse_args(["two", "--size", "3", "a", "b"]).size
        total += len(parser.format_help())
    return total


def sql():
    import sqlparse

    text = (
        "select c.name, count(*) as n from customers c join orders o on o.id = c.id"
        " where o.placed >= '2020-01-01' and c.x in (1, 2) group by c.name having n > 3"
    )
    return len(sqlparse.format(text, reindent=True, keyword_case="upper"))


if __name__ == "__main__":
    print(sys.argv[1], globals()[sys.argv[1]]())
