"""The reference as an oracle: a program of several modules, repeated in another process."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path
from random import Random

import packaging
import pytest

from tests.recorder.conftest import Record
from wrongcall.errors import OracleError
from wrongcall.oracles.reference.causes import Cause, Judgement
from wrongcall.oracles.reference.oracle import MAX_BAD_CALLS, Reference
from wrongcall.oracles.reference.worker_process import Allowed
from wrongcall.session import Session, Verdict
from wrongcall.session.answers import Confidence
from wrongcall.session.from_trace import TraceFacts
from wrongcall.session.steps import Finding
from wrongcall.tree.from_trace import tree_of

SHOP = {
    "shop/__init__.py": "",
    "shop/rates.py": "RATES = {'eu': 20}\n\ndef rate(region):\n    return RATES[region]\n",
    "shop/prices.py": """
        import os
        import random
        import time

        from shop.rates import rate

        def taxed(price, region):
            return price + price * rate(region) // 100

        def total(prices):
            return sum(taxed(price, "eu") for price in prices)

        def clock():
            return time.time()

        def chance():
            return random.random()

        def order(words):
            return list(set(words))

        def save(path):
            with open(path, "w") as file:
                return file.write("x")

        def lines(path):
            with open(path) as file:
                return len(file.readlines())

        def home():
            return os.environ.get("PYTHONHASHSEED", "") + "!"

        def endless(n):
            while n > 5:
                n += 1
            return n

        def crash(n):
            if n > 5:
                os.abort()
            return n
        """,
}
PROGRAM = """
    import shop.prices as prices

    def main():
        prices.total([100, 200])
        prices.clock()
        prices.chance()
        prices.order("abcdefgh")
        prices.save("written.txt")
        prices.lines("written.txt")
        prices.home()
        prices.endless(1)
        prices.crash(1)

    if __name__ == "__main__":
        main()
    """


MORE = ("import time\n", "import time\n\nclass More:\n    pass\n")
"""A change because of which no call is right only because no changed code ran in it: calls are repeated."""


def write(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write the shop, with some texts replaced by others."""
    for name, source in {**SHOP, "prog.py": PROGRAM}.items():
        text = textwrap.dedent(source)
        for old, new in changes:
            text = text.replace(old, new)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def judged(record: Record, tmp_path: Path, *changes: tuple[str, str]) -> dict[str, Judgement]:
    """Record the shop, and let it be judged by one with other texts."""
    write(tmp_path)
    recording = record(PROGRAM).recording
    reference = write(tmp_path / "good", *changes)
    with Reference(recording, reference, Allowed(seconds=1.0)) as oracle:
        assert oracle.unloaded == {}
        return {
            recording.call(number).function.name: oracle.judgement((number,))
            for number in recording.calls.columns().id.tolist()
            if recording.call(number).function.kind == "function"
        }


def test_each_call_is_judged_or_the_cause_is_known(record: Record, tmp_path: Path) -> None:
    found = judged(
        record,
        tmp_path,
        MORE,
        ("// 100", "// 50"),
        ("while n > 5", "while True"),
        ("if n > 5:", "if n > 0:"),
        ("len(file.readlines())", "-1"),
        ("list(set(words))", "list(set(words))[::-1]"),
        ("'!'", "'?'"),
        ('"!"', '"?"'),
    )
    verdicts = {name: each.verdict for name, each in found.items()}
    wrong, right = Verdict.WRONG, Verdict.RIGHT
    decided = {name: v for name, v in verdicts.items() if v is not Verdict.DONT_KNOW}
    assert decided == {"taxed": wrong, "total": wrong, "rate": right}
    assert {name: each.cause for name, each in found.items() if each.cause} == {
        "main": Cause.OUTSIDE,
        "clock": Cause.OUTSIDE,
        "chance": Cause.OUTSIDE,
        "order": Cause.UNSTABLE,
        "save": Cause.OUTSIDE,
        "lines": Cause.OUTSIDE,
        "home": Cause.OUTSIDE,
        "endless": Cause.LIMIT,
        "crash": Cause.CRASH,
    }
    assert found["total"].reason == "result is 420, not 360"
    assert (tmp_path / "written.txt").read_text() == "x"
    assert not (tmp_path / "good" / "written.txt").exists()


