"""Find the longest increasing subsequence."""


def longest(numbers):
    """Return the longest subsequence in which each number is greater than the one before."""
    lengths = [1] * len(numbers)
    before = [-1] * len(numbers)
    for i in range(len(numbers)):
        for j in range(i):
            if numbers[j] < numbers[i] and lengths[j] + 1 > lengths[i]:
                lengths[i] = lengths[j] + 1
                before[i] = j
    at = lengths.index(max(lengths))
    found = []
    while at >= 0:
        found.append(numbers[at])
        at = before[at]
    found.reverse()
    return found


def main():
    print(longest([4, 1, 6, 2, 8, 3, 5, 9, 7]))


main()
