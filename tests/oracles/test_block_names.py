"""Blocks keep their names in other versions of a program, unless they are changed themselves."""

from __future__ import annotations

from tests.trace.conftest import Record
from wrongcall.oracles.block_names import BlockNames

BEFORE = """
def pick(n):
    if n > 0:
        n = n + 1
    elif n < -5:
        n = 0
    else:
        n = n - 1
    return n

pick(1)
"""
AFTER = """
import sys

if sys:
    def pick(n):
        if n > 0:
            n = n + 1
        elif n < -5:
            n = 1
        else:
            n = n - 1
        return n

pick(1)
"""
TWINS = """
def pick(n):
    if n > 0:
        n = 1
    if n > 2:
        n = 1
    return n

pick(1)
"""


def names(record: Record, text: str) -> list[bytes]:
    run = record(text)
    return list(BlockNames(run.recording).of(run.call("pick").function.id))


def test_only_a_changed_block_gets_a_new_name(record: Record) -> None:
    before, after = names(record, BEFORE), names(record, AFTER)
    changed = [number for number, name in enumerate(before) if name != after[number]]
    assert len(before) == len(after) == len(set(before))
    assert len(changed) == 1


def test_blocks_with_the_same_text_have_different_names(record: Record) -> None:
    found = names(record, TWINS)
    assert len(found) == len(set(found)) > 3


def test_functions_without_a_portable_name_have_no_blocks_with_names(record: Record) -> None:
    run = record(BEFORE)
    module = next(f.id for f in run.recording.program.functions.values() if f.kind == "module")
    assert BlockNames(run.recording).of(module) == ()
