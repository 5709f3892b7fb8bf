"""Settle the orders of a shop: a few workers take them from one queue and share stock and accounts."""

import asyncio
from dataclasses import dataclass

PRICES = {"lamp": 30, "chair": 80, "vase": 12}
DISCOUNTS = {"ann": 10, "cleo": 25}
ROUNDS = {"card": 1, "transfer": 3}


@dataclass
class Order:
    """What a customer wants; its status is new, paid or turned down."""

    number: int
    customer: str
    item: str
    quantity: int
    method: str
    status: str = "new"


class Shop:
    """What is there, what each customer has paid, and how many orders each worker has settled."""

    def __init__(self, stock, customers):
        self.stock = stock
        self.paid = dict.fromkeys(customers, 0)
        self.settled = {}

    def reserve(self, order):
        """Take goods out of the stock, if there are enough."""
        if self.stock[order.item] < order.quantity:
            return False
        self.stock[order.item] -= order.quantity
        return True


class Gateway:
    """Stands in for the bank: cards take a moment, transfers take longer."""

    def __init__(self):
        self.requests = 0

    async def charge(self, order, amount):
        """Return what was charged, fee included: 2 for a transfer."""
        self.requests += 1
        for _ in range(ROUNDS[order.method]):
            await asyncio.sleep(0)
        return amount + (2 if order.method == "transfer" else 0)


def price(order):
    """Return what an order costs, in whole coins: the customer's discount is rounded down."""
    full = PRICES[order.item] * order.quantity
    return full - full * DISCOUNTS.get(order.customer, 0) // 100


async def settle(shop, gateway, order):
    """Reserve the goods of an order and add what was charged to what its customer has paid."""
    if not shop.reserve(order):
        order.status = "turned down"
        return
    shop.paid[order.customer] += await gateway.charge(order, price(order))
    order.status = "paid"


async def worker(name, queue, shop, gateway):
    """Settle orders until none is left."""
    while queue:
        order = queue.pop(0)
        await settle(shop, gateway, order)
        shop.settled[name] = shop.settled.get(name, 0) + 1


async def work_off(orders, shop, gateway, names):
    """Settle orders, the oldest first, with so many workers at the same time."""
    queue = list(orders)
    await asyncio.gather(*[worker(name, queue, shop, gateway) for name in names])


def statement(customer, orders, shop):
    """Return a line about a customer: orders that were paid, and what was paid."""
    numbers = [order.number for order in orders if order.customer == customer]
    paid = [order for order in orders if order.number in numbers and order.status == "paid"]
    return f"{customer}: {len(paid)} of {len(numbers)} orders, {shop.paid[customer]} paid"


def report(orders, shop, gateway):
    """Return a line for each customer, one for the stock and one for the bank."""
    lines = [statement(customer, orders, shop) for customer in shop.paid]
    left = ", ".join(f"{count} {item}" for item, count in shop.stock.items())
    return [*lines, f"left: {left}", f"{gateway.requests} requests"]


def main():
    orders = [
        Order(1, "ann", "lamp", 2, "transfer"),
        Order(2, "bob", "vase", 3, "card"),
        Order(3, "cleo", "chair", 1, "card"),
        Order(4, "bob", "lamp", 1, "transfer"),
        Order(5, "ann", "chair", 1, "card"),
        Order(6, "cleo", "chair", 2, "card"),
        Order(7, "cleo", "vase", 4, "transfer"),
        Order(8, "bob", "vase", 1, "card"),
    ]
    shop, gateway = Shop({"lamp": 4, "chair": 3, "vase": 9}, ["ann", "bob", "cleo"]), Gateway()
    asyncio.run(work_off(orders, shop, gateway, ["north", "south", "west"]))
    for line in report(orders, shop, gateway):
        print(line)


if __name__ == "__main__":
    main()
