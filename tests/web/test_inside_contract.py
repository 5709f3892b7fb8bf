"""The contract's answers about the inside of a call; `test_contract` compares answers with their types."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from wrongcall.web import inside_contract

pytestmark = pytest.mark.once

API = Path(__file__).parents[2] / "web" / "src" / "api.ts"
OWN = [
    name
    for name, kind in inspect.getmembers(inside_contract, inspect.isclass)
    if kind.__module__ == inside_contract.__name__
]


@pytest.mark.parametrize("name", OWN)
def test_each_type_belongs_to_an_answer(name: str) -> None:
    # api.ts declares what the requests of the contract lead to, and nothing else.
    assert re.search(rf"^export (interface|type) {name}\b", API.read_text(), re.MULTILINE)
