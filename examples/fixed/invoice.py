"""The invoice of a customer for a month, computed in one long function.

Prices are in cents. A line of an order is a quantity, an article and, if it was agreed upon, a price. The
customer's contract says what is taken off: for large quantities of one article, and from all goods together.
Deposits for bottles and crates are charged, and given back for what is returned; nothing is taken off them. Goods
that were returned are credited at the price they were sold for. Freight is free from a certain value of goods on.
"""

ARTICLES = {
    "water": {"name": "mineral water", "price": 540, "tax": 7, "deposit": 330},
    "juice": {"name": "apple juice", "price": 980, "tax": 7, "deposit": 240},
    "wine": {"name": "red wine", "price": 690, "tax": 19, "deposit": 0},
    "glass": {"name": "wine glass", "price": 415, "tax": 19, "deposit": 0},
}

CONTRACT = {
    "customer": "Hotel Adler",
    "steps": [(10, 3), (25, 5), (50, 8)],
    "bonus": (40_000, 2),
    "freight": 1_900,
    "free_from": 50_000,
    "cash_days": 10,
    "cash_percent": 2,
}

ORDERS = [
    {"day": 3, "lines": [(30, "water", None), (12, "juice", None)], "express": False},
    {"day": 11, "lines": [(24, "wine", 650), (6, "glass", None)], "express": True},
    {"day": 24, "lines": [(20, "water", None), (36, "wine", None)], "express": False},
]

RETURNS = [
    {"day": 12, "article": "glass", "quantity": 2, "empties": 0},
    {"day": 26, "article": "water", "quantity": 0, "empties": 28},
    {"day": 27, "article": "juice", "quantity": 2, "empties": 9},
]


def rounded(amount, percent):
    """Return so many percent of an amount, rounded to the cent, halves up."""
    return (amount * percent + 50) // 100


def money(cents):
    """Return an amount in euros."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def row(text, amount):
    """Return a line of the invoice."""
    return f"{text:<44}{money(amount):>12}"


def invoice(contract, articles, orders, returns):
    """Return the lines of an invoice, and what is to be paid."""
    lines = [f"Invoice for {contract['customer']}"]
    bought = {}
    sold_at = {}
    goods = {}
    deposits = 0
    freight = 0

    # What was delivered, order by order.
    for order in sorted(orders, key=lambda each: each["day"]):
        lines.append(f"order of day {order['day']}")
        value = 0
        for quantity, key, agreed in order["lines"]:
            article = articles[key]
            price = article["price"] if agreed is None else agreed
            percent = 0
            if agreed is None:
                for least, off in contract["steps"]:
                    if quantity >= least:
                        percent = off
            full = quantity * price
            net = full - rounded(full, percent)
            bought[key] = bought.get(key, 0) + quantity
            sold_at.setdefault(key, []).append((quantity, net))
            goods[article["tax"]] = goods.get(article["tax"], 0) + net
            value += net
            text = f"  {quantity} x {article['name']} at {money(price)}"
            if percent:
                text += f", less {percent}%"
            lines.append(row(text, net))
            if article["deposit"]:
                charged = quantity * article["deposit"]
                deposits += charged
                lines.append(row(f"  deposit, {quantity} x {money(article['deposit'])}", charged))
        if value < contract["free_from"]:
            due = contract["freight"]
            if order["express"]:
                due += contract["freight"] // 2
            freight += due
            lines.append(row("  freight" + (", express" if order["express"] else ""), due))

    # What came back: goods at the price of the latest delivery, empties for their deposit.
    if returns:
        lines.append("returned")
    for item in sorted(returns, key=lambda each: each["day"]):
        article = articles[item["article"]]
        left = item["quantity"]
        credit = 0
        for quantity, net in reversed(sold_at.get(item["article"], [])):
            taken = min(left, quantity)
            credit += rounded(net * 100 // quantity, taken)
            left -= taken
            if not left:
                break
        if left:
            raise ValueError(f"{left} {article['name']} more than were sold")
        if item["quantity"]:
            bought[item["article"]] -= item["quantity"]
            goods[article["tax"]] -= credit
            lines.append(row(f"  {item['quantity']} x {article['name']}", -credit))
        empties = item["quantity"] + item["empties"]
        if article["deposit"] and empties:
            given_back = empties * article["deposit"]
            deposits -= given_back
            lines.append(row(f"  empties, {empties} x {article['name']}", -given_back))

    # The bonus comes off the goods of each tax rate in proportion.
    total = sum(goods.values())
    least, percent = contract["bonus"]
    bonus = 0
    if total >= least:
        for tax in sorted(goods):
            off = rounded(goods[tax], percent)
            goods[tax] -= off
            bonus += off
        lines.append(row(f"bonus of {percent}% on {money(total)}", -bonus))

    # Freight is taxed like most of the goods, deposits at the full rate.
    main = max(goods, key=lambda tax: (goods[tax], tax))
    taxed = dict(goods)
    taxed[main] = taxed.get(main, 0) + freight
    taxed[19] = taxed.get(19, 0) + deposits
    net_total = sum(taxed.values())
    lines.append(row("net", net_total))
    tax_total = 0
    for tax in sorted(taxed):
        part = rounded(taxed[tax], tax)
        tax_total += part
        lines.append(row(f"tax, {tax}% of {money(taxed[tax])}", part))
    gross = net_total + tax_total
    lines.append(row("to be paid", gross))

    # Who pays soon may take something off, but not off the deposits.
    base = gross - deposits - rounded(deposits, 19)
    cash = gross - rounded(base, contract["cash_percent"])
    lines.append(row(f"if paid within {contract['cash_days']} days", cash))
    return lines, gross


def main():
    """Print the invoice."""
    lines, _ = invoice(CONTRACT, ARTICLES, ORDERS, RETURNS)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
