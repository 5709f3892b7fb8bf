"""Find the lengths of the shortest ways between all pairs of nodes."""

FAR = 10**6


def all_pairs(size, edges):
    """Return a matrix of the lengths of the shortest ways."""
    length = [[0 if i == j else FAR for j in range(size)] for i in range(size)]
    for start, end, cost in edges:
        length[start][end] = cost
    for via in range(size):
        for i in range(size):
            for j in range(size):
                detour = length[i][via] + length[via][j]
                if detour < length[i][j]:
                    length[i][j] = detour
    return length


def main():
    for row in all_pairs(4, [(0, 1, 5), (1, 2, 2), (2, 3, 1), (0, 3, 20), (3, 1, 4)]):
        print(row)


main()
