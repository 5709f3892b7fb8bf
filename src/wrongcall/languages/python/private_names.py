"""Private names: in a class, ``self.__x`` means the attribute ``_Class__x``."""

from __future__ import annotations

from collections.abc import Collection


def is_named(attribute: str, written: Collection[str]) -> bool:
    """Return whether source can mean an attribute by one of these names."""
    if attribute in written:
        return True
    if not attribute.startswith("_"):
        return False
    inner = (attribute[at:] for at in range(2, len(attribute)) if attribute.startswith("__", at))
    return any(name in written and not name.endswith("__") for name in inner)
