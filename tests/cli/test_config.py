"""``[tool.wrongcall]`` in pyproject.toml: what it means, and what is said about mistakes in it."""

from __future__ import annotations

import os
import re
from dataclasses import fields
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.bothways import MODULE, TRACE, run, write_files
from wrongcall.cli import config
from wrongcall.cli.config import Settings, read
from wrongcall.errors import UsageError
from wrongcall.session import DEFAULT_STRATEGY
from wrongcall.session.strategies import strategies

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "settings.md").read_text()


def settings(folder: Path, text: str) -> Settings:
    (folder / "pyproject.toml").write_text(text)
    return read(folder)


def test_all_settings_are_read(tmp_path: Path) -> None:
    found = settings(
        tmp_path,
        """
        [tool.wrongcall]
        include = ["requests"]
        exclude = ["tests", "*_pb2.py"]
        trust = ["shop.dates", "Item.*"]
        strategy = "top-down"
        balance = false
        """,
    )
    assert found == Settings(
        ("requests",), ("tests", "*_pb2.py"), ("shop.dates", "Item.*"), "top-down", False
    )


@pytest.mark.parametrize("text", ["", "[tool.other]\nx = 1\n", "[tool.wrongcall]\n"])
def test_missing_settings_have_defaults(tmp_path: Path, text: str) -> None:
    assert settings(tmp_path, text) == Settings() == Settings((), (), (), None, True)


def test_without_a_settings_file_defaults_apply(tmp_path: Path) -> None:
    assert read(tmp_path) == read(tmp_path / "nowhere") == Settings()


@pytest.mark.parametrize("name", sorted(strategies()))
def test_every_strategy_can_be_set(tmp_path: Path, name: str) -> None:
    assert settings(tmp_path, f'[tool.wrongcall]\nstrategy = "{name}"').strategy == name


@pytest.mark.parametrize(
    "line, message",
    [
        ("inclde = []", "[tool.wrongcall] has no key 'inclde'; did you mean 'include'?"),
        ("x = 1", "[tool.wrongcall] has no key 'x'; there are include, exclude, trust, strategy, "),
        ('include = "a"', "[tool.wrongcall] include is 'a'; expected a list of names"),
        ("exclude = [1]", "[tool.wrongcall] exclude is [1]; expected a list of names"),
        ('trust = [""]', "[tool.wrongcall] trust is ['']; expected a list of names"),
        ("balance = 1", "[tool.wrongcall] balance is 1; expected true or false"),
        ('strategy = "best"', "[tool.wrongcall] strategy is 'best'; the strategies are "),
        ("strategy = []", "[tool.wrongcall] strategy is []; the strategies are "),
    ],
)  # fmt: skip
def test_mistakes_in_settings_name_the_file_and_the_key(
    tmp_path: Path, line: str, message: str
) -> None:
    with pytest.raises(UsageError) as error:
        settings(tmp_path, f"[tool.wrongcall]\n{line}\n")
    assert str(error.value).startswith(f"{tmp_path / 'pyproject.toml'}: {message}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "content, message",
    [
        (b"[tool.wrongcall\n", "can't read .*pyproject.toml: Expected "),
        (b"x = '\xff'", "can't read .*pyproject.toml: .*utf-8"),
        (b"tool = 3", "pyproject.toml: tool is 3; expected a table"),
        (b"[tool]\nwrongcall = []", r"pyproject.toml: wrongcall is \[\]; expected a table"),
    ],
)
def test_an_invalid_settings_file_is_an_error_of_one_line(
    tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "pyproject.toml").write_bytes(content)
    with pytest.raises(UsageError, match=message) as error:
        read(tmp_path)
    assert "\n" not in str(error.value)


def test_an_unreadable_settings_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").mkdir()
    with pytest.raises(UsageError, match=r"can't read .*pyproject\.toml: "):
        read(tmp_path)


# -- recording -------------------------------------------------------------------------------------


def recorded_modules(folder: Path, *options: str) -> set[str]:
    done = run([*MODULE, "record", "-o", TRACE, *options, "prog.py"], folder)
    assert done.status == 0, done.stderr
    with wrongcall.recording.open(folder / TRACE) as recording:
        return {file.module for file in recording.program.files.values()}


def test_record_takes_include_and_exclude_from_the_project(tmp_path: Path) -> None:
    write_files(tmp_path, "import one, two, tabnanny, colorsys\n")
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text("x = 1\n")
    assert recorded_modules(tmp_path) == {"__main__", "one", "two"}
    (tmp_path / "pyproject.toml").write_text(
        '[tool.wrongcall]\ninclude = ["tabnanny"]\nexclude = ["one.py"]\n'
    )
    assert recorded_modules(tmp_path) == {"__main__", "two", "tabnanny"}
    more = ["--include", "colorsys", "--exclude", "two"]
    assert recorded_modules(tmp_path, *more) == {"__main__", "tabnanny", "colorsys"}


def test_a_mistake_keeps_record_from_starting(tmp_path: Path) -> None:
    write_files(tmp_path, "print('ran')\n")
    (tmp_path / "pyproject.toml").write_text("[tool.wrongcall]\ninclude = 1\n")
    done = run([*MODULE, "record", "prog.py"], tmp_path)
    assert (done.status, done.stdout) == (2, "")
    assert re.fullmatch(
        r"wrongcall: .*pyproject.toml: \[tool.wrongcall\] include .*\n", done.stderr
    )


# -- the page --------------------------------------------------------------------------------------


def test_every_key_is_described() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE))
    assert list(rows) == [field.name for field in fields(Settings)]
    assert all(f"`{name}`" in rows["strategy"] for name in strategies())
    assert f"`{DEFAULT_STRATEGY}` (the default)" in rows["strategy"]


def test_the_example_on_the_page_works(tmp_path: Path) -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    found = settings(tmp_path, block)
    assert all(getattr(found, f.name) != f.default for f in fields(Settings))


class Opened:
    """A trace that says where its project is."""

    def __init__(self, path: Path, root: object) -> None:
        self.path = path
        self.meta = {"root": root}


def test_settings_are_read_only_near_the_user_or_the_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("here", "elsewhere", "mail/attached"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "pyproject.toml").write_text("[tool.wrongcall]\nbalance = false\n")
    monkeypatch.chdir(tmp_path / "here")
    trace = tmp_path / "mail" / "x.wrongcall"

    def balance(root: object) -> bool:
        return config.of_recording(Opened(trace, root)).balance  # type: ignore[arg-type]

    assert not balance(str(tmp_path / "here")), "where the user is"
    assert not balance(str(tmp_path / "mail" / "attached")), "below where the trace is"
    assert balance(str(tmp_path / "elsewhere"))
    (tmp_path / "mail" / "link").symlink_to(tmp_path / "elsewhere")
    for root in (str(tmp_path / "mail" / "link"), "../elsewhere", "\0", 5, None, "x" * 10_000):
        assert balance(root)


def test_settings_in_a_pipe_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pyproject.toml")
    with pytest.raises(UsageError, match="not a regular file"):
        config.read(tmp_path)
