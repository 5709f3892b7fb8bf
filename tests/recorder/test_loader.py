"""Import hooks of the program: what its loaders make of a module is what runs, and is recorded."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.bothways import (
    TRACE,
    Outcome,
    difference,
    plain,
    recorded,
    runs_the_same,
    write_files,
)

MODULE = """
def f(x):
    y = x + 1
    return y
print('body', f(1))
"""
PROLOGUE = """
import ast, importlib.abc, importlib.machinery, importlib.util, sys
from importlib.machinery import SourceFileLoader

class Finder(importlib.abc.MetaPathFinder):
    def __init__(self, loader):
        self.loader = loader
    def find_spec(self, name, path, target=None):
        if not name.startswith('module'):
            return None
        found = importlib.machinery.PathFinder.find_spec(name, path, target)
        found.loader = self.loader(name, found.origin)
        return found

class AddsTen(ast.NodeTransformer):
    def visit_Constant(self, node):
        if node.value == 1:
            return ast.copy_location(ast.Constant(10), node)
        return node

def transformed(data):
    return ast.fix_missing_locations(AddsTen().visit(ast.parse(data)))
"""
EPILOGUE = """
import module_one
print(module_one.f(5), module_one.__loader__.__class__, module_one.__spec__.cached is not None)
"""
LOADERS = {
    "tree": """
        class Loader(SourceFileLoader):
            def source_to_code(self, data, path, *name, _optimize=-1):
                print('source_to_code', type(data), len(data), _optimize)
                tree = transformed(data)
                code = compile(tree, path, 'exec', dont_inherit=True, optimize=_optimize)
                tree.body.clear()  # nobody else may need it
                return code
    """,
    "static method": """
        class Loader(SourceFileLoader):
            @staticmethod
            def source_to_code(data, path='<string>', *name):
                print('source_to_code')
                return importlib._bootstrap._call_with_frames_removed(
                    compile, transformed(data), path, 'exec', 0, dont_inherit=True)
    """,
    "text": """
        class Loader(SourceFileLoader):
            def source_to_code(self, data, path, *name, _optimize=-1):
                text = data.decode().replace('x + 1', 'x + 100')
                return super().source_to_code(text, path, _optimize=_optimize)
    """,
    "data": """
        class Loader(SourceFileLoader):
            def get_data(self, path):
                print('get_data', path.rpartition('.')[2])
                return super().get_data(path).replace(b'x + 1', b'x + 7')
    """,
    "statistics": """
        class Loader(SourceFileLoader):
            def path_stats(self, path):
                print('path_stats')
                return super().path_stats(path)
            def set_data(self, path, data, *, _mode=0o666):
                print('set_data', len(data))
    """,
    "name of the file": """
        class Loader(SourceFileLoader):
            def get_filename(self, name):
                print('get_filename')
                return super().get_filename(name)
            def source_to_code(self, data, path, *name, _optimize=-1):
                return compile(data, path, 'exec', dont_inherit=True)
    """,
    "own cache": """
        from unittest import mock
        import importlib._bootstrap_external as external
        real = external.cache_from_source
        def elsewhere(path, debug=None, *, optimization=None):
            return real(path, optimization='own')
        class Loader(SourceFileLoader):
            def source_to_code(self, data, path, *name, _optimize=-1):
                return compile(transformed(data), path, 'exec', dont_inherit=True)
            def exec_module(self, module):
                with mock.patch('importlib._bootstrap_external.cache_from_source', elsewhere):
                    super().exec_module(module)
    """,
    "own get_code": """
        class Loader(SourceFileLoader):
            def get_code(self, name):
                print('get_code')
                return super().get_code(name)
            def source_to_code(self, data, path, *name, _optimize=-1):
                return compile(transformed(data), path, 'exec', dont_inherit=True)
    """,
    "no file loader": """
        class Loader(importlib.abc.SourceLoader):
            def __init__(self, name, path):
                self.path = path
            def get_filename(self, name):
                return self.path
            def get_data(self, path):
                with open(path, 'rb') as file:
                    return file.read().replace(b'x + 1', b'x + 3')
    """,
    "patched class": """
        Loader = SourceFileLoader
        def source_to_code(self, data, path, *name, _optimize=-1):
            return compile(transformed(data), path, 'exec', dont_inherit=True)
        SourceFileLoader.source_to_code = source_to_code
    """,
    "inherited futures": """
        source = '''from __future__ import annotations
        def translate(data, path):
            return compile(data + b"\\\\ndef g(x: nothing): pass\\\\nprint(g.__annotations__)", path, "exec")
        '''
        names = {}
        exec(source, names)
        class Loader(SourceFileLoader):
            def source_to_code(self, data, path, *name, _optimize=-1):
                return names['translate'](data, path)
    """,
    "optimized": """
        class Loader(SourceFileLoader):
            def source_to_code(self, data, path, *name, _optimize=-1):
                return compile(data + b'\\nassert False\\nprint(__debug__)', path, 'exec', optimize=2)
    """,
    "own classes of nodes": """
        class Constant(ast.Constant):
            pass
        shared = Constant(10)
        class Shares(ast.NodeTransformer):
            def visit_Constant(self, node):
                return ast.copy_location(shared, node) if node.value == 1 else node
        class Loader(SourceFileLoader):
            def source_to_code(self, data, path, *name, _optimize=-1):
                tree = Shares().visit(ast.parse(data))
                return compile(tree, path, 'exec', dont_inherit=True)
    """,
}


def run_loader(folder: Path, loader: str) -> tuple[Outcome, Outcome]:
    """A plain run, which fills caches, and a recorded one."""
    source = (
        PROLOGUE + textwrap.dedent(loader) + "sys.meta_path.insert(0, Finder(Loader))\n" + EPILOGUE
    )
    write_files(folder, {"prog.py": source, "module_one.py": MODULE})
    return plain(folder, "prog.py"), recorded(folder, "prog.py")


def clear_caches(folder: Path) -> None:
    for path in folder.glob("**/*.pyc"):
        path.unlink()


@pytest.mark.parametrize("name", LOADERS)
def test_modules_from_custom_loaders_are_recorded(tmp_path: Path, name: str) -> None:
    expected, _ = run_loader(tmp_path, LOADERS[name])
    assert expected.status == 0, expected.stderr
    clear_caches(tmp_path)
    actual = recorded(tmp_path, "prog.py")
    assert actual == expected, difference(expected, actual)
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        assert recording.unrecorded == []
        calls = [recording.call(int(number)) for number in recording.calls.columns().id]
        (first, *_) = [call for call in calls if call.function.name == "f"]
        result = int(expected.stdout.split("body ")[1].split()[0])
        assert first.value == result, "what was recorded is not what ran"


@pytest.mark.parametrize("name", ["tree", "own cache", "data"])
def test_a_cache_that_a_plain_run_filled_is_not_in_the_way(tmp_path: Path, name: str) -> None:
    _, _ = run_loader(tmp_path, LOADERS[name])
    actual = recorded(tmp_path, "prog.py")
    assert actual.status == 0, actual.stderr
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        assert recording.unrecorded == []
        assert "f" in {recording.call(int(n)).function.name for n in recording.calls.columns().id}
    again = plain(tmp_path, "prog.py")
    assert again.stdout.splitlines()[-1] == actual.stdout.splitlines()[-1]


CHANGED = """
    class Loader(SourceFileLoader):
        def source_to_code(self, data, path, *name, _optimize=-1):
            code = compile(data, path, 'exec', dont_inherit=True)
            return code.replace(co_consts=tuple(10 if c == 1 else c for c in code.co_consts))
