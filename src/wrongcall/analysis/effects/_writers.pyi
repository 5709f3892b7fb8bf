from typing import Any, TypeAlias

Column: TypeAlias = Any

def note_writers(
    columns: tuple[Column, ...],
    meanings: Column,
    first: int,
    before: int,
    newest: int,
    rows: Column,
    touched: Column,
    times: Column,
    /,
) -> tuple[tuple[int, int, int, int, int, int], int, int]: ...
