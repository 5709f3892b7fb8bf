"""Find the cheapest order to multiply a chain of matrices."""

from functools import lru_cache


def cheapest(sizes):
    """Return how many multiplications the best order takes."""

    @lru_cache(maxsize=None)
    def cost(first, last):
        """Return the cost of the product of the matrices from first to last."""
        if first == last:
            return 0
        costs = []
        for split in range(first, last):
            work = sizes[first] * sizes[split] * sizes[last + 1]
            costs.append(cost(first, split) + cost(split + 1, last) + work)
        return min(costs)

    return cost(0, len(sizes) - 2)


def main():
    print(cheapest([10, 30, 5, 60]))


main()
