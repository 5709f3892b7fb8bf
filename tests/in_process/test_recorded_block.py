"""Blocks of a running process are recorded, one after the other, and run as they would without."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.in_process.blocks import WARNINGS, Ran, run
from tests.recorder.conftest import run_python, run_recorded, write_program
from tests.recorder.outline import lines, show
from tests.recorder.random_programs import program
from wrongcall.recording import Outcome
from wrongcall.recording import open as open_trace


def test_the_calls_of_a_block_are_in_its_trace(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        """
        import wrongcall
        wrongcall.install()
        import mod
        mod.total([7])
        with wrongcall.record("f.wrongcall") as block:
            print(mod.total(mod.items))
        mod.total([8])
        print(block.facts["calls"], block.path.name)
        """,
    )
    assert ran.stdout == "12\n4 f.wrongcall\n"
    expected = """
        total(xs=[3, 1, 2]) -> 12
          double(x=3) @21 -> 6
          double(x=1) @21 -> 2
          double(x=2) @21 -> 4
        """
    assert ran.outline() == lines(expected)


def test_modules_that_are_imported_inside_the_block_are_recorded_without_install(
    tmp_path: Path,
) -> None:
    source = """
        import wrongcall
        with wrongcall.record("f.wrongcall"):
            import mod
            mod.double(2)
        """
    assert "double(x=2) -> 4" in run(tmp_path, source).outline()


def test_what_exists_before_is_seen_with_its_state_at_the_beginning(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        """
        import wrongcall
        wrongcall.install()
        import mod
        mod.account.add(5)
        for number in range(2):
            with wrongcall.record(f"{number}.wrongcall"):
                mod.account.add(number)
            mod.account.add(10)
        """,
    )
    for number, (log, result) in enumerate([([5], 5), ([5, 0, 10], 16)]):
        recorded = ran.recorded(f"{number}.wrongcall")
        with recorded.recording as recording:
            call = recorded.call("Account.add")
            account = call.args[0].value
            assert recorded.picture(account, call.entered)[2]["log"][2] == log
            assert recorded.picture(account, call.exit)[2]["log"][2] == [*log, number]
            assert call.value == result
            known = recording.states.globals("mod", call.entered)
            assert show(recording, known["items"], call.entered) == "[3, 1, 2]"


@pytest.mark.parametrize("seed", range(6))
def test_a_second_recording_equals_one_in_a_fresh_process(tmp_path: Path, seed: int) -> None:
    """Random programs: the calls, their arguments and outcomes, and the variables of the module at the end."""
    ran = run(
        tmp_path,
        """
        import sys, wrongcall
        wrongcall.install()
        import mod
        for number in range(3):
            del sys.modules["mod"]
            with wrongcall.record(f"{number}.wrongcall"):
                import mod
        """,
        module=program(seed),
    )
    write_program(tmp_path, "import mod\n")
    done = run_recorded(["prog.py"], tmp_path)
    assert done.returncode == 0, done.stderr
    fresh = _module(ran.outline("trace.wrongcall"))
    assert len(fresh) > 20
    for number in range(3):
        assert _module(ran.outline(f"{number}.wrongcall")) == fresh
        assert _end(ran, f"{number}.wrongcall") == _end(ran, "trace.wrongcall")


def _module(text: str) -> list[str]:
    """Return what is below the body of the module, without the indentation."""
    every = text.splitlines()
    at = next(i for i, line in enumerate(every) if line.strip().startswith("module mod"))
    depth = len(every[at]) - len(every[at].lstrip())
    return [line[depth:] for line in every[at + 1 :]]


def _end(ran: Ran, name: str) -> dict[str, str]:
    recorded = ran.recorded(name)
    with recorded.recording as recording:
        known = recording.states.globals("mod")
        return {n: show(recording, v, None) for n, v in known.items() if not n.startswith("__")}


# -- what the block does is what it does plainly --------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6, 10))
def test_instrumented_code_prints_the_same_recorded_unrecorded_and_plain(
    tmp_path: Path, seed: int
) -> None:
    source = """
        import sys
        if sys.argv[1:] != ["plain"]:
            import wrongcall
            wrongcall.install()
        def show():
            sys.modules.pop("mod", None)
            import mod
            names = sorted(n for n in vars(mod) if not n.startswith("__"))
            print(names, mod.STATE, mod.FUEL, mod.GLOBAL)
            print(sorted(locals()), [f for f in dir(mod.boom.__code__) if "wrong" in f])
            print(mod.boom.__code__.co_varnames, mod.boom.__code__.co_consts)
        show()
        if "wrongcall" in sys.modules:
            with wrongcall.record("f.wrongcall"):
                show()
        else:
            show()
        show()
        """
    ran = run(tmp_path, source, module=program(seed))
    plain = run_python([*WARNINGS, "prog.py", "plain"], tmp_path)
    assert plain.returncode == 0, plain.stderr
    assert ran.stdout == plain.stdout


def test_an_exception_leaves_the_block_and_is_in_the_trace(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        """
        import wrongcall
        wrongcall.install()
        import mod
        try:
            with wrongcall.record("f.wrongcall"):
                mod.fail(3)
        except ValueError as error:
            print(error, error.__notes__ if hasattr(error, "__notes__") else "")
        """,
    )
    assert ran.stdout == "3 \n"
    assert ran.outline() == "fail(n=3) raises ValueError(3)"


def test_objects_die_when_they_would_and_nothing_is_kept_after_the_block(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        """
        import gc, weakref, wrongcall
        wrongcall.install()
        import mod
        from wrongcall.recorder import _native
        for number in range(2):
            with wrongcall.record(f"{number}.wrongcall"):
                account = mod.Account("x" * 1000)
                account.add(1)
                died = weakref.ref(account)
                del account
                print(died() is None)
            print(_native.known_objects())
        """,
    )
    assert ran.stdout == "True\n0\n" * 2


def test_a_process_has_no_more_children_than_without(tmp_path: Path) -> None:
    """A program that waits for any child must not meet the writer."""
    ran = run(
        tmp_path,
        """
        import os, wrongcall
        wrongcall.install()
        import mod
        with wrongcall.record("f.wrongcall"):
            mod.double(1)
            try:
                os.wait()
            except ChildProcessError:
                print("no child")
        """,
    )
    assert ran.stdout == "no child\n"


# -- calls and threads that are running ---------------------------------------------------------------------------


RUNNING = """
import wrongcall

