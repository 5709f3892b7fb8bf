from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError
from wrongcall.events import Kind, Layout, Scope, SiteKind, Tag
from wrongcall.trace.format.program_tables import Site, SiteColumns, Table


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
