"""Calculate with polynomials, given by their coefficients from the constant on."""


def product(one, other):
    """Return the product of two polynomials."""
    found = [0] * (len(one) + len(other) - 1)
    for i, left in enumerate(one):
        for j, right in enumerate(other):
            found[i + j] += left * right
    return found


def power(base, exponent):
    """Return a power of a polynomial."""
    result = [1]
    while exponent:
        if exponent % 2:
            result = product(result, base)
        base = product(base, base)
        exponent //= 2
    return result


def main():
    print(power([1, 2], 5))


main()
