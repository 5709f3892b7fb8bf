from typing import Any, TypeAlias

Column: TypeAlias = Any

def split(
    column: Column, width: int, order: Column | None, delta: bool, /
) -> tuple[int, bytes]: ...
def join(
    planes: Any, height: int, width: int, order: Column | None, delta: bool, out: Column, /
) -> None: ...
def group(sites: Column, out: Column, /) -> None: ...
def to_columns(events: Column, columns: tuple[Column, ...], at: int, /) -> None: ...
def to_events(columns: tuple[Column, ...], events: Column, /) -> None: ...
def survey(
    kind: Column, call: Column, obj: Column, hi: Column, objects: Column, /
) -> tuple[tuple[int, int, int, int], bytes, bytes, bytes]: ...
def places(kind: Column, wanted: Column, /) -> bytes: ...
def sift(
    columns: tuple[Column, ...],
    roles: Column,
    groups: Column,
    per_segment: int,
    newest_object: int,
    newest_call: int,
    most: int,
    /,
) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes]: ...
