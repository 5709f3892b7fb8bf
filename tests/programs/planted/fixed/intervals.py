"""Merge intervals that overlap."""


def merged(intervals):
    """Return the intervals without overlaps."""
    kept = []
    for start, end in sorted(intervals):
        if kept and start <= kept[-1][1]:
            kept[-1] = (kept[-1][0], max(kept[-1][1], end))
        else:
            kept.append((start, end))
    return kept


def main():
    print(merged([(1, 9), (12, 15), (2, 4), (14, 18)]))


main()
