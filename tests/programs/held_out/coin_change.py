"""Pay an amount with as few coins as possible."""


def fewest(coins, amount):
    """Return the smallest number of coins; None if it is not possible."""
    best = [0] + [None] * amount
    for coin in coins:
        for total in range(coin + 1, amount + 1):
            rest = best[total - coin]
            if rest is None:
                continue
            if best[total] is None or rest + 1 < best[total]:
                best[total] = rest + 1
    return best[amount]


def main():
    print(fewest([1, 4, 6], 13))


main()
