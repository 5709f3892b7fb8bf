"""Find the subsets of numbers with a certain sum."""


def search(numbers, at, rest, chosen, found):
    """Extend what is chosen by numbers from an index on."""
    if rest == 0:
        found.append(list(chosen))
        return
    for i in range(at, len(numbers)):
        if numbers[i] <= rest:
            chosen.append(numbers[i])
            search(numbers, i + 1, rest - numbers[i], chosen, found)


def subsets(numbers, total):
    """Return all subsets with this sum."""
    found = []
    search(numbers, 0, total, [], found)
    return found


def main():
    print(subsets([3, 4, 5, 2], 7))


main()
