"""Instrumented code of earlier runs: what is used again, and what is not."""

from __future__ import annotations

import json
import marshal
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wrongcall.recorder import _native, code_cache, instrument, statements
from wrongcall.recorder.instrument import Made
from wrongcall.recorder.scopes import analyse
from wrongcall.recorder.sites import FileTable

SOURCE = b"def f(a, *, b=2):\n    for i in range(a):\n        b += i\n    return [b, (1, 'x')]\n"
PATH = "/program/prog.py"

Sent = list[tuple[dict[str, Any], bytes]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a cache folder for this test only."""
    monkeypatch.setattr(code_cache, "_folder", [])
    monkeypatch.setattr(code_cache, "_recorder", [])
    code_cache.use(str(tmp_path), str(Path(code_cache.__file__).parent) + os.sep)
    return tmp_path


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What is handed over: descriptions of files, and entries."""
    found: Sent = []
    monkeypatch.setattr(
        _native, "meta", lambda text, more=b"": found.append((json.loads(text), more))
    )
    return found


def made(source: bytes = SOURCE, optimize: int = -1, path: str = PATH) -> Made:
    plain = compile(source, path, "exec", dont_inherit=True, optimize=optimize)
    return Made(plain, source, None, optimize)


def kept(folder: Path, sent: Sent, source: bytes = SOURCE) -> Path:
    """Instrument a file and keep its entry, as the process that writes the trace does."""
    instrument.instrument(made(source), PATH, "prog")
    name, _, content = sent[-1][1].partition(b"\0")
    path = folder / name.decode()
    path.write_bytes(content)
    path.chmod(0o600)
    return path


@pytest.fixture
def rewrites(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry for each file that is rewritten, which one from the cache is not."""
    done: list[str] = []
    original = statements.Statements.module

    def counted(self: statements.Statements, tree: Any) -> Any:
        done.append("rewritten")
        return original(self, tree)

    monkeypatch.setattr(statements.Statements, "module", counted)
    return done


def test_a_file_is_rewritten_once_and_described_the_same_each_time(
    folder: Path, sent: Sent, rewrites: list[str]
) -> None:
    kept(folder, sent)
    instrument.instrument(made(), PATH, "prog")
    assert rewrites == ["rewritten"]
    (first, entry), (second, no_entry) = sent
    assert entry
    assert not no_entry
    numbers = ("file", "first_function", "first_site")
    assert {k: v for k, v in first.items() if k not in numbers} == {
        k: v for k, v in second.items() if k not in numbers
    }
    assert second["first_site"] == first["first_site"] + len(first["sites"]["kind"])


def test_code_from_the_cache_is_the_code_that_was_compiled(folder: Path, sent: Sent) -> None:
    path = kept(folder, sent)
    tree: Any = _native.compile(SOURCE, PATH, instrument.ONLY_AST, -1)
    table = FileTable()
    statements.Statements(table, analyse(tree), set()).module(tree)
    compiled = _native.compile(tree, PATH, 0, -1)
    _, (code, *_) = marshal.loads(path.read_bytes()[code_cache.HASH_BYTES :])
    assert code == compiled
    assert code.co_filename == PATH


def test_a_function_from_the_cache_runs(folder: Path, sent: Sent, rewrites: list[str]) -> None:
    kept(folder, sent)
    names: dict[str, Any] = {}
    exec(instrument.instrument(made(), PATH, "prog"), names)
    assert names["f"](3) == [5, (1, "x")]
    assert rewrites == ["rewritten"]


CHANGES: dict[str, Callable[[], Made]] = {
    "another source": lambda: made(SOURCE + b"x = 1\n"),
    "another level of optimisation": lambda: made(optimize=2),
    "a future": lambda: made(b"from __future__ import annotations\n" + SOURCE),
}


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_is_used_for_a_file_that_would_be_compiled_otherwise(
    folder: Path, sent: Sent, rewrites: list[str], change: str
) -> None:
    kept(folder, sent)
    instrument.instrument(CHANGES[change](), PATH, "prog")
    assert rewrites == ["rewritten", "rewritten"]


def test_nothing_is_used_that_another_recorder_made(
    folder: Path, sent: Sent, rewrites: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(folder, sent)
    monkeypatch.setattr(code_cache, "_recorder", [("another",)])
    instrument.instrument(made(), PATH, "prog")
    assert rewrites == ["rewritten", "rewritten"]


def test_a_changed_module_of_the_recorder_is_another_recorder(tmp_path: Path) -> None:
    own = Path(code_cache.__file__).parent
    for path in own.glob("*.py"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    before = code_cache._version(f"{tmp_path}/")
    assert code_cache._version(f"{tmp_path}/") == before
    for path in tmp_path.glob("*.py"):
        os.utime(path, ns=(1, 1))
        assert code_cache._version(f"{tmp_path}/") != before
        before = code_cache._version(f"{tmp_path}/")


def test_another_native_core_is_another_recorder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = f"{Path(code_cache.__file__).parent}/"
    before = code_cache._version(own)
    core = tmp_path / "core.so"
    core.write_bytes(Path(_native.__file__).read_bytes())
    os.utime(core, ns=(Path(_native.__file__).stat().st_atime_ns, 1))
    monkeypatch.setattr(_native, "__file__", str(core))
    built = code_cache._version(own)
    assert built != before
    core.write_bytes(core.read_bytes() + b"\0")
    os.utime(core, ns=(1, 1))
    assert code_cache._version(own) != built


def test_what_a_loader_made_from_a_tree_is_not_kept(folder: Path, sent: Sent) -> None:
    tree: Any = _native.compile(SOURCE, PATH, instrument.ONLY_AST, -1)
    instrument.instrument(Made(compile(SOURCE, PATH, "exec"), None, tree, -1), PATH, "prog")
    assert [entry for _, entry in sent] == [b""]


def test_without_a_folder_nothing_is_kept(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_cache, "_folder", [])
    instrument.instrument(made(), PATH, "prog")
    assert [entry for _, entry in sent] == [b""]


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _other_owner(path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    os.chown(path, 12345, -1)


def _link(path: Path) -> None:
    path.rename(path.with_suffix(".real"))
    path.symlink_to(path.with_suffix(".real"))


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


DAMAGE: dict[str, Callable[[Path], None]] = {
    "one bit": _flip,
    "cut": _cut,
    "cut to nothing": _empty,
    "its group can write it": lambda path: path.chmod(0o620),
    "everybody can write it": lambda path: path.chmod(0o602),
    "somebody else owns it": _other_owner,
    "a link": _link,
    "a folder": _folder,
    "a pipe": _pipe,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_file_that_is_damaged_or_not_ours_is_not_used(
    folder: Path, sent: Sent, rewrites: list[str], damage: str
) -> None:
    DAMAGE[damage](kept(folder, sent))
    names: dict[str, Any] = {}
    exec(instrument.instrument(made(), PATH, "prog"), names)
    assert rewrites == ["rewritten", "rewritten"]
    assert names["f"](3) == [5, (1, "x")]


def test_an_audit_hook_hears_of_the_object_but_of_no_file(folder: Path, sent: Sent) -> None:
    kept(folder, sent)
    key = code_cache.cache_key(made(), PATH, 0)
    assert key is not None
    heard: list[str] = []
    active = [True]

    def hook(event: str, _: Any) -> None:  # hooks cannot be removed
        if active and not event.startswith("object.__getattr__"):
            heard.append(event)

    sys.addaudithook(hook)
    try:
        assert code_cache.cached(key) is not None
    finally:
        active.clear()
    assert heard == ["marshal.loads"]  # where instrumenting anew would raise "compile" twice
