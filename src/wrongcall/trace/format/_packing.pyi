from typing import Any, TypeAlias

Column: TypeAlias = Any
_Block: TypeAlias = tuple[int, bytes, bytes]
_Other: TypeAlias = tuple[int, int, int, int, int, int, int, int, int]

def split(
    column: Column, width: int, order: Column | None, delta: bool, /
) -> tuple[int, bytes]: ...
def join(
    planes: Any, height: int, width: int, order: Column | None, delta: bool, out: Column, /
) -> None: ...
def join_all(planes: Any, codings: bytes, columns: tuple[Column, ...], /) -> None: ...
def group(sites: Column, out: Column, /) -> None: ...
def rank(sites: Column, out: Column, /) -> None: ...
def to_columns(events: Column, columns: tuple[Column, ...], at: int, /) -> None: ...
def to_events(columns: tuple[Column, ...], events: Column, /) -> None: ...
def owners(events: Column, traits: Column, out: Column, /) -> None: ...
def read_batch(
    events: Column, traits: bytes, /
) -> tuple[int, int, int, int, list[_Other], tuple[bytes, ...]]: ...
def check_row(row: tuple[Any, ...], /) -> int: ...
def sum_checks(
    rows: list[tuple[Any, ...]], size: int, last: tuple[Any, ...] | None, check: int, /
) -> tuple[int, int, int]: ...
def segment_room() -> int: ...
def pack_segment(
    events: Column, traits: bytes, inline_tag: int, room: Column, /
) -> tuple[
    int, tuple[int, int, int, int], bytes, tuple[int, int, int], list[tuple[int, int, int]]
]: ...
def pack_extent(
    events: Column,
    traits: bytes,
    groups: bytes,
    per_segment: int,
    share: int,
    page: int,
    chunk: int,
    first: int,
    newest_object: int,
    newest_call: int,
    /,
) -> tuple[
    tuple[_Block, _Block, _Block, _Block, list[_Block]],
    tuple[_Block, list[_Block]],
    bytes,
    tuple[int, int],
]: ...
def merge_checkpoints(
    parts: list[bytes], traits: bytes, chunk: int, /
) -> tuple[_Block, list[_Block]]: ...
