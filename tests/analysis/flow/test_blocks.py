"""To which block of its function an event belongs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.analysis.flow.functions import LOOP, function
from wrongcall.analysis.flow.blocks import BlockTable
from wrongcall.events import NO_BLOCK, SITE_LINE, Kind, Scope, SiteKind
from wrongcall.trace.format.program_tables import Function, Program, Site


def _program(made: Function = LOOP, *sites: tuple[int, int, Scope]) -> Program:
    """A function with sites: number, block, scope."""
    program = Program()
    program.functions.add(made.id, made)
    for number, block, scope in sites or [(1, 0, Scope.LOCAL), (3, 2, Scope.LOCAL)]:
        program.sites.add(number, Site(number, SiteKind.WRITE, 1, 2, 0, 2, 9, "x", scope, block))
    return program


def _of(program: Program, kind: Kind, site: int, function: int = 1) -> int:
    table = BlockTable(program)
    found = table.of(function, np.array([kind], np.uint8), np.array([site], np.uint32))
    return int(found[0])


def test_an_event_belongs_to_the_block_of_its_site() -> None:
    assert _of(_program(), Kind.LOCAL, 1) == 0
    assert _of(_program(), Kind.LOCAL, 3) == 2


@pytest.mark.parametrize("site", [0, 2, 77])
def test_sites_that_no_file_describes_are_in_no_block(site: int) -> None:
    assert _of(_program(), Kind.LOCAL, site) == NO_BLOCK


def test_a_site_of_another_function_says_nothing() -> None:
    assert _of(_program(), Kind.LOCAL, 3, function=2) == NO_BLOCK


@pytest.mark.parametrize("kind", [Kind.RAISE, Kind.DROP])
def test_the_end_by_an_exception_enters_no_block(kind: Kind) -> None:
    assert _of(_program(), kind, 3) == NO_BLOCK


def test_a_line_belongs_to_the_test_of_a_loop_if_that_is_all_on_it() -> None:
    assert _of(_program(), Kind.LOCAL, SITE_LINE | 3) == 1
    assert _of(_program(), Kind.LOCAL, SITE_LINE | 4) == NO_BLOCK  # no test of a loop
    shared = function([[3], [3]], silent=(1,))
    assert _of(_program(shared), Kind.LOCAL, SITE_LINE | 3) == NO_BLOCK
    assert _of(_program(), Kind.LOCAL, SITE_LINE | 3, function=2) == NO_BLOCK


def test_functions_are_told_apart_in_a_column_of_calls() -> None:
    table = BlockTable(_program())
    kinds, sites = np.full(2, Kind.LOCAL, np.uint8), np.full(2, SITE_LINE | 3, np.uint32)
    assert table.of(np.array([1, 2]), kinds, sites).tolist() == [1, NO_BLOCK]


def test_the_event_that_begins_a_round_is_known_by_its_kind() -> None:
    table = BlockTable(_program())
    kinds = np.array([Kind.LOCAL, Kind.LOCAL, Kind.ATTR, Kind.BLOCK], np.uint8)
    assert table.begins(kinds, np.array([3, 1, 3, 3], np.uint32)).tolist() == [
        True,
        False,
        False,
        True,
    ]


def test_a_global_loop_variable_begins_rounds_as_an_attribute_of_its_module() -> None:
    table = BlockTable(_program(LOOP, (3, 2, Scope.GLOBAL)))
    kinds = np.array([Kind.LOCAL, Kind.ATTR, Kind.ENTRY], np.uint8)
    assert table.begins(kinds, np.full(3, 3, np.uint32)).tolist() == [False, True, True]
