"""Interpreters say what they are; whatever else is run is described in a few words."""

from __future__ import annotations

import os
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from tests.interpreters.fakes import ANSWER, answering, script
from wrongcall.interpreters.cache import Cache
from wrongcall.interpreters.probe import ProbeError, facts_of


def test_an_interpreter_says_what_it_is(cache: Cache) -> None:
    facts = facts_of(sys.executable, cache)
    version = tuple(sys.version_info[:3])
    assert (facts.name, facts.version, facts.text) == ("CPython", version, sys.version)
    assert facts.suffix == sysconfig.get_config_var("EXT_SUFFIX")
    assert facts.compiler == sysconfig.get_config_var("CC")
    assert sysconfig.get_path("include") in facts.include
    assert not facts.free_threaded


def test_the_users_folder_and_settings_do_not_matter(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "platform", "sysconfig", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert facts_of(sys.executable, cache).name == "CPython"


def test_the_answer_is_kept_until_the_file_changes(cache: Cache, tmp_path: Path) -> None:
    link = tmp_path / "python"
    link.symlink_to(os.path.realpath(sys.executable))
    assert facts_of(str(link), cache).name == "CPython"
    (name,) = (p.name for p in cache.folders[0].iterdir())
    kept = cache.read(name)
    assert kept is not None
    cache.keep(name, kept.replace(b'"CPython"', b'"Kept"'))
    assert facts_of(str(link), cache).name == "Kept"
    link.unlink()
    link.symlink_to(answering(tmp_path / "second", name="Second"))
    assert facts_of(str(link), cache).name == "Second"


def test_a_script_is_asked_every_time(cache: Cache, tmp_path: Path) -> None:
    fake = answering(tmp_path / "python")
    before = Path(fake).stat()
    assert facts_of(fake, cache).version == (3, 13, 1)
    answering(tmp_path / "python", version=[3, 14, 1])
    os.utime(fake, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert facts_of(fake, cache).version == (3, 14, 1)


def test_an_answer_after_other_output_counts(cache: Cache, tmp_path: Path) -> None:
    real = answering(tmp_path / "real")
    noisy = script(tmp_path / "python", f"echo loading; echo warning >&2; exec {real}")
    assert facts_of(noisy, cache).title == "CPython 3.13.1"


NO_ANSWER = "does not answer like a Python interpreter"


@pytest.mark.parametrize(
    "text, message",
    [
        ("exit 3", "does not start: exit status 3"),
        ("echo oh no >&2; exit 1", "does not start: exit status 1: oh no"),
        ("kill -SEGV $$", "does not start: killed by SIGSEGV"),
        ("echo hello", NO_ANSWER),
        ("true", NO_ANSWER),
        ("cat /bin/sh", NO_ANSWER),
        ("yes", NO_ANSWER),
        ("echo 'wrongcall answer {'", NO_ANSWER),
        ("echo 'wrongcall answer []'", NO_ANSWER),
        ("""echo 'wrongcall answer {"name": 3}'""", NO_ANSWER),
    ],
)
def test_anything_else_is_described(cache: Cache, tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ProbeError) as raised:
        facts_of(script(tmp_path / "python", text), cache)
    assert str(raised.value) == message
    assert not list(tmp_path.glob("cache/probe*"))


@pytest.mark.parametrize("field", ANSWER)
@pytest.mark.parametrize("value", [None, 7, [None], {}], ids=repr)
def test_an_answer_with_a_wrong_field_is_none(
    cache: Cache, tmp_path: Path, field: str, value: object
) -> None:
    with pytest.raises(ProbeError, match=NO_ANSWER):
        facts_of(answering(tmp_path / "python", **{field: value}), cache)


@pytest.mark.parametrize(
    "text",
    ["sleep 600", "sleep 600 & sleep 600", "exec >/dev/null 2>&1; sleep 600", "sleep 600 & exit"],
)
def test_one_that_hangs_is_ended(cache: Cache, tmp_path: Path, text: str) -> None:
    note = f"echo $$ > {tmp_path}/pid"
    with pytest.raises(ProbeError, match="did not answer within 2 seconds"):
        facts_of(script(tmp_path / "python", f"{note}; {text}"), cache, limit=2)
    group = int((tmp_path / "pid").read_text())
    while any(_group(process) == group for process in Path("/proc").glob("[0-9]*/stat")):
        time.sleep(0.01)  # it has been killed, and the test's own time limit applies


def _group(stat: Path) -> int | None:
    """Return the process group of a process that is alive."""
    try:
        state, _, group = stat.read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return None
    return int(group) if state != "Z" else None


def test_a_file_that_cannot_be_run_is_described(cache: Cache, tmp_path: Path) -> None:
    path = tmp_path / "python"
    path.write_bytes(b"\x7fELF nothing")
    path.chmod(0o755)
    with pytest.raises(ProbeError, match="can't be run: Exec format error"):
        facts_of(str(path), cache)
