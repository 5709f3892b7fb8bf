"""How view models become JSON: field by field, with enums by their value and nothing left out."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any


def as_json(model: Any) -> Any:
    """Return a view model as plain data for `json.dumps`."""
    if is_dataclass(model) and not isinstance(model, type):
        return {field.name: as_json(getattr(model, field.name)) for field in fields(model)}
    if isinstance(model, Enum):
        return model.value
    if isinstance(model, list | tuple):
        return [as_json(part) for part in model]
    if isinstance(model, dict):
        return {str(key): as_json(value) for key, value in model.items()}
    return model
