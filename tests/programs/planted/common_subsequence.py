"""Find the longest common subsequence of two texts."""


def lengths(one, other):
    """Return the table of lengths for all pairs of prefixes."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, letter in enumerate(one, 1):
        for j, second in enumerate(other, 1):
            if letter == second:
                table[i][j] = table[i - 1][j - 1] + 1
            else:
                table[i][j] = max(table[i - 1][j], table[i - 1][j - 1])
    return table


def walk_back(table, one, other):
    """Return the letters of the subsequence."""
    i, j = len(one), len(other)
    letters = []
    while i > 0 and j > 0:
        if one[i - 1] == other[j - 1]:
            letters.append(one[i - 1])
            i, j = i - 1, j - 1
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return "".join(reversed(letters))


def common(one, other):
    """Return a longest common subsequence."""
    return walk_back(lengths(one, other), one, other)


def main():
    print(common("stone", "longest"))


main()
