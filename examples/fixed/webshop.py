"""A web shop with a database: customers fill a basket and pay. A test client does the shopping.

Putting a product into a basket that has it already makes it more: there is one line for each product.
Prices are in cents.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from httpx2 import ASGITransport, AsyncClient
from sqlalchemy import ForeignKey, StaticPool, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


class Base(DeclarativeBase):
    """All tables."""


class Product(Base):
    """What can be bought."""

    __tablename__ = "product"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    price: Mapped[int]
    stock: Mapped[int]


class Order(Base):
    """A basket; once it is paid, an order."""

    __tablename__ = "order"
    id: Mapped[int] = mapped_column(primary_key=True)
    customer: Mapped[str]
    paid: Mapped[bool] = mapped_column(default=False)
    lines: Mapped[list[Line]] = relationship(order_by="Line.id")


class Line(Base):
    """So many of a product in an order."""

    __tablename__ = "line"
    id: Mapped[int] = mapped_column(primary_key=True)
    order_id: Mapped[int] = mapped_column(ForeignKey("order.id"))
    product_id: Mapped[int] = mapped_column(ForeignKey("product.id"))
    quantity: Mapped[int]
    product: Mapped[Product] = relationship()


class Refused(Exception):
    """The shop cannot do what was asked."""


engine = create_engine("sqlite://", poolclass=StaticPool)


def find_product(db: Session, name: str) -> Product:
    """Return the product with a name."""
    found = db.scalar(select(Product).where(Product.name == name))
    if found is None:
        raise Refused(f"there is no {name}")
    return found


def basket_of(db: Session, customer: str) -> Order:
    """Return the order that a customer has not paid yet, or a new one."""
    found = db.scalar(select(Order).where(Order.customer == customer, Order.paid.is_(False)))
    if found is None:
        found = Order(customer=customer, paid=False)
        db.add(found)
        db.flush()
    return found


def put(order: Order, product: Product, quantity: int) -> Line:
    """Put so many more of a product into a basket."""
    for line in order.lines:
        if line.product is product:
            line.quantity += quantity
            return line
    line = Line(product=product, quantity=quantity)
    order.lines.append(line)
    return line


def total(order: Order) -> int:
    """Return what an order costs: from 100 euros on, 10 percent less."""
    amount = sum(line.product.price * line.quantity for line in order.lines)
    return amount if amount < 10000 else amount - amount // 10


def take(line: Line) -> None:
    """Take the goods of a line from the stock."""
    if line.quantity > line.product.stock:
        raise Refused(f"only {line.product.stock} {line.product.name} left")
    line.product.stock -= line.quantity


def as_json(order: Order) -> dict[str, object]:
    """Return an order as customers see it."""
    lines = {line.product.name: line.quantity for line in order.lines}
    return {"customer": order.customer, "lines": lines, "total": total(order), "paid": order.paid}


def list_products(db: Session, body: dict[str, object]) -> object:
    """GET /products: what is in stock."""
    return {product.name: product.stock for product in db.scalars(select(Product))}


def add_line(db: Session, body: dict[str, object]) -> object:
    """POST /lines: put a product into the customer's basket."""
    order = basket_of(db, str(body["customer"]))
    put(order, find_product(db, str(body["product"])), int(str(body["quantity"])))
    return as_json(order)


def pay(db: Session, body: dict[str, object]) -> object:
    """POST /payments: pay for what is in the customer's basket."""
    order = basket_of(db, str(body["customer"]))
    for line in order.lines:
        take(line)
    order.paid = True
    return as_json(order)


Action = Callable[[Session, dict[str, object]], object]


def endpoint(action: Action) -> Callable[..., object]:
    """Return what answers a request: an action, in a transaction of its own."""

    async def respond(request: Request) -> JSONResponse:
        body = await request.json() if request.method == "POST" else {}
        try:
            with Session(engine) as db, db.begin():
                return JSONResponse(action(db, body))
        except Refused as refused:
            return JSONResponse({"error": str(refused)}, status_code=409)

    return respond


app = Starlette(
    routes=[
        Route("/products", endpoint(list_products)),
        Route("/lines", endpoint(add_line), methods=["POST"]),
        Route("/payments", endpoint(pay), methods=["POST"]),
    ]
)


async def shop(client: AsyncClient) -> None:
    """Let two customers shop."""
    for customer, product, quantity in [
        ("ann", "lamp", 2),
        ("bob", "chair", 2),
        ("ann", "chair", 1),
        ("ann", "lamp", 1),
        ("bob", "sofa", 1),
    ]:
        body = {"customer": customer, "product": product, "quantity": quantity}
        print((await client.post("/lines", json=body)).text)
    for customer in ("ann", "bob"):
        print((await client.post("/payments", json={"customer": customer})).text)
    print((await client.get("/products")).text)


async def main() -> None:
    """Open the shop with two products."""
    Base.metadata.create_all(engine)
    with Session(engine) as db, db.begin():
        db.add(Product(name="lamp", price=2500, stock=5))
        db.add(Product(name="chair", price=4000, stock=3))
    async with AsyncClient(transport=ASGITransport(app=app), base_url="http://shop") as client:
        await shop(client)


if __name__ == "__main__":
    asyncio.run(main())
