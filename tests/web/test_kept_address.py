"""Kept addresses: the same one again, and only for the user."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wrongcall.errors import UsageError
from wrongcall.web.kept_address import Address, file_of, keep, kept_address

TOKEN = "abcdefghijklmnopqrstuvwx"


def test_an_address_is_kept_for_the_user_alone(tmp_path: Path) -> None:
    trace = tmp_path / "prog.wrongcall"
    assert kept_address(trace) is None
    keep(trace, Address(7001, TOKEN))
    assert kept_address(trace) == Address(7001, TOKEN)
    assert file_of(trace).stat().st_mode & 0o077 == 0
    keep(trace, Address(7002, TOKEN))
    assert kept_address(trace) == Address(7001, TOKEN), "the first one stays"


def test_an_address_that_others_can_read_is_refused(tmp_path: Path) -> None:
    trace = tmp_path / "prog.wrongcall"
    keep(trace, Address(7001, TOKEN))
    file_of(trace).chmod(0o644)
    with pytest.raises(UsageError, match="others can read the secret"):
        kept_address(trace)


@pytest.mark.parametrize(
    "text",
    [
        "nothing",
        "[]",
        json.dumps({"port": 7001}),
        json.dumps({"port": 0, "token": TOKEN}),
        json.dumps({"port": "7001", "token": TOKEN}),
        json.dumps({"port": 7001, "token": "short"}),
        json.dumps({"port": 7001, "token": "../" + TOKEN}),
    ],
)
def test_other_files_are_no_addresses(tmp_path: Path, text: str) -> None:
    trace = tmp_path / "prog.wrongcall"
    file_of(trace).write_text(text)
    file_of(trace).chmod(0o600)
    with pytest.raises(UsageError, match="is no kept address"):
        kept_address(trace)
