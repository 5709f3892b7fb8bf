"""Choose things for a rucksack."""


def best_value(things, capacity):
    """Return the highest value that fits; each thing exists once."""
    best = [0] * (capacity + 1)
    for weight, value in things:
        for room in range(weight, capacity + 1):
            best[room] = max(best[room], best[room - weight] + value)
    return best[capacity]


def main():
    print(best_value([(2, 30), (3, 41), (4, 50)], 7))


main()
