"""Secrets are masked, everything else stays."""

from __future__ import annotations

import re

import pytest

from wrongcall.oracles.masking import MASK, Masking


@pytest.mark.parametrize(
    "text",
    [
        "login(user='ann', password='hunter2!')",
        'config = {"api_key": "hunter2!"}',
        "db_password = hunter2!",
        "self.secret_token='hunter2!'",
        "{'Authorization': 'hunter2!'}",
        "password = 'it\\'s hunter2!'",
        "tokens=['first', 'hunter2!']",
        "secret={'a)': 'first', 'b': ['hunter2!']}",
        "token=Token(name='first', value='hunter2!')",
        "token=<Token 'hunter2!'>",
        "if password == 'hunter2!':",
        "def login(user: str, password: str = 'hunter2!') -> None",
        "secrets: dict[str, str] = {'a': 'hunter2!'}",
        "password='cut off: hunter2!",
        "passwords=['first', 'hunter2!'",
        "Authorization: Basic hunter2!",
        "headers = ['Authorization: Bearer hunter2!hunter2!']",
        "Cookie: theme=dark; id=hunter2!",
    ],
)
def test_values_with_secret_names_are_masked(text: str) -> None:
    masked = Masking().mask(text)
    assert "hunter2" not in masked
    assert MASK in masked


def test_only_the_value_is_masked() -> None:
    text = "login(passwords=['a', ('b', ')')], user='ann')\ntoken=3 x=4"
    assert Masking().mask(text) == f"login(passwords={MASK}, user='ann')\ntoken={MASK} x=4"


def test_a_value_that_is_cut_off_hides_no_other_paragraph() -> None:
    text = "tokens=['a', 'b\n\nWhat should come out?"
    assert Masking().mask(text) == f"tokens={MASK}\n\nWhat should come out?"


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcdefghijklmnopqrstuvwx",
        "ghp_abcdefghijklmnopqrstuvwxyz0123",
        "AKIAABCDEFGHIJKLMNOP",
        "xoxb-1234567890-abcdef",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_credentials_are_masked_whatever_they_are_called(secret: str) -> None:
    masked = Masking().mask(f"value = {secret!r} and x\n{secret}\n")
    assert all(part not in masked for part in secret.split("\n") if not part.startswith("-----"))


def test_passwords_in_addresses_are_masked() -> None:
    assert Masking().mask("postgres://ann:pw@db/x") == f"postgres://{MASK}@db/x"


@pytest.mark.parametrize(
    "text", ["n = 3", "passed = 4 tests", "def total(items: list[int]) -> int"]
)
def test_other_text_stays(text: str) -> None:
    assert Masking().mask(text) == text


def test_projects_add_patterns() -> None:
    assert Masking([r"CUST-\d+"]).mask("id = CUST-123") == f"id = {MASK}"
    with pytest.raises(re.error):
        Masking(["("])


def test_a_secret_is_masked_wherever_it_occurs() -> None:
    text = "f(password='hunter2-long')\ncomputed from \"hunter2-long\"; pin = '1234'; count = 1234"
    masked = Masking().mask(text)
    assert "hunter2" not in masked
    assert masked.endswith("count = 1234"), "a short one may be an ordinary word"
