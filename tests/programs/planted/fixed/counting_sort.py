"""Sort records by a small key, keeping the order of equal keys."""


def counting_sort(records, keys):
    """Return the records by ascending key (0 to keys - 1)."""
    counts = [0] * (keys + 1)
    for key, _ in records:
        counts[key + 1] += 1
    for key in range(keys):
        counts[key + 1] += counts[key]
    placed = [None] * (len(records) + 1)
    for record in records:
        placed[counts[record[0]]] = record
        counts[record[0]] += 1
    return placed[: len(records)]


def main():
    records = [(2, "b"), (0, "x"), (1, "m"), (1, "n")]
    print(counting_sort(records, 3))


main()
