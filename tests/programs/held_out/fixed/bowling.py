"""Count the points of a game of bowling."""


def score(rolls):
    """Return the points of ten frames."""
    points = 0
    at = 0
    for _ in range(10):
        if rolls[at] == 10:
            points += 10 + rolls[at + 1] + rolls[at + 2]
            at += 1
        elif rolls[at] + rolls[at + 1] == 10:
            points += 10 + rolls[at + 2]
            at += 2
        else:
            points += rolls[at] + rolls[at + 1]
            at += 2
    return points


def main():
    print(score([3, 4, 10, 5, 5, 7, 2, 0, 8, 10, 10, 6, 1, 9, 1, 8, 2, 4]))


main()
