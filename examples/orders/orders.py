"""Orders: read them from text, sum them up with a discount for each ten of an item."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Line:
    """So many of an item, at a price in cents."""

    item: str
    price: int
    count: int


def read_order(text: str) -> list[Line]:
    """Read lines such as ``tea; 2.50; 4``."""
    return [read_line(line) for line in text.splitlines() if line.strip()]


def read_line(text: str) -> Line:
    item, price, count = text.split(";")
    return Line(item.strip(), cents(price.strip()), int(count))


def cents(text: str) -> int:
    """Convert a price in euros to cents."""
    euros, _, rest = text.partition(".")
    return int(euros) * 100 + int(rest or 0)


def total(lines: list[Line]) -> int:
    """Sum up an order, in cents."""
    return sum(line_total(line) for line in lines)


def line_total(line: Line) -> int:
    return line.price * line.count - discount(line)


def discount(line: Line) -> int:
    """One of ten is free."""
    return line.price * (line.count // 10)
