"""Several modules, some of them imported late."""

from shop import stock


def buy(title, n):
    from shop import prices

    total = prices.price(title) * stock.take(title, n)
    if total > 50:
        import shop.discount as discount

        total = discount.apply(total)
    return total


print(buy("a", 2), buy("b", 3), buy("c", 1))
