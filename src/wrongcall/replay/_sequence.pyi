from typing import Any, TypeAlias

Column: TypeAlias = Any

def replay(
    events: Column,
    times: Column,
    first: int,
    effects: Column,
    elements: tuple[Column, Column, Column],
    state: tuple[int, int, int],
    watched: int,
    notes: tuple[Column, Column, Column, Column],
    /,
) -> tuple[int, tuple[int, int, int]]: ...
