"""Things that are closed when a `with` statement is left."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closing(ABC):
    """Something to use in a `with` statement, which closes it."""

    @abstractmethod
    def close(self) -> None:
        """Let go of what it holds; harmless if that was done before."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
