"""Integrate a function numerically, with Simpson's rule."""


def simpson(function, low, high, steps):
    """Return the integral over an interval, cut into an even number of steps."""
    width = (high - low) / steps
    total = function(low) + function(high)
    for i in range(1, steps):
        weight = 2 if i % 2 else 4
        total += weight * function(low + i * width)
    return total * width / 3


def parabola(x):
    return 3 * x * x


def main():
    print(round(simpson(parabola, 0, 2, 4), 6))


main()
