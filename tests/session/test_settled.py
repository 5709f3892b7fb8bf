"""Bodies of modules and classes, and what reporting code calls, are not asked about by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.bothways import run, write_files
from tests.session.truth import advanced
from wrongcall.recording import Recording
from wrongcall.session import Finding, Question, Verdict
from wrongcall.session.answers import Part, Where
from wrongcall.session.search import How, Search
from wrongcall.tree.states import NodeState

PROGRAM = {
    "prog.py": """
        import shapes

        class Kept:
            limit = 3

        def area(n):
            return shapes.square(n)

        def main():
            return [area(n) for n in (1, 2, 3)]

        main()
    """,
    "shapes.py": """
        def prepared():
            return 4

        class Square:
            sides = prepared()

        class Cube:
            sides = 6

        def square(n):
            return n * Square.sides
    """,
}
Record = Callable[[Mapping[str, str]], Recording]


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """Record a program and open its trace."""

    def opened(files: Mapping[str, str]) -> Recording:
        write_files(tmp_path, files)
        run(["-m", "wrongcall", "record", "-o", "x.wrongcall", "prog.py"], tmp_path)
        return wrongcall.recording.open(tmp_path / "x.wrongcall")

    return opened


def asked(search: Search, verdict: Verdict = Verdict.DONT_KNOW) -> list[str]:
    """Answer the same to every question; return the names of all functions that were asked about."""
    names: list[str] = []
    while isinstance(step := advanced(search), Question):
        calls = [search.recording.call(call) for call in step.calls]
        names += [call.function.qualname for call in calls]
        search.session.answer(verdict)
    return names


@pytest.mark.parametrize("balance", [True, False])
def test_definitions_are_not_asked_about_but_what_they_call_is(
    record: Record, balance: bool
) -> None:
    with record(PROGRAM) as recording, Search(recording, How(balance=balance)) as search:
        search.assume_wrong()
        assert set(asked(search)) == {"prepared", "area", "square", "main"}


@pytest.mark.parametrize("balance", [True, False])
def test_definitions_can_be_asked_for(record: Record, balance: bool) -> None:
    how = How(balance=balance, ask_definitions=True)
    with record(PROGRAM) as recording, Search(recording, how) as search:
        search.assume_wrong()
        names = set(asked(search))
        assert {"Kept", "Square", "Cube", "prepared", "main"} < names
        kinds = {f.kind for f in recording.program.functions.values() if f.qualname in names}
        assert "module" in kinds


def test_lists_contain_no_definitions(record: Record) -> None:
    names = ["Kept", *(f"Kept{i}" for i in range(20))]
    body = "\n".join(f"class {name}:\n    x = 1" for name in names) + "\n"
    with record({"prog.py": body}) as recording, Search(recording) as search:
        search.assume_wrong()
        assert isinstance(advanced(search), Finding)
        assert recording.calls.count == len(names) + 1


def test_definitions_that_raised_are_asked_about(record: Record) -> None:
    program = {
        "prog.py": """
            try:
                import broken
            except ValueError:
                pass
            try:
                class Half:
                    x = 1 / 0
            except ZeroDivisionError:
                pass
        """,
        "broken.py": "raise ValueError\n",
    }
    with record(program) as recording, Search(recording) as search:
        search.assume_wrong()
        names = asked(search)
        assert sorted(recording.program.functions[f].kind for f in recording.program.functions) == [
            "class"
        ] + 2 * ["module"]
        assert len(names) == 2


def test_the_main_module_is_not_treated_as_a_definition(record: Record) -> None:
    with record(PROGRAM) as recording, Search(recording) as search:
        search.assume_wrong()
        asked(search, Verdict.RIGHT)
        step = advanced(search)
        assert isinstance(step, Finding)
        assert step.calls == (1,)


def test_trust_that_is_taken_back_leaves_definitions_trusted(record: Record) -> None:
    with record(PROGRAM) as recording, Search(recording) as search:
        search.assume_wrong()
        session = search.session
        before = session.suspects.state.copy()
        square = next(
            recording.calls.of_functions(
                [f.id for f in recording.program.functions.values() if f.name == "square"]
            )
        )
        session.judge(square, Verdict.TRUST_MODULE)
        assert (session.suspects.state == NodeState.TRUSTED).sum() > (
            before == NodeState.TRUSTED
        ).sum()
        session.undo()
        assert (session.suspects.state == before).all()


def test_a_wrong_part_leads_to_the_definition_that_made_it(record: Record) -> None:
    program = {
        "prog.py": "import rates\n\nrates.total()\n",
        "rates.py": "LOW = [1, 2]\n\ndef total():\n    return LOW\n",
    }
    with record(program) as recording, Search(recording) as search:
        search.assume_wrong()
        step = advanced(search)
        assert isinstance(step, Question)
        assert recording.call(step.calls[0]).function.qualname == "total"
        search.session.answer(Verdict.WRONG_PART, part=Part(Where.INPUT, "LOW"))
        step = advanced(search)
        assert isinstance(step, Question)
        function = recording.call(step.calls[0]).function
        assert (function.kind, recording.program.files[function.file].module) == ("module", "rates")


REPORTED = {
    "prog.py": """
        class Wrong(Exception):
            def __str__(self):
                return text(self)

        def text(error):
            return "wrong"

        def fail():
            raise Wrong()

        fail()
    """
}


def test_methods_called_by_a_traceback_are_not_roots(record: Record) -> None:
    with record(REPORTED) as recording, Search(recording) as search:
        roots = [call.function.name for call in recording.calls.roots()]
        assert roots[0] != "__str__"
        assert "__str__" in roots[1:]
        search.assume_wrong()
        assert len(search.session.entries) == 1
        assert asked(search) == ["fail"]


def test_a_repr_that_the_program_calls_is_asked_about(record: Record) -> None:
    program = {
        "prog.py": """
            class Named:
                def __repr__(self):
                    return "named"

            print(repr(Named()))
        """
    }
    with record(program) as recording, Search(recording) as search:
        search.assume_wrong()
        assert asked(search) == ["Named.__repr__"]
