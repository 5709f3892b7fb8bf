"""Read damaged traces in a separate process, which may crash, hang or run out of memory.

    python -m fidelity.fuzz_worker GOOD FOLDER FIRST COUNT

Each seed from FIRST on damages GOOD in its own way. For each, a line of JSON on standard output announces it, and
another gives the result.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
import traceback
from functools import cache
from pathlib import Path

from fidelity.corruption import damage
from fidelity.read_everything import Answers, read_everything

SECONDS = 30
MEMORY = 3 << 30
SAMPLES = 32
"""How many different samples of calls and objects are queried."""


class TooSlowError(Exception):
    """Reading took too long."""


def main(good: str, folder: str, first: str, count: str) -> None:
    """Read the damaged traces of some seeds."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _too_slow)
    bad = Path(folder) / "bad.wrongcall"
    for seed in range(int(first), int(first) + int(count)):
        _tell(seed=seed)
        way = damage(Path(good), bad, seed)
        _tell(seed=seed, way=way, **_verdict(Path(good), bad, seed))


def _too_slow(number: int, frame: object) -> None:
    raise TooSlowError(f"not read after {SECONDS} s")


def _verdict(good: Path, bad: Path, seed: int) -> dict[str, str]:
    signal.alarm(SECONDS)
    try:
        answers = read_everything(bad, seed % SAMPLES)
    # Whatever it is, it is what we are looking for.
    except BaseException as exc:  # noqa: BLE001
        signal.alarm(0)
        return {"verdict": "failed", "why": "".join(traceback.format_exception(exc))[-1500:]}
    signal.alarm(0)
    return _judged(good, seed, answers)


def _judged(good: Path, seed: int, answers: Answers) -> dict[str, str]:
    if answers.refused:
        empty = [text for text in answers.refused if len(text) < 10]
        return {"verdict": "refused" if not empty else "failed", "why": answers.refused[0]}
    same = _told(good, seed % SAMPLES) == repr(answers.told)
    return {"verdict": "same" if same else "other"}


@cache
def _told(good: Path, sample: int) -> str:
    """Return the good trace's answers to the same queries."""
    return repr(read_everything(good, sample).told)


def _tell(**fact: object) -> None:
    print(json.dumps(fact), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
