from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError
from wrongcall.events import Kind, Layout, Scope, SiteKind, Tag
from wrongcall.trace.format.program_tables import Site, SiteColumns, Sites, Table


def test_the_program_is_there_as_it_was_described(tmp_path: Path) -> None:
    emitter = Emitter()
    function = {
        "name": "add",
        "qualname": "Cart.add",
        "line": 3,
        "end_line": 8,
        "params": ["self", "item"],
        "free": ["tax"],
        "locals": ["self", "item", "sum"],
        "blocks": [[4, 5], [6]],
    }
    sites = [(SiteKind.ENTRY, 1, 3), (SiteKind.WRITE, 1, 5, "sum", 1, Scope.NONLOCAL)]
    emitter.file([function], sites, source="class Cart:\n    ...\n", module="shop.cart")
    emitter.type("Cart", Layout.INSTANCE)
    emitter.name("items")
    emitter.event(Kind.THREAD, key=(Tag.INT, 4711), value=(Tag.INT, 1))
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.program.files[1].module == "shop.cart"
        assert recording.program.files[1].source == "class Cart:\n    ...\n"
        add = recording.program.functions[1]
        assert (add.qualname, add.line, add.end_line, add.outer) == ("Cart.add", 3, 8, 0)
        assert (add.params, add.free) == (("self", "item"), ("tax",))
        assert add.blocks == ((4, 5), (6,))
        site = recording.program.sites[2]
        assert (site.kind, site.scope, site.name) == (SiteKind.WRITE, Scope.NONLOCAL, "sum")
        assert recording.program.types[1].layout == Layout.INSTANCE
        assert recording.program.names[1] == "items"
        assert recording.program.threads[1].ident == 4711


def test_a_table_is_a_mapping_that_names_what_is_missing() -> None:
    table = Table[str]("planet")
    table.add(3, "earth")
    assert dict(table) == {3: "earth"}
    assert table.last == 3
    with pytest.raises(TraceError, match="there is no planet 9"):
        table[9]


def test_sites_that_no_file_describes_count_as_none(tmp_path: Path) -> None:
    emitter = Emitter()
    emitter.file([{}], [(SiteKind.ENTRY, 1, 7), (SiteKind.RETURN, 1, 9, None, 4)])
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        columns = SiteColumns(recording.program.sites)
        sites = columns.known(np.array([1, 2, 99]))
        assert columns.line[sites].tolist() == [7, 9, 0]
        assert columns.block[sites].tolist() == [0, 4, 0]
        assert columns.kind[sites].tolist() == [SiteKind.ENTRY, SiteKind.RETURN, 0]


def test_a_site_with_a_huge_number_asks_for_no_memory() -> None:
    sites: Table[Site] = Table("site")
    sites.add_all(
        {site.id: site for site in Site.from_rows([(2**31 - 1, 1, 1, 1, 0, 1, 0, None, 0, 0)])}
    )
    with pytest.raises(TraceError, match="1 sites, but one has number 2147483647"):
        SiteColumns(sites)


ROWS = [(n, n % 3 + 1, 1, n, 0, n, 4, f"name {n}" if n % 2 else None, n % 2, n) for n in (1, 2, 5)]


def test_sites_are_made_when_they_are_asked_for() -> None:
    made = {
        row[0]: Site(row[0], SiteKind(row[1]), *row[2:8], Scope(row[8]), row[9]) for row in ROWS
    }
    looks: tuple[Callable[[Sites], dict[int, Site | None]], ...] = (
        lambda sites: {n: sites[n] for n in sites},
        lambda sites: {n: sites.get(n) for n in sites},
        lambda sites: dict(zip(sites, sites.values(), strict=True)),
        lambda sites: dict(sites.items()),
    )
    for look in looks:
        sites = Sites()
        sites.add_rows(ROWS[:2])
        assert sites[2] == made[2]
        sites.add_rows(ROWS[2:])
        found = look(sites)
        assert found == made
        assert all(type(site) is Site and type(site.kind) is SiteKind for site in found.values())
        assert (list(sites), sites.last, sites.get(3)) == ([1, 2, 5], 5, None)
        assert SiteColumns(sites).line.tolist() == [0, 1, 2, 0, 0, 5]


@pytest.mark.parametrize("place", [1, 8])
def test_a_row_that_describes_no_site_is_refused_at_once(place: int) -> None:
    row = [*ROWS[1]]
    row[place] = 99
    sites = Sites()
    with pytest.raises(TraceError, match="site 2: 99 is not a valid SiteKind or Scope"):
        sites.add_rows([ROWS[0], tuple(row)])
    assert not sites
