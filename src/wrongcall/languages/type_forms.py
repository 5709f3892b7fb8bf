"""What a source promises about values: types as far as they can be checked without running anything.

A *form* describes which values fit. Where the source says more than can be checked, the form is `Anything`: it is never
stricter than the source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Anything:
    """Every value fits, or it is not known which do."""


@dataclass(frozen=True)
class Named:
    """A builtin type or an abstract collection, with the forms of what it holds."""

    name: str
    parts: tuple[TypeForm, ...] = ()
    """Of a ``tuple``: one form for each item, unless `is_uniform`."""
    is_uniform: bool = False
    """All items of a tuple have the first form."""


@dataclass(frozen=True)
class OneOf:
    """Values that fit one of several forms."""

    options: tuple[TypeForm, ...]


@dataclass(frozen=True)
class Values:
    """Exactly these values."""

    values: tuple[object, ...]


@dataclass(frozen=True)
class OfProgram:
    """Instances of a class that the program defines: no value of a builtin type is one."""

    name: str


TypeForm: TypeAlias = Anything | Named | OneOf | Values | OfProgram


@dataclass(frozen=True)
class Promise:
    """What a function says about a value."""

    form: TypeForm
    text: str
    """As it is written."""


@dataclass(frozen=True)
class Promises:
    """What a function says about its parameters and about what it returns."""

    parameters: Mapping[str, Promise]
    result: Promise | None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to check."""
        return not self.parameters and self.result is None
