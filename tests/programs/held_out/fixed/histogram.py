"""Draw a histogram with letters."""


def buckets(values, width):
    """Return how many values there are in each bucket."""
    counts = {}
    for value in values:
        number = value // width
        counts[number] = counts.get(number, 0) + 1
    return counts


def draw(values, width):
    """Return a line for each bucket."""
    counts = buckets(values, width)
    lines = []
    for number in range(max(counts) + 1):
        lines.append(f"{number * width:3} " + "*" * counts.get(number, 0))
    return lines


def main():
    for line in draw([3, 10, 12, 25, 20, 7, 19], 10):
        print(line)


main()
