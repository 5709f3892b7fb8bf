"""Find the number whose way to 1 is longest."""


def steps(number, known):
    """Return how many steps it takes from a number to 1."""
    if number in known:
        return known[number]
    following = number // 2 if number % 2 == 0 else 3 * number + 1
    known[number] = 1 + steps(following, known)
    return known[number]


def longest(limit):
    """Return the smallest number below a limit that takes the most steps."""
    known = {1: 0}
    best = 1
    for number in range(2, limit):
        if steps(number, known) > steps(best, known):
            best = number
    return best


def main():
    print(longest(20))


main()
