"""What the program prints: text, order, stream, and the call that printed it."""

from __future__ import annotations

from tests.recorder.conftest import Record, Recorded
from tests.recorder.outline import check
from wrongcall.events import Kind
from wrongcall.recording import Call, Clipped
from wrongcall.trace.format.event_records import call_ids


def text(part: object) -> str:
    """Return printed text, however it was written."""
    if isinstance(part, Clipped):
        part = part.beginning
    return part.decode() if isinstance(part, bytes) else str(part)


def printed(call: Call, stream: str = "stdout") -> str:
    """Return what a call printed itself."""
    return "".join(text(p.text) for p in call.prints if p.stream == stream)


def transcript(done: Recorded, stream: str = "stdout") -> list[tuple[str, str]]:
    """Return everything printed in order of time: who, what; one entry for each run of one call."""
    number = {"stdout": 1, "stderr": 2}[stream]
    found = done.recording.events.select({Kind.PRINT})
    result: list[tuple[str, str]] = []
    for call, event in zip(call_ids(found.events).tolist(), found.events, strict=True):
        if int(event["key"]) != number:
            continue
        who = done.recording.call(call).function.qualname if call else ""
        said = text(done.recording.states.values.read(int(event["vtag"]), int(event["value"])))
        if result and result[-1][0] == who:
            said = result.pop()[1] + said
        result.append((who, said))
    check(done.recording)
    return result


def test_print_is_attributed_to_its_call(record: Record) -> None:
    done = record(
        """\
        def inner(x):
            print("inner", x, sep="-")
            return x

        def outer():
            print("begin")
            inner(1)
            print("middle", end="; ")
            inner(2)
            print()
            print("end", 3, None, [1, "a"])

        print("module")
        outer()
        """
    )
    assert transcript(done) == [
        ("<module>", "module\n"),
        ("outer", "begin\n"),
        ("inner", "inner-1\n"),
        ("outer", "middle; "),
        ("inner", "inner-2\n"),
        ("outer", "\nend 3 None [1, 'a']\n"),
    ]
    assert "".join(said for _, said in transcript(done)) == done.stdout
    assert printed(done.call("outer")) == "begin\nmiddle; \nend 3 None [1, 'a']\n"
    assert [c.printed for c in done.calls("inner")] == ["inner-1\n", "inner-2\n"]
    for call in done.calls("inner"):
        assert all(call.entry < p.time < call.exit for p in call.prints)


def test_every_way_to_write(record: Record) -> None:
    done = record(
        """\
        import os
        import sys

        def by_print():
            print("print", flush=True)

        def by_write():
            sys.stdout.write("write\\n")
            sys.stdout.flush()

        def by_writelines():
            sys.stdout.writelines(["line 1\\n", "line 2\\n"])
            sys.stdout.flush()

        def by_buffer():
            sys.stdout.buffer.write(b"buffer\\n")
            sys.stdout.flush()

        def by_os():
            os.write(1, b"os\\n")

        def by_alias():
            write = sys.stdout.write
            write("alias\\n")
            sys.stdout.flush()
            from os import write
            write(1, b"imported\\n")

        def by_original():
            sys.__stdout__.write("original\\n")
            sys.stdout.flush()

        def by_file():
            print("file", file=sys.stdout, flush=True)

        for f in (by_print, by_write, by_writelines, by_buffer, by_os, by_alias):
            f()
        by_original()
        by_file()
        """
    )
    assert transcript(done) == [
        ("by_print", "print\n"),
        ("by_write", "write\n"),
        ("by_writelines", "line 1\nline 2\n"),
        ("by_buffer", "buffer\n"),
        ("by_os", "os\n"),
        ("by_alias", "alias\nimported\n"),
        ("by_original", "original\n"),
        ("by_file", "file\n"),
    ]
    assert "".join(said for _, said in transcript(done)) == done.stdout


def test_bytes_count_as_printed(record: Record) -> None:
    done = record(
        """\
        import os

        def f():
            print("a", flush=True)
            os.write(1, b"b\\n")

        f()
        """
    )
    assert done.call("f").printed == done.stdout == "a\nb\n"


def test_memoryviews_and_bytearrays_are_printed_too(record: Record) -> None:
    done = record(
        """\
        import os
        import sys

        def f():
            os.write(1, bytearray(b"1\\n"))
            os.write(1, memoryview(b"2\\n"))
            sys.stdout.buffer.write(bytearray(b"3\\n"))
            sys.stdout.flush()
            os.write(sys.stdout.fileno(), b"4\\n")

        f()
        """
    )
    assert transcript(done) == [("f", done.stdout)]


def test_a_new_wrapper_around_the_same_stream(record: Record) -> None:
    done = record(
        """\
        import io
        import sys

        class Tee:
            def __init__(self, stream):
                self.stream = stream

            def write(self, s):
                return self.stream.write(s)

            def flush(self):
                self.stream.flush()

        def f():
            print("encoded", flush=True)

        def g():
            print("tee")

        sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8")
        f()
        sys.stdout = Tee(sys.stdout)
        g()
        """
    )
    assert done.stdout == "encoded\ntee\n"
    assert transcript(done) == [("f", "encoded\n"), ("Tee.write", "tee\n")]


def test_stderr(record: Record) -> None:
    done = record(
        """\
        import os
        import sys

        def f():
            print("out")
            print("error", file=sys.stderr)
            sys.stderr.write("more\\n")
            os.write(2, b"bytes\\n")

        def g():
            print("last", file=sys.stderr)

        f()
        g()
        """
    )
    assert transcript(done, "stderr") == [("f", "error\nmore\nbytes\n"), ("g", "last\n")]
    assert transcript(done) == [("f", "out\n")]
    streams = [p.stream for p in done.call("f").prints if text(p.text).strip()]
    assert streams == ["stdout", "stderr", "stderr", "stderr"]


