"""The payroll of a company: what people are paid follows from what they are."""


class Employee:
    """Somebody with a salary by the month."""

    title = "employee"

    def __init__(self, name, salary):
        self.name = name
        self.salary = salary

    def pay(self):
        """Return what is paid this month, before tax."""
        return self.salary

    def tax(self):
        """Return the tax: 20 percent, and 40 of what is above 4000."""
        pay = self.pay()
        return pay * 20 // 100 + max(pay - 4000, 0) * 20 // 100

    def describe(self):
        return f"{self.name} ({self.title})"

    def slip(self):
        """Return the line for this month."""
        pay, tax = self.pay(), self.tax()
        return f"{self.describe()}: {pay} - {tax} = {pay - tax}"


class Seller(Employee):
    """Gets a commission of 5 percent of the sales, too."""

    title = "seller"

    def __init__(self, *args, sales=0, **more):
        super().__init__(*args, **more)
        self.sales = sales

    def pay(self):
        return super().pay() + self.sales * 5 // 100


class Manager(Employee):
    """Gets 200 for each person in the team, too."""

    title = "manager"

    def __init__(self, *args, team=(), **more):
        super().__init__(*args, **more)
        self.team = list(team)

    def pay(self):
        return Employee.pay(self) + 200 * len(self.team)

    def describe(self):
        return f"{super().describe()} of {len(self.team)}"


class SalesManager(Manager, Seller):
    """Manages sellers, and sells."""

    title = "sales manager"


class Intern(Employee):
    """Pays no tax."""

    title = "intern"

    def tax(self):
        return 0


class Payroll:
    """Everybody, once."""

    def __init__(self, boss):
        self.people = []
        self.add(boss)

    def add(self, person):
        """Add somebody and whoever is below."""
        if person not in self.people:
            self.people.append(person)
        for member in getattr(person, "team", ()):
            self.add(member)

    def total(self):
        return sum(person.pay() for person in self.people)

    def show(self):
        for person in self.people:
            print(person.slip())
        print(f"total: {self.total()}")


def main():
    ann = Seller("Ann", 2500, sales=30000)
    bob = Seller("Bob", 2400, sales=8000)
    cid = Intern("Cid", 900)
    eve = SalesManager("Eve", 3600, sales=24000, team=[ann, bob])
    Payroll(Manager("Zoe", 5200, team=[eve, cid])).show()


if __name__ == "__main__":
    main()
