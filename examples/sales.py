"""A data frame script: orders of a shop, as they come in, and what is sold in each region."""

from io import StringIO

import pandas as pd

ORDERS = """\
order,day,customer,article,quantity
101,2024-03-04,Ann,lamp,2
102,2024-03-04,Bob ,chair,1 dz
103,2024-03-05,Cid,lamp,3
102,2024-03-05,Bob ,chair,10
104,2024-03-06, Dora,table,1
105,2024-03-06,Ann,chair,4
103,2024-03-07,Cid,table,3
106,2024-03-08,Eve,lamp,1 dz
"""

PRICES = """\
article,price
lamp,30.0
chair,45.0
table,120.0
"""

CUSTOMERS = """\
customer,region
Ann,north
Bob,south
Cid,south
Dora,north
"""

MANY = 10
DISCOUNT = 0.1


def table(text):
    """Read a table from text, one row for each line."""
    return pd.read_csv(StringIO(text))


def pieces(quantity):
    """Return how many pieces are ordered: '3' are 3, '2 dz' are 24."""
    number, _, unit = quantity.partition(" ")
    return int(number) * (12 if unit == "dz" else 1)


def clean(orders):
    """Return orders with the names of customers stripped, and quantities as numbers of pieces."""
    orders = orders.copy()
    orders["customer"] = orders["customer"].str.strip()
    orders["quantity"] = orders["quantity"].map(pieces)
    return orders


def corrected(orders):
    """Return each order once: who sends an order again corrects it, so the last row counts."""
    return orders.drop_duplicates("order").sort_values("order", ignore_index=True)


def priced(orders, prices):
    """Return orders with the price of a piece, which is lower if many are ordered."""
    found = orders.merge(prices, on="article", how="left")
    many = found["quantity"] >= MANY
    found.loc[many, "price"] *= 1 - DISCOUNT
    return found


def with_regions(orders, customers):
    """Return orders with the regions of their customers; some are not known."""
    found = orders.merge(customers, on="customer", how="left")
    found["region"] = found["region"].fillna("unknown")
    return found


def add_totals(orders):
    """Put what an order costs into it."""
    orders["total"] = orders["quantity"] * orders["price"]


def by_region(orders):
    """Return what was sold in each region, and in how many orders."""
    groups = orders.groupby("region")
    return pd.DataFrame({"orders": groups.size(), "total": groups["total"].sum()})


def best_article(orders):
    """Return the article that brought in most."""
    return orders.groupby("article")["total"].sum().idxmax()


def main():
    orders = corrected(clean(table(ORDERS)))
    orders = with_regions(priced(orders, table(PRICES)), table(CUSTOMERS))
    add_totals(orders)
    regions = by_region(orders)
    for region, row in regions.iterrows():
        print(f"{region}: {row['orders']:.0f} orders, {row['total']:.2f}")
    print(f"all: {regions['total'].sum():.2f}, most by {best_article(orders)}s")


if __name__ == "__main__":
    main()
