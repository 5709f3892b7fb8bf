"""Which package raised an exception, if it is not recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.failing import opened, recorded
from wrongcall.session.failures import failures_of
from wrongcall.session.starts import frames_of
from wrongcall.session.unrecorded_raise import raised_in


@pytest.mark.parametrize(
    "statement, package",
    [
        ("np.zeros(-1)", "numpy"),
        ("array = np.zeros(2); array.reshape(7)", "numpy"),
        ("int('x')", ""),
        ("json.loads('{')", ""),
        ("raise np.exceptions.AxisError('mine')", ""),
        ("helper.fail()", ""),
        ("assert np.zeros(2).sum() == 3", ""),
        ("np.take(np.array([1]), helper.five())", "numpy"),
        ("attrs.fields(np.zeros(1))", ""),  # it may be either
    ],
)
def test_the_package_is_named_if_it_is_certain(
    tmp_path: Path, statement: str, package: str
) -> None:
    files = {
        "prog.py": f"import json\nimport attrs\nimport numpy as np\nimport helper\n{statement}\n",
        "helper.py": "def fail(): raise ValueError\ndef five(): return 5\n",
    }
    with opened(recorded(tmp_path, files, "prog.py")) as recording:
        (crashed,) = failures_of(recording)
        innermost = recording.call(frames_of(recording.call(crashed.call))[0])
        assert raised_in(recording, innermost) == package
