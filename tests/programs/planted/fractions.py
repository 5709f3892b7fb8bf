"""Add fractions exactly."""

from math import gcd


class Fraction:
    """A fraction in lowest terms."""

    def __init__(self, top, bottom):
        common = gcd(top, bottom)
        self.top = top // common
        self.bottom = bottom // common

    def plus(self, other):
        """Return the sum of two fractions."""
        top = self.top * other.bottom + other.top * other.bottom
        return Fraction(top, self.bottom * other.bottom)


def total(fractions):
    """Return the sum of fractions."""
    result = Fraction(0, 1)
    for fraction in fractions:
        result = result.plus(fraction)
    return result


def main():
    found = total([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)])
    print(f"{found.top}/{found.bottom}")


main()
