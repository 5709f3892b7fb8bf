"""Merge sort of a list passed to every call, written by index.

Scale: how many freshly shuffled lists of 5,000 elements are sorted.
"""

import sys

LENGTH = 5_000


def shuffled(length: int, seed: int) -> list[int]:
    """Return 0..length-1 shuffled by a linear congruential generator."""
    values = list(range(length))
    state = seed
    for i in range(length - 1, 0, -1):
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        j = (state >> 8) % (i + 1)
        values[i], values[j] = values[j], values[i]
    return values


def merge(a: list[int], lo: int, mid: int, hi: int) -> None:
    temp = [0] * (hi - lo)
    i = lo
    j = mid
    for k in range(hi - lo):
        if j >= hi or (i < mid and a[i] <= a[j]):
            temp[k] = a[i]
            i += 1
        else:
            temp[k] = a[j]
            j += 1
    for k in range(hi - lo):
        a[lo + k] = temp[k]


def sort(a: list[int], lo: int, hi: int) -> None:
    if hi - lo < 2:
        return
    mid = (lo + hi) // 2
    sort(a, lo, mid)
    sort(a, mid, hi)
    merge(a, lo, mid, hi)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 36
    checksum = 0
    for seed in range(1, rounds + 1):
        a = shuffled(LENGTH, seed)
        checksum = (checksum * 31 + a[seed]) % 1_000_003
        sort(a, 0, len(a))
        if a != list(range(LENGTH)):
            raise SystemExit(f"msort: round {seed} is not sorted")
    print(f"msort {rounds} {checksum}")


if __name__ == "__main__":
    main()
