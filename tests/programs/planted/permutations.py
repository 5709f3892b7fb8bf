"""List the permutations of letters."""


def permutations(letters):
    """Return all orders of the letters."""
    found = []
    current = []

    def extend():
        if len(current) == len(letters):
            found.append(current)
            return
        for letter in letters:
            if letter not in current:
                current.append(letter)
                extend()
                current.pop()

    extend()
    return found


def main():
    print(["".join(order) for order in permutations("abc")])


main()
