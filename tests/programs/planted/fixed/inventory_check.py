"""Take ordered articles out of a stock."""


class Shortage(Exception):
    """There is not enough of an article."""


def reserve(stock, article, count):
    """Take articles out of the stock."""
    left = stock.get(article, 0)
    if count > left:
        raise Shortage(f"{article}: {count} ordered, {left} in stock")
    stock[article] = left - count


def fulfil(stock, orders):
    """Return a message for each order."""
    messages = []
    for article, count in orders:
        try:
            reserve(stock, article, count)
        except Shortage as error:
            messages.append(f"refused ({error})")
        else:
            messages.append(f"sent {count} {article}")
    return messages


def main():
    print("\n".join(fulfil({"nut": 5, "bolt": 2}, [("nut", 4), ("bolt", 3), ("nut", 1)])))


main()
