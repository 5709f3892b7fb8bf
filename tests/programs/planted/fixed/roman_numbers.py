"""Read Roman numbers."""

DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def value(numeral):
    """Return the number that a numeral stands for."""
    total = 0
    for i, letter in enumerate(numeral):
        digit = DIGITS[letter]
        if i + 1 < len(numeral) and digit < DIGITS[numeral[i + 1]]:
            total -= digit
        else:
            total += digit
    return total


def main():
    print(value("MCMLXXIV"))


main()
