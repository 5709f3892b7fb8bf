"""What is different in a reference, compared with a recorded run."""

from __future__ import annotations

import textwrap
from pathlib import Path

from tests.recorder.conftest import Record
from wrongcall.oracles.reference.changes import Changes, changes_of
from wrongcall.oracles.reference.version import Version
from wrongcall.recording import Recording

FILES = {
    "shop/__init__.py": "",
    "shop/prices.py": "def taxed(n):\n    return n * 2\n\n\ndef untaxed(n):\n    return n\n",
    "tests/helper.py": "class Fake:\n    pass\n",
    "prog.py": """
        def early():
            return 1

        early()
        import sys
        sys.path.insert(0, "tests")
        import helper
        from shop import prices

        def main():
            return prices.taxed(1) + prices.untaxed(2)

        main()
        """,
}


def write(folder: Path, *changes: tuple[str, str, str]) -> Path:
    """Write the shop, with some texts replaced."""
    for name, source in FILES.items():
        text = textwrap.dedent(source)
        for changed, old, new in changes:
            if changed == name:
                assert text.count(old) == 1, old
                text = text.replace(old, new)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def recorded(record: Record, folder: Path) -> Recording:
    """Record the shop."""
    write(folder)
    return record(FILES["prog.py"]).recording


def named(recording: Recording, changes: Changes) -> set[str]:
    """Return the names of the functions that have changed."""
    return {recording.program.functions[number].qualname for number in changes.functions}


def test_the_same_program_has_no_changes(record: Record, tmp_path: Path) -> None:
    recording = recorded(record, tmp_path)
    found = changes_of(recording, Version(write(tmp_path / "good"), "v1"))
    assert found == Changes(frozenset(), frozenset(), frozenset(), recording.event_count, "")


def test_changed_functions_are_found(record: Record, tmp_path: Path) -> None:
    recording = recorded(record, tmp_path)
    good = write(tmp_path / "good", ("shop/prices.py", "n * 2", "(n for n in [2])"))
    found = changes_of(recording, Version(good, "v1"))
    assert named(recording, found) == {"taxed", "<module>"}
    assert found.why == ""
    assert not found.generators  # the recorded function has none


def test_a_module_that_defines_something_else_counts_from_when_it_was_loaded(
    record: Record, tmp_path: Path
) -> None:
    recording = recorded(record, tmp_path)
    good = write(tmp_path / "good", ("shop/prices.py", "untaxed(n)", "untaxed(n=1)"))
    found = changes_of(recording, Version(good, "v1"))
    assert found.why == "shop.prices defines something else"
    calls = [recording.call(n) for n in recording.calls.columns().id.tolist()]
    (body,) = (c for c in calls if recording.program.files[c.function.file].module == "shop.prices"
               and c.function.kind == "module")  # fmt: skip
    assert found.since == body.entry
    (early,) = (c for c in calls if c.function.name == "early")
    assert early.exit < found.since


def test_a_module_that_is_missing_or_cannot_be_compiled_counts(
    record: Record, tmp_path: Path
) -> None:
    recording = recorded(record, tmp_path)
    good = write(tmp_path / "good", ("shop/prices.py", "return n * 2", "return ("))
    assert changes_of(recording, Version(good, "v1")).why == "shop.prices is missing"
    (good / "shop" / "prices.py").unlink()
    found = changes_of(recording, Version(good, "v1"))
    assert found.why == "shop.prices is missing"
    assert named(recording, found) == {"<module>", "taxed", "untaxed"}


def test_what_tests_define_is_given(record: Record, tmp_path: Path) -> None:
    recording = recorded(record, tmp_path)
    good = write(tmp_path / "good", ("tests/helper.py", "class Fake", "class Fake(dict)"))
    found = changes_of(recording, Version(good, "v1"))
    assert named(recording, found) == {"<module>"}
    assert found.why == ""
    (good / "tests" / "helper.py").unlink()
    assert changes_of(recording, Version(good, "v1")).why == ""


def test_a_different_file_of_data_counts_from_the_beginning(record: Record, tmp_path: Path) -> None:
    recording = recorded(record, tmp_path)
    good = write(tmp_path / "good")
    (good / "shop" / "rates.json").write_text("{}")
    found = changes_of(recording, Version(good, "v1"))
    assert (found.since, found.why) == (0, "shop/rates.json differs")


def test_a_file_stands_for_the_main_program_alone(record: Record, tmp_path: Path) -> None:
    recording = record("def f():\n    return 1\n\n\nf()\n").recording
    other = tmp_path / "other"
    other.mkdir()
    (other / "rates.json").write_text("{}")
    (other / "fixed.py").write_text("def f():\n    return 2\n\n\nf()\n")
    found = changes_of(recording, Version(other / "fixed.py", "fixed.py"))
    assert named(recording, found) == {"<module>", "f"}
    assert found.why == ""


def test_of_a_release_only_the_package_is_compared(record: Record, tmp_path: Path) -> None:
    recording = recorded(record, tmp_path)
    good = write(tmp_path / "good", ("shop/prices.py", "n * 2", "n * 3"))
    for name in ("prog.py", "tests/helper.py"):
        (good / name).unlink()
    (good / "tests").rmdir()
    release = Version(good, "shop==1", is_release=True)
    found = changes_of(recording, release)
    assert named(recording, found) == {"taxed", "<module>"}
    assert found.why == ""
    (good / "shop" / "native.so").write_text("")
    assert changes_of(recording, release).why == "shop/native.so differs"


def test_a_release_that_was_not_recorded_says_nothing(record: Record, tmp_path: Path) -> None:
    recording = recorded(record, tmp_path)
    good = tmp_path / "good"
    (good / "requests").mkdir(parents=True)
    found = changes_of(recording, Version(good, "requests==1", is_release=True))
    assert (found.since, found.why) == (0, "requests was not recorded")