"""


def test_code_changed_after_compiling_runs_plain_with_a_notice(tmp_path: Path) -> None:
    expected, actual = run_loader(tmp_path, CHANGED)
    assert expected.status == 0, expected.stderr
    assert actual.stdout == expected.stdout
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        assert [m.module for m in recording.unrecorded] == ["module_one"]
        assert "f" not in {
            recording.call(int(n)).function.name for n in recording.calls.columns().id
        }
    assert actual.stderr.count("module_one") == 2  # its name and its path


@pytest.mark.parametrize("where", ["source", "loader", "data"])
def test_errors_of_loading_look_the_same(tmp_path: Path, where: str) -> None:
    loaders = {
        "source": "Loader = SourceFileLoader\n",
        "loader": "class Loader(SourceFileLoader):\n"
        "    def source_to_code(self, data, path, *name, _optimize=-1):\n"
        "        raise ValueError('not today')\n",
        "data": "class Loader(SourceFileLoader):\n"
        "    def get_data(self, path):\n"
        "        raise OSError('not today')\n",
    }
    module = "def broken(:\n" if where == "source" else MODULE
    program = (
        PROLOGUE + loaders[where] + "sys.meta_path.insert(0, Finder(Loader))\nimport module_one\n"
    )
    write_files(tmp_path, {"prog.py": program, "module_one.py": module})
    expected, actual = plain(tmp_path, "prog.py"), recorded(tmp_path, "prog.py")
    assert expected.status == 1
    assert actual == expected, difference(expected, actual)


def test_the_import_system_looks_the_same(tmp_path: Path) -> None:
    program = """
        import importlib._bootstrap_external as external, importlib.machinery, inspect, sys
        loader = importlib.machinery.SourceFileLoader
        print(sorted(vars(loader)), sorted(vars(external.SourceLoader)))
        print(compile, type(compile), compile.__name__, compile.__self__.__name__)
        print(inspect.signature(compile))
        if sys.version_info >= (3, 12):  # before, a method of C stands in for it
            print(loader.get_code, loader.get_code.__code__.co_filename)
            print(loader('one', 'one.py').get_code, inspect.signature(loader.get_code))
    """
    assert runs_the_same(tmp_path, program).status == 0
