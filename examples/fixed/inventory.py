"""The stock of a small shop: deliveries come in, orders go out, the oldest goods first."""

from dataclasses import dataclass, field


class OutOfStock(Exception):
    """There is less than was ordered."""


@dataclass
class Batch:
    """Goods that came together and cost the same, in cents."""

    day: int
    quantity: int
    cost: int


@dataclass
class Item:
    """One kind of goods, its batches from the oldest to the newest."""

    name: str
    reorder_at: int
    batches: list[Batch] = field(default_factory=list)

    def on_hand(self):
        return sum(batch.quantity for batch in self.batches)

    def value(self):
        return sum(batch.quantity * batch.cost for batch in self.batches)

    def take(self, quantity):
        """Take goods out, the oldest first; what was taken, by batch."""
        if quantity > self.on_hand():
            raise OutOfStock(f"{self.name}: {quantity} wanted, {self.on_hand()} there")
        taken = []
        while quantity > 0:
            oldest = self.batches[0]
            part = min(quantity, oldest.quantity)
            taken.append(Batch(oldest.day, part, oldest.cost))
            oldest.quantity -= part
            quantity -= part
            if oldest.quantity == 0:
                del self.batches[0]
        return taken

    def put_back(self, batches):
        """Put back what was taken, in front of what came later."""
        for batch in reversed(batches):
            self.batches.insert(0, batch)


@dataclass
class Order:
    """What a customer gets for a price, in cents; the goods that were set aside for it."""

    number: int
    item: str
    quantity: int
    price: int
    goods: list[Batch] = field(default_factory=list)

    def cost(self):
        return sum(batch.quantity * batch.cost for batch in self.goods)

    def profit(self):
        return self.quantity * self.price - self.cost()


class Shop:
    """Items and orders."""

    def __init__(self):
        self.items = {}
        self.orders = {}

    def stock(self, name, reorder_at):
        self.items[name] = Item(name, reorder_at)

    def receive(self, day, name, quantity, cost):
        self.items[name].batches.append(Batch(day, quantity, cost))

    def order(self, number, name, quantity, price):
        """Set goods aside; an order that cannot be served is turned down."""
        order = Order(number, name, quantity, price)
        try:
            order.goods = self.items[name].take(quantity)
        except OutOfStock as problem:
            print(f"order {number} turned down: {problem}")
            return
        self.orders[number] = order

    def cancel(self, number):
        order = self.orders.pop(number)
        self.items[order.item].put_back(order.goods)

    def to_reorder(self):
        return [item.name for item in self.items.values() if item.on_hand() <= item.reorder_at]

    def report(self):
        for order in self.orders.values():
            print(f"order {order.number}: {order.quantity} {order.item}, profit {order.profit()}")
        for item in self.items.values():
            print(f"{item.name}: {item.on_hand()} left, worth {item.value()}")
        print(f"to reorder: {', '.join(self.to_reorder()) or 'nothing'}")


def main():
    shop = Shop()
    shop.stock("lamp", reorder_at=3)
    shop.stock("chair", reorder_at=2)
    shop.receive(1, "lamp", 4, 1000)
    shop.receive(2, "chair", 6, 4000)
    shop.receive(3, "lamp", 5, 1200)
    shop.order(1, "lamp", 2, 1900)
    shop.order(2, "lamp", 5, 1800)
    shop.order(3, "chair", 4, 6500)
    shop.order(4, "chair", 3, 6400)
    shop.cancel(2)
    shop.order(5, "lamp", 3, 1900)
    shop.report()


if __name__ == "__main__":
    main()