def test_a_search_needs_no_user(record: Record, tmp_path: Path) -> None:
    write(tmp_path)
    recording = record(PROGRAM).recording
    reference = write(tmp_path / "good", ("price + price", "price - price"))
    tree = tree_of(recording)
    with Reference(recording, reference) as oracle:
        session = Session(tree, TraceFacts(recording, tree), oracles=[oracle])
        total = next(
            c for c in recording.calls.columns().id.tolist() if _name(recording, c) == "total"
        )
        session.judge(total, Verdict.WRONG)
        session.advance()
        step = session.step()
        opinion = oracle.opinion((total,))
    assert isinstance(step, Finding)
    assert step.function is not None
    assert recording.program.functions[step.function].name == "taxed"
    assert opinion is not None
    assert (opinion.confidence, opinion.reason) == (
        Confidence.CERTAIN,
        "in good, result is 240, not 360",
    )


def test_calls_without_changed_code_are_right_and_not_repeated(
    record: Record, tmp_path: Path
) -> None:
    """Their input can't be rebuilt; that does not matter."""
    write(tmp_path)
    source = PROGRAM.replace("prices.clock()", "prices.clock(), prices.lines('prog.py')")
    recording = record(source).recording
    reference = write(tmp_path / "good", ("// 100", "// 50"))
    (reference / "prog.py").write_text((tmp_path / "prog.py").read_text())
    with Reference(recording, reference) as oracle:
        found = {
            _name(recording, number): oracle.opinion((number,))
            for number in recording.calls.columns().id.tolist()
        }
    clock = found["clock"]
    assert clock is not None
    assert (clock.verdict, clock.reason) == (
        Verdict.RIGHT,
        "good has the same code for everything that ran in this call",
    )
    assert found["chance"] is not None
    assert found["save"] is not None
    taxed = found["taxed"]
    assert taxed is not None
    assert taxed.verdict is Verdict.WRONG


def _name(recording: object, call: int) -> str:
    return str(recording.call(call).function.name)  # type: ignore[attr-defined]


def test_after_too_many_bad_calls_the_oracle_is_given_up(record: Record, tmp_path: Path) -> None:
    source = "import os\n\ndef f(n):\n    return n\n\nif __name__ == '__main__':\n"
    source += "    for i in range(9):\n        f(i)\n"
    recording = record(source).recording
    good = tmp_path / "good.py"
    good.write_text(source.replace("return n", "os.abort()"))
    calls = [n for n in recording.calls.columns().id.tolist() if _name(recording, n) == "f"]
    with Reference(recording, good) as oracle:
        for call in calls[: MAX_BAD_CALLS - 1]:
            assert oracle.opinion((call,)) is None
        with pytest.raises(OracleError, match="5 calls crashed or took too long"):
            oracle.opinion((calls[MAX_BAD_CALLS],))


def test_a_module_that_cannot_be_loaded_is_named(record: Record, tmp_path: Path) -> None:
    write(tmp_path)
    recording = record(PROGRAM).recording
    with Reference(
        recording, write(tmp_path / "good", ("RATES = ", "import nowhere; R = "))
    ) as oracle:
        assert "No module named 'nowhere'" in oracle.unloaded["shop.rates"]
        calls = [n for n in recording.calls.columns().id.tolist() if _name(recording, n) == "rate"]
        assert oracle.opinion((calls[0],)) is None


def test_a_real_package_finds_no_fault_with_itself(record: Record, tmp_path: Path) -> None:
    """Loggers, named tuples, cached properties, registries: what is rebuilt inexactly must not look like a fault."""
    package = Path(packaging.__file__).parent
    for folder in (tmp_path, tmp_path / "good"):
        shutil.copytree(package, folder / "packaging", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "good" / "packaging" / "__init__.py").open("a") as file:
        file.write("\n\nclass More:\n    pass\n")  # or nothing would be repeated
    recording = record(
        """
        from packaging.requirements import Requirement
        from packaging.specifiers import SpecifierSet

        def main():
            Requirement("shop[fast]>=2.8.1,==2.8.* ; python_version < '3'")
            SpecifierSet(">=1,<2").contains("1.5")

        if __name__ == "__main__":
            main()
        """
    ).recording
    calls = [
        number
        for number in recording.calls.columns().id.tolist()
        if recording.call(number).function.kind not in ("module", "class")
    ]
    chosen = Random(3).sample(calls, 10)
    with Reference(recording, tmp_path / "good") as oracle:
        verdicts = [oracle.judgement((call,)).verdict for call in chosen]
    assert Verdict.WRONG not in verdicts, oracle.judgements
    assert verdicts.count(Verdict.RIGHT) >= 7, oracle.undecided
