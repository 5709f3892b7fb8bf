"""Totals an order. The discount is wrong; names and output look like HTML, which they are not."""


class Item:
    def __init__(self, name, price, count):
        self.name = name
        self.price = price
        self.count = count


class Order:
    def __init__(self, customer):
        self.customer = customer
        self.items = []
        self.total = 0

    def add(self, item):
        self.items.append(item)


def subtotal(item):
    return item.price * item.count


def discount(amount):
    """Ten per cent off from 100 on."""
    if amount > 100:
        return amount // 10
    return 0


def settle(order):
    amount = 0
    for item in order.items:
        amount += subtotal(item)
    order.total = amount - discount(amount)
    return order.total


def main():
    order = Order("<b onmouseover=window.hacked=1>Eve</b>")
    order.add(Item("<script>window.hacked=1</script>", 30, 2))
    order.add(Item("<img src=x onerror=window.hacked=1>", 40, 1))
    print(f"<script>window.hacked=1</script> {order.customer} pays {settle(order)}, not 90")


if __name__ == "__main__":
    main()