def test_redirected_output_is_not_printed(record: Record) -> None:
    done = record(
        """\
        import contextlib
        import io
        import sys

        def f(x):
            print("f", x)

        def main():
            target = io.StringIO()
            with contextlib.redirect_stdout(target):
                f(1)
                sys.stdout.write("hidden")
            f(2)
            print("to a file", file=io.StringIO())
            with open("out.txt", "w") as file:
                print("in a file", file=file)
                file.write("text")
                with contextlib.redirect_stdout(file):
                    f(3)
            sys.stdout = io.StringIO()
            f(4)
            sys.stdout = sys.__stdout__
            f(5)
            return target.getvalue()

        main()
        """
    )
    assert done.stdout == "f 2\nf 5\n"
    assert transcript(done) == [("f", "f 2\nf 5\n")]
    assert [c.printed for c in done.calls("f")] == ["", "f 2\n", "", "", "f 5\n"]
    assert done.call("main").value == "f 1\nhidden"


def test_output_of_other_files_and_pipes_is_not_printed(record: Record) -> None:
    done = record(
        """\
        import os

        def main():
            read, write = os.pipe()
            os.write(write, b"into a pipe")
            os.close(write)
            with open("out.bin", "wb") as file:
                file.write(b"binary")
            return os.read(read, 100)

        main()
        """
    )
    assert transcript(done) == []


def test_library_code_prints_for_its_caller(record: Record) -> None:
    done = record(
        """\
        import logging
        import pprint

        def f():
            pprint.pprint({"a": 1})
            logging.warning("careful")
            list(map(print, [1, 2]))

        def g():
            print(sum(1 for _ in [1]))
            return [print(x) for x in "ab"]

        f()
        g()
        """
    )
    assert transcript(done) == [("f", "{'a': 1}\n1\n2\n"), ("g", "1\na\nb\n")]
    assert transcript(done, "stderr") == [("f", "WARNING:root:careful\n")]


def test_printing_objects_that_print(record: Record) -> None:
    done = record(
        """\
        class Loud:
            def __str__(self):
                print("str")
                return "Loud"

        def main():
            print("a", Loud(), "b")

        main()
        """
    )
    assert done.stdout == "a str\nLoud b\n"
    assert transcript(done) == [
        ("main", "a "),
        ("Loud.__str__", "str\n"),
        ("main", "Loud b\n"),
    ]


def test_lambdas_generators_and_class_bodies_print(record: Record) -> None:
    done = record(
        """\
        class C:
            print("class")

        def g():
            print("start")
            yield 1
            print("resumed")

        def main():
            (lambda x: print("lambda", x))(1)
            for x in g():
                print("loop")

        main()
        """
    )
    assert transcript(done) == [
        ("C", "class\n"),
        ("main.<locals>.<lambda>", "lambda 1\n"),
        ("g", "start\n"),
        ("main", "loop\n"),
        ("g", "resumed\n"),
    ]


def test_coroutines_and_threads_print(record: Record) -> None:
    done = record(
        """\
        import asyncio
        import threading

        async def work(name):
            print(name, 1)
            await asyncio.sleep(0)
            print(name, 2)

        async def main():
            await asyncio.gather(work("a"), work("b"))
            print("main")

        def target(n):
            print("thread", n)

        asyncio.run(main())
        for n in range(3):
            t = threading.Thread(target=target, args=(n,))
            t.start()
            t.join()
        """
    )
    assert [printed(c) for c in done.calls("work")] == ["a 1\na 2\n", "b 1\nb 2\n"]
    assert printed(done.call("main")) == "main\n"
    assert [printed(c) for c in done.calls("target")] == [f"thread {n}\n" for n in range(3)]
    assert "".join(said for _, said in transcript(done)) == done.stdout


def test_output_at_the_end_of_the_program(record: Record) -> None:
    done = record(
        """\
        import atexit

        def late():
            print("late")

        atexit.register(late)
        atexit.register(print, "bare")
        print("body")
        raise SystemExit("message")
        """,
        status=1,
    )
    assert done.stdout == "body\nbare\nlate\n"
    assert transcript(done) == [("<module>", "body\n"), ("", "bare\n"), ("late", "late\n")]
    assert transcript(done, "stderr") == [("", "message\n")]


def test_unusual_text(record: Record) -> None:
    done = record(
        """\
        def f():
            print("", end="")
            print("grüße 漢字 🎉")
            print("nul \\0 and \\x1b[1mbold\\x1b[0m")
            print("x" * 5000)

        f()
        """
    )
    (entry,) = transcript(done)
    assert entry[0] == "f"
    assert entry[1].startswith("grüße 漢字 🎉\nnul \0 and \x1b[1mbold\x1b[0m\nxxx")
    long = [p.text for p in done.call("f").prints if len(text(p.text)) > 100]
    (value,) = long
    length = value.length if isinstance(value, Clipped) else len(text(value))
    assert length == 5000


def test_what_the_program_sees_of_its_streams(record: Record) -> None:
    done = record(
        """\
        import sys

        print(type(sys.stdout).__name__, sys.stdout is sys.__stdout__, sys.stdout.fileno())
        print(sys.stdout.write("x\\n"))
        try:
            sys.stdout.write(5)
        except TypeError as e:
            print(e)
        """
    )
    assert done.stdout == ("TextIOWrapper True 1\nx\n2\nwrite() argument must be str, not int\n")
