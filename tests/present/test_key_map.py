"""One key means one thing, and the docs and the page say so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import write_keys

from wrongcall.present.key_map import (
    FINDING,
    KEYS,
    PAGE,
    PLACES,
    QUESTION,
    USUAL_VERDICTS,
    VERDICTS,
    keys_at,
    name_of,
)
from wrongcall.present.question_parts import GROUP_PARTS, QUESTION_PARTS
from wrongcall.session import Verdict

DOCS = Path(__file__).parents[2] / "docs" / "reference"
TERMINAL = (DOCS / "terminal.md").read_text(encoding="utf-8")
PAGE_DOC = (DOCS / "page.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (.+?) \| `([a-z-]+)` \| (.+) \|$", re.MULTILINE)


def test_a_key_means_one_command_and_a_command_has_one_key() -> None:
    commands: dict[str, str] = {}
    keys: dict[str, str] = {}
    for key in KEYS:
        assert commands.setdefault(key.key, key.command) == key.command, key
        assert keys.setdefault(key.command, key.key) == key.key, key


@pytest.mark.parametrize("place", PLACES)
def test_each_view_uses_a_key_once(place: str) -> None:
    pressed = [key.key for key in keys_at(place)]
    assert len(pressed) == len(set(pressed))
    assert pressed


def test_keys_can_be_typed_and_piped() -> None:
    for key in KEYS:
        assert len(key.key) == 1
        assert key.key != "#", "begins a comment in a pipe"
        assert re.fullmatch("[a-z]+(-[a-z]+)*", key.command)
        assert set(key.places) <= set(PLACES)


def rows(text: str) -> list[tuple[str, str, str]]:
    """The rows of the tables of keys: key, command, what it does."""
    return [(key.strip("`"), command, does) for key, command, does in ROW.findall(text)]


def test_the_keys_of_a_question_are_those_of_terminal_md() -> None:
    written = rows(TERMINAL.partition("## A question")[2].partition("## By pipe")[0])
    known = [(name_of(key.key), key.command) for key in keys_at(QUESTION)]
    assert [(key, command) for key, command, _ in written] == known
    for (_, _, does), key in zip(written, keys_at(QUESTION), strict=True):
        assert does.startswith(key.help), key


def test_the_keys_of_a_finding_are_in_terminal_md() -> None:
    written = rows(TERMINAL.partition("## The finding")[2].partition("##")[0])
    shared = {key.key for key in keys_at(QUESTION) if key in keys_at(FINDING)}
    own = [key for key in keys_at(FINDING) if key.key not in shared]
    assert written == [(key.key, key.command, key.help) for key in own]


def test_the_keys_of_the_page_are_those_of_page_md() -> None:
    text = PAGE_DOC.partition("## Keys")[2].partition("\n##")[0]
    written = re.findall(r"^\| `(.)` \| (.+) \|$", text, re.MULTILINE)
    assert written == [(key.key, key.help) for key in keys_at(PAGE)]


def test_the_page_has_the_map() -> None:
    assert write_keys.TARGET.read_text(encoding="utf-8") == write_keys.source()


def test_the_page_names_every_command_it_acts_on() -> None:
    """Every command of the page is handled by its name, so that no key is written there by hand."""
    sources = "".join(
        path.read_text(encoding="utf-8") for path in write_keys.TARGET.parent.rglob("*.ts*")
    )
    assert re.findall(r"<Key>([^{])</Key>", sources) == []
    used = set(re.findall(r"\[KEYS\.(\w+)\]:", sources))
    keys, _, _ = write_keys.source().partition("export const KEYS")[2].partition("}")
    assert used == set(re.findall(r"^  (\w+): ", keys, re.MULTILINE))


@pytest.mark.parametrize("place", [QUESTION, PAGE])
def test_every_verdict_has_a_key_where_it_can_be_given(place: str) -> None:
    commands = {key.command for key in keys_at(place)}
    assert set(VERDICTS) | {"part"} <= commands
    assert set(VERDICTS.values()) | {Verdict.WRONG_PART} == set(Verdict)
    assert set(USUAL_VERDICTS) <= set(VERDICTS)


def test_texts_of_buttons_are_written_once() -> None:
    """No text of an answer's button, or of a part's title, is repeated in the page's sources."""
    labels = [key.label for key in keys_at(PAGE) if key.command in VERDICTS]
    texts = [f"{label[0].upper()}{label[1:]}" for label in labels]
    titles = [part.title for part in (*QUESTION_PARTS, *GROUP_PARTS) if part.title]
    parts = (write_keys.TARGET.parent / "question").glob("*.tsx")
    for path in (each for each in parts if not each.name.endswith(".test.tsx")):
        source = path.read_text(encoding="utf-8")
        written = [
            t for t in (*texts, *titles) if re.search(rf'[">]\s*{re.escape(t)}\s*["<]', source)
        ]
        assert written == [], path.name
