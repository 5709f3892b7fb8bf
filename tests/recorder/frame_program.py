"""Random data frames and what random operations make of them: the same in a recorded and in a plain run.

Run as a program it hands every frame to `show` after each operation; imported by a test it is the
witness: pandas itself says what the frames hold.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

KINDS = (
    "int",
    "small",
    "float",
    "bool",
    "str",
    "object",
    "date",
    "span",
    "category",
    "Int64",
    "boolean",
)


def values(rng: random.Random, kind: str, n: int) -> Any:
    numbers = [rng.randrange(-50, 50) for _ in range(n)]
    holes = [rng.random() < 0.3 for _ in range(n)]
    if kind == "int":
        return np.array(numbers, dtype="int64")
    if kind == "small":
        return np.array(numbers, dtype="int8")
    if kind == "float":
        return np.array([np.nan if h else x / 4 for x, h in zip(numbers, holes, strict=False)])
    if kind == "bool":
        return np.array([x > 0 for x in numbers], dtype="bool")
    if kind == "str":
        return pd.Series(
            [None if h else f"s{x}" for x, h in zip(numbers, holes, strict=False)], dtype="str"
        ).array
    if kind == "object":
        return pd.Series(
            [None if h else x if x % 2 else f"o{x}" for x, h in zip(numbers, holes, strict=False)],
            dtype="object",
        ).array
    if kind == "date":
        days = pd.to_datetime(["2024-02-28"] * n) + pd.to_timedelta(numbers, unit="h")
        return pd.Series(days).where(~np.array(holes, dtype=bool)).array
    if kind == "span":
        return pd.Series(pd.to_timedelta(numbers, unit="m")).array
    if kind == "category":
        return pd.Categorical(
            [None if h else "xyz"[x % 3] for x, h in zip(numbers, holes, strict=False)],
            categories=list("xyz"),
        )
    return pd.array(
        [
            None if h else (x if kind == "Int64" else x > 0)
            for x, h in zip(numbers, holes, strict=False)
        ],
        dtype=kind,
    )


def index(rng: random.Random, n: int) -> Any:
    kind = rng.randrange(5)
    if kind == 0:
        return pd.Index([f"r{i}" for i in range(n)], name="key")
    if kind == 1:
        return pd.date_range("2024-01-01", periods=n)
    if kind == 2:
        return pd.MultiIndex.from_arrays(
            [[i % 2 for i in range(n)], [f"m{i}" for i in range(n)]], names=["a", "b"]
        )
    return pd.RangeIndex(n) if kind == 3 else pd.Index([i * 3 - 2 for i in range(n)])


def frame(rng: random.Random) -> pd.DataFrame:
    n = rng.choice([0, 1, 2, 3, 7])
    names = [
        rng.choice("abcdef") if rng.random() < 0.2 else f"c{i}" for i in range(rng.randrange(5))
    ]
    columns = [pd.Series(values(rng, rng.choice(KINDS), n)) for _ in names]
    made = pd.DataFrame(dict(enumerate(columns)), index=pd.RangeIndex(n))
    made.columns = pd.Index(names, dtype="str")
    made.index = index(rng, n)
    return made


def set_column(df: pd.DataFrame, rng: random.Random) -> None:
    df[rng.choice(["n", "c0", "c1"])] = values(rng, rng.choice(KINDS), len(df))


def set_cell(df: pd.DataFrame, rng: random.Random) -> None:
    where = [j for j, dtype in enumerate(df.dtypes) if str(dtype) in ("int64", "float64", "object")]
    if len(df) and where:
        df.iloc[rng.randrange(len(df)), rng.choice(where)] = rng.randrange(9)


def scale(df: pd.DataFrame, rng: random.Random) -> None:
    for name in df.columns[~df.columns.duplicated()][:2]:
        if str(df.dtypes[name]) in ("int64", "float64") and not isinstance(df[name], pd.DataFrame):
            df.loc[:, name] = df[name] * 2


def remove(df: pd.DataFrame, rng: random.Random) -> None:
    if len(df.columns):
        del df[rng.choice(list(df.columns))]


def insert(df: pd.DataFrame, rng: random.Random) -> None:
    df.insert(
        rng.randrange(len(df.columns) + 1),
        f"i{rng.randrange(99)}",
        values(rng, rng.choice(KINDS), len(df)),
        True,
    )


def rename(df: pd.DataFrame, rng: random.Random) -> None:
    df.columns = [f"n{i}" for i in range(len(df.columns))]
    df.index.name = "named" if df.index.nlevels == 1 else None


def relabel(df: pd.DataFrame, rng: random.Random) -> None:
    df.index = index(rng, len(df))


def mask(df: pd.DataFrame, rng: random.Random) -> None:
    for j, dtype in enumerate(df.dtypes):
        if str(dtype) in ("float64", "Int64", "str") and len(df):
            df.iloc[0, j] = None


def clear(df: pd.DataFrame, rng: random.Random) -> None:
    df.drop(df.index[:1], inplace=True)


CHANGES = (set_column, set_cell, scale, remove, insert, rename, relabel, mask, clear)
COPIES = (
    lambda df: df.copy(),
    lambda df: df.iloc[::-1],
    lambda df: df.iloc[:, ::2],
    lambda df: df.iloc[1:],
    lambda df: df[list(dict.fromkeys(df.columns))[::-1]] if df.columns.is_unique else df,
    lambda df: df.reset_index(drop=True),
    lambda df: pd.concat([df, df]),
)


def frames(seed: int) -> Iterator[pd.DataFrame | pd.Series]:
    """Go through frames; those that were changed in place come again as the same object."""
    rng = random.Random(seed)
    df = frame(rng)
    yield df
    for _ in range(6):
        rng.choice(CHANGES)(df, rng)
        yield df
        if rng.random() < 0.4:
            df = rng.choice(COPIES)(df)
            yield df
        if len(df.columns) and rng.random() < 0.3:
            yield df.iloc[:, 0]


def show(df: pd.DataFrame | pd.Series) -> None:
    """See a frame."""


def main() -> None:
    warnings.simplefilter("ignore")
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        for df in frames(seed):
            show(df)


if __name__ == "__main__":
    main()
