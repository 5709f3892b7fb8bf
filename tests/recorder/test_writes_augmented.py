"""``a[k] += e`` and ``o.x += e`` write to the a, k and o that were evaluated before e, once."""

from __future__ import annotations

import textwrap
from pathlib import Path

from tests.recorder.heap_compare import run_witnessed

PRELUDE = """
class Cur:
    def __init__(self, count=0):
        self.count = count
"""

FORMS = {
    "global index": """
        a, pos = [0, 0, 0], 0
        def nxt():
            global pos
            pos += 1
            return 5
        x = a
        {mark}
        a[pos] += nxt()
    """,
    "global container": """
        a, b = [0, 0], [0, 0]
        def other():
            global a
            a = b
            return 5
        x = [a, b]
        {mark}
        a[1] += other()
    """,
    "global object": """
        cur, second = Cur(), Cur()
        def advance():
            global cur
            cur = second
            return 5
        x = [cur, second]
        {mark}
        cur.count += advance()
    """,
    "global object, in a function": """
        cur, second = Cur(), Cur()
        def advance():
            global cur
            cur = second
            return 5
        x = [cur, second]
        def change():
            cur.count += advance()
        {mark}
        change()
    """,
    "closure": """
        x = [Cur(), Cur(), [1, 2, 3], [4, 5, 6]]
        def make():
            cur, items, index = x[0], x[2], 0
            def advance():
                nonlocal cur, items, index
                cur, items, index = x[1], x[3], 1
                return 5
            def change():
                cur.count += advance()
            def again():
                nonlocal items, index
                items, index = x[2], 0
                items[index] += advance()
            cur.count += advance()
            items, index = x[2], 0
            items[index] += advance()
            cur = x[0]
            change()
            again()
        {mark}
        make()
    """,
    "walrus": """
        x = [[0, 0, 0], [0, 0, 0], Cur(), Cur()]
        def change():
            a, i = x[0], 0
            a[i] += (i := 2)
            i = 0
            a[i] += (a := x[1]) is a
            a[i] += [(i := 1) for _ in '1'][0]
            o = x[2]
            o.count += (o := x[3]).count + 7
        {mark}
        change()
    """,
    "walrus of a global": """
        x = [[0, 0, 0], [0, 0, 0], Cur(), Cur()]
        a, i = x[0], 0
        {mark}
        a[i] += (i := 2)
        a[i] += (a := x[1]) is a
        o = x[2]
        o.count += (o := x[3]).count + 7
    """,
    "class body": """
        x = [[0, 0, 0], [0, 0, 0], Cur(), Cur()]
        {mark}
        class Body:
            a, i = x[0], 0
            a[i] += (i := 2)
            a[i] += (a := x[1]) is a
            o = x[2]
            o.count += (o := x[3]).count + 7
    """,
    "in place": """
        x = [[[], []], Cur([])]
        rows, i, o = x[0], 0, x[1]
        def move(*new):
            global i, o
            i, o = 1, Cur([])
            return new
        {mark}
        rows[i] += move(1, 2)
        i, o = 0, x[1]
        o.count += move(3)
    """,
    "awaited": """
        import asyncio
        x = [[0, 0], Cur()]
        async def change():
            a, i, o = x[0], 0, x[1]
            async def step():
                nonlocal i, o
                i, o = 1, Cur()
                return 5
            a[i] += await step()
            o = x[1]
            o.count += await step()
        {mark}
        asyncio.run(change())
    """,
    "failing in place": """
        x = [[1], [2]]
        a = x[0]
        def some():
            global a
            yield 7
            a = x[1]
            yield 8
            1 / 0
        {mark}
        for index in (0,):
            try:
                x[index] += some()
            except ZeroDivisionError:
                pass
    """,
}


def test_the_place_that_was_evaluated_is_the_one_written(tmp_path: Path) -> None:
    parts = [PRELUDE]
    for number, source in enumerate(FORMS.values()):
        text = textwrap.dedent(source)
        parts += [text.format(mark=f"mark('{number} before', x)"), f"mark('{number} after', x)"]
    with run_witnessed(tmp_path, "\n".join(parts)) as run:
        for number in range(len(FORMS)):
            run.agree(f"{number} before")
            run.agree(f"{number} after")
