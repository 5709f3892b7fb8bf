from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError
from wrongcall.events import SiteKind
from wrongcall.trace.format.program_tables import Site, Table
from wrongcall.trace.format.site_columns import SiteColumns


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
    sites.add(2**31 - 1, Site.from_row((2**31 - 1, 1, 1, 1, 0, 1, 0, None, 0, 0)))
    with pytest.raises(TraceError, match="1 sites, but one has number 2147483647"):
        SiteColumns(sites)