def inner(n):
    return n + 1

def outer(number):
    found = inner(0)
    with wrongcall.record(f"{number}.wrongcall"):
        found = inner(found)
        found = inner(found)
    found = inner(found)
    return found

def recursive(number, depth):
    if depth:
        return recursive(number, depth - 1) + 1
    return outer(number)

def values(n):
    for i in range(n):
        yield inner(i)
"""


def test_calls_that_run_at_the_start_begin_where_they_go_on_and_do_not_end(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        """
        import wrongcall
        wrongcall.install()
        import mod
        print(mod.outer(0), mod.outer(1), mod.recursive(2, 3))
        """,
        module=RUNNING,
    )
    assert ran.stdout == "4 4 7\n"
    expected = """
        outer() unfinished
          inner(n=1) @10 -> 2
          inner(n=2) @11 -> 3
        """
    for number in range(3):
        assert ran.outline(f"{number}.wrongcall") == lines(expected)


def test_generators_that_run_across_recordings_are_calls_of_each(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        """
        import wrongcall
        wrongcall.install()
        import mod
        running = mod.values(5)
        print(next(running))
        for number in range(2):
            with wrongcall.record(f"{number}.wrongcall"):
                print(next(running))
            print(next(running))
        print(list(running))
        """,
        module=RUNNING,
    )
    assert ran.stdout == "1\n2\n3\n4\n5\n[]\n"
    for number, (given, result) in enumerate([(1, 2), (3, 4)]):
        recorded = ran.recorded(f"{number}.wrongcall")
        with recorded.recording:
            call = recorded.call("inner")
            assert [p.value for p in call.args] == [given]
            assert call.value == result
            assert call.parent is not None
            assert [p.value for p in call.parent.yielded] == [result]


def test_threads_that_run_before_and_after_are_recorded_in_between(tmp_path: Path) -> None:
    """Two workers never stop; each call that a trace has is one that they made, whole or cut off by an end."""
    module = """
        import threading, time
        going = [True]
        done = []

        def work(n):
            parts = [n]
            parts.append(n * 2)
            parts.sort(key=lambda x: -x)
            return sum(parts)

        def worker(first):
            n = first
            while going[0]:
                assert work(n) == 3 * n
                n += 2
            done.append(n)
        """
    ran = run(
        tmp_path,
        """
        import threading, time, wrongcall
        wrongcall.install()
        import mod
        threads = [threading.Thread(target=mod.worker, args=(n,)) for n in (0, 1)]
        for thread in threads:
            thread.start()
        for number in range(4):
            with wrongcall.record(f"{number}.wrongcall"):
                mod.work(number)
                time.sleep(0.03)
        mod.going[0] = False
        for thread in threads:
            thread.join()
        print(len(mod.done))
        """,
        module=module,
    )
    assert ran.stdout == "2\n"
    for number in range(4):
        recorded = ran.recorded(f"{number}.wrongcall")
        with recorded.recording:
            begun = [c for c in recorded.calls("work") if not c.continues]
            whole = [c for c in begun if c.outcome == Outcome.RETURNED]
            assert len(whole) > 10
            for call in whole:
                (given,) = call.args
                assert isinstance(given.value, int)
                assert call.value == 3 * given.value
            assert len({c.thread for c in whole}) > 1
            assert number in [c.args[0].value for c in begun]


def test_a_recording_that_begins_and_ends_while_another_thread_sorts(tmp_path: Path) -> None:
    """The key function yields to the main thread, which ends the recording that the sort began in."""
    ran = run(
        tmp_path,
        """
        import threading, wrongcall
        wrongcall.install()
        import mod
        go, gone_on = threading.Event(), threading.Event()
        found = []
        thread = threading.Thread(target=lambda: found.append(mod.arrange(list(range(50)), go, gone_on)))
        with wrongcall.record("0.wrongcall"):
            thread.start()
            gone_on.wait()
        with wrongcall.record("1.wrongcall"):
            go.set()
            thread.join()
            mod.key(1)
        print(found == [list(range(49, -1, -1))])
        """,
        module="""
        def key(n):
            return -n

        def arrange(items, go, gone_on):
            def slow(n):
                if n == 25:
                    gone_on.set()
                    go.wait()
                return key(n)
            items.sort(key=slow)
            return items
        """,
    )
    assert ran.stdout == "True\n"
    assert "key(n=49)" in ran.outline("1.wrongcall")
    assert "key(n=24)" not in ran.outline("1.wrongcall")


# -- processes that fork or die ------------------------------------------------------------------------------------


def test_a_forked_child_runs_unrecorded_and_leaves_the_trace_alone(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        """
        import os, sys, wrongcall
        wrongcall.install()
        import mod
        with wrongcall.record("f.wrongcall"):
            mod.double(1)
            child = os.fork()
            mod.double(2 if child else 3)
        if child:
            os.waitpid(child, 0)
            mod.double(4)
        else:
            with wrongcall.record("child.wrongcall"):
                mod.double(5)
        """,
    )
    assert ran.outline() == "double(x=1) -> 2\ndouble(x=2) -> 4"
    assert ran.outline("child.wrongcall") == "double(x=5) -> 10"


@pytest.mark.parametrize("death", ["os._exit(3)", "os.kill(os.getpid(), 9)"])
def test_a_process_that_dies_in_the_block_leaves_what_it_did(tmp_path: Path, death: str) -> None:
    write = f"""
        import os, wrongcall
        wrongcall.install()
        import mod
        with wrongcall.record("f.wrongcall") as block:
            print(block._writer.pid, flush=True)
            mod.double(1)
            {death}
        """
    ran = run(tmp_path, write, status=3 if "exit" in death else -signal.SIGKILL)
    _wait_for_the_end(int(ran.stdout))
    assert ran.outline() == "double(x=1) -> 2"
    with open_trace(tmp_path / "f.wrongcall") as recording:
        assert recording.meta["ended"] == "killed"


def _wait_for_the_end(pid: int) -> None:
    subprocess.run(["tail", f"--pid={pid}", "-f", os.devnull], timeout=60, check=True)


def test_a_block_goes_on_if_the_writer_is_killed_and_warns_at_its_end(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        """
        import os, warnings, wrongcall
        wrongcall.install()
        import mod
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            with wrongcall.record("f.wrongcall") as block:
                os.kill(block._writer.pid, 9)
                print(len([mod.double(n) for n in range(300_000)]))
            print(told[0].message)
        with wrongcall.record("g.wrongcall"):
            mod.double(1)
        """,
    )
    assert ran.stdout == (
        "300000\nwrongcall: the process that writes the trace was killed; the rest of the block was not recorded\n"
    )
    assert ran.outline("g.wrongcall") == "double(x=1) -> 2"


# -- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source, message",
    [
        (
            """
        with wrongcall.record("f.wrongcall"):
            with wrongcall.record("g.wrongcall"):
                pass
        """,
            "can't record into {0}/g.wrongcall: this process is being recorded into {0}/f.wrongcall",
        ),
        (
            """
        block = wrongcall.record("f.wrongcall")
        with block:
            mod.double(1)
        with block:
            pass
        """,
            "a recording can't be begun twice; call wrongcall.record() for another one",
        ),
        (
            """
        with wrongcall.record("no/f.wrongcall"):
            pass
        """,
            "{0}/no/f.wrongcall: there is no folder {0}/no",
        ),
        (
            """
        with wrongcall.record("f.wrongcall"):
            pass
        """,
            "f.wrongcall has no calls: modules are recorded if they are imported after wrongcall.install()",
        ),
    ],
)
def test_mistakes_are_reported(tmp_path: Path, source: str, message: str) -> None:
    head = "\n        import wrongcall\n        wrongcall.install()\n        import mod"
    ran = run(tmp_path, head + source, status=1)
    assert message.format(tmp_path) in ran.stderr


def test_a_program_that_is_recorded_from_outside_cannot_record_itself(tmp_path: Path) -> None:
    write_program(
        tmp_path, "import wrongcall\nwith wrongcall.record('f.wrongcall'):\n    print('no')\n"
    )
    done = run_recorded(["prog.py"], tmp_path)
    assert done.returncode == 1
    assert "this process is being recorded already, by wrongcall record" in done.stderr
    assert "no\n" not in done.stdout


def test_a_trace_with_answers_is_kept(tmp_path: Path) -> None:
    source = """
        import wrongcall
        wrongcall.install()
        import mod
        with wrongcall.record("f.wrongcall") as block:
            mod.total([1])
        print(block.facts["kept"])
        """
    assert run(tmp_path, source).stdout == "None\n"
    debug = run_python(["-m", "wrongcall", "debug", "f.wrongcall"], tmp_path, input="n\nq\n")
    assert debug.returncode in (0, 1), debug.stderr
    assert run(tmp_path, source).stdout == f"{tmp_path}/f.1.wrongcall\n"


def test_classes_and_objects_from_inside_a_block_work_after_it(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        """
        import wrongcall
        import xml.etree.ElementTree as ET
        from collections import deque
        element = ET.Element("e")
        append = element.append
        with wrongcall.record("f.wrongcall"):
            import mod
            class Queue(deque):
                pass
            class Own(ET.Element):
                pass
            queue, own = Queue([1, 2]), Own("own")
            mod.double(len(element))
            element.append(own)
        queue[0] = 3
        queue += [4]
        del queue[1]
        queue *= 2
        append(ET.Element("f"))
        own.text = "text"
        own.attrib["k"] = "v"
        own[:] = [ET.SubElement(element, "g")]
        print(list(queue), ET.tostring(element).decode())
        """,
    )
    assert ran.stdout == '[3, 4, 3, 4] <e><own k="v">text<g /></own><f /><g /></e>\n'
