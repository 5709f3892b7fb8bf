"""For each day, count how long prices were not higher before it."""


def spans(prices):
    """Return the number of days up to each day with no higher price."""
    stack, found = [], []
    for day, price in enumerate(prices):
        while stack and prices[stack[-1]] <= price:
            stack.pop()
        before = stack[-1] if stack else -1
        found.append(day - before)
        stack.append(day)
    return found


def report(prices):
    """Return a line for each day."""
    return [f"{price}: {span}" for price, span in zip(prices, spans(prices))]


def main():
    print(report([100, 80, 60, 70, 60, 75, 85]))


main()
