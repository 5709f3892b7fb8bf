"""Which files belong to the tests."""

from __future__ import annotations

import pytest

from wrongcall.session.code_of_tests import is_test_file


@pytest.mark.parametrize(
    "path, is_test",
    [
        ("/p/test_shop.py", True),
        ("/p/shop_test.py", True),
        ("/p/conftest.py", True),
        ("/p/pkg/conftest.py", True),
        ("/p/tests/helpers.py", True),
        ("/p/pkg/tests/data/make.py", True),
        ("/p/test/helpers.py", True),
        ("/p/shop.py", False),
        ("/p/django/test/client.py", False),
        ("/p/latest.py", False),
        ("/p/testing.py", False),
        ("/elsewhere/tests/helpers.py", True),
    ],
)
def test_files_are_known_by_their_names(path: str, is_test: bool) -> None:
    assert is_test_file(path, "/p") is is_test


def test_the_folder_of_the_project_does_not_count() -> None:
    assert not is_test_file("/home/tests/project/shop.py", "/home/tests/project")
