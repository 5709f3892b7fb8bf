"""Keep accounts."""


class Account:
    """An account with a fee for withdrawals."""

    def __init__(self, owner, fee):
        self.owner = owner
        self.fee = fee
        self.balance = 0

    def pay_in(self, amount):
        """Add an amount."""
        self.balance += amount

    def withdraw(self, amount):
        """Take an amount and the fee, if there is enough; return whether there was."""
        if amount + self.fee > self.balance:
            return False
        self.balance -= amount + self.fee
        return True


def transfer(accounts, giver, taker, amount):
    """Move an amount between accounts."""
    if accounts[giver].withdraw(amount):
        accounts[taker].pay_in(amount)


def statement(moves):
    """Return the balances after some moves."""
    accounts = {name: Account(name, 1) for name in ("ann", "bob", "cat")}
    for account in accounts.values():
        account.pay_in(50)
    for giver, taker, amount in moves:
        transfer(accounts, giver, taker, amount)
    return {name: account.balance for name, account in accounts.items()}


def main():
    print(statement([("ann", "bob", 20), ("bob", "cat", 60), ("cat", "ann", 5)]))


main()
