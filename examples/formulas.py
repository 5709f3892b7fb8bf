"""A sheet with formulas in its cells: a tokenizer, a parser by recursive descent, an evaluator."""

import re

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Z]\d+)|(\S))")
OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": lambda a, b: a**b,
}


class FormulaError(Exception):
    """A formula that makes no sense."""


def tokenize(text):
    """Return the numbers, cells and signs of a formula."""
    tokens = []
    for number, cell, sign in TOKEN.findall(text):
        if number:
            tokens.append(("number", float(number)))
        elif cell:
            tokens.append(("cell", cell))
        else:
            tokens.append(("sign", sign))
    return tokens


class Parser:
    """Makes a tree of tokens: numbers, names of cells, and (sign, left, right).

    sum     = product {("+" | "-") product}
    product = power {("*" | "/") power}
    power   = atom ["^" power]
    atom    = number | cell | "-" atom | "(" sum ")"
    """

    def __init__(self, tokens):
        self.tokens = tokens
        self.at = 0

    def accept(self, *signs):
        """Take the next token if it is one of these signs."""
        if self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            if kind == "sign" and text in signs:
                self.at += 1
                return text
        return None

    def parse(self):
        tree = self.sum()
        if self.at < len(self.tokens):
            raise FormulaError(f"not expected: {self.tokens[self.at][1]}")
        return tree

    def sum(self):
        tree = self.product()
        while sign := self.accept("+", "-"):
            tree = (sign, tree, self.product())
        return tree

    def product(self):
        tree = self.power()
        while sign := self.accept("*", "/"):
            tree = (sign, tree, self.power())
        return tree

    def power(self):
        tree = self.atom()
        while sign := self.accept("^"):
            tree = (sign, tree, self.atom())
        return tree

    def atom(self):
        if self.accept("-"):
            return ("-", 0.0, self.atom())
        if self.accept("("):
            tree = self.sum()
            if not self.accept(")"):
                raise FormulaError("a bracket is not closed")
            return tree
        if self.at == len(self.tokens):
            raise FormulaError("something is missing at the end")
        kind, value = self.tokens[self.at]
        if kind == "sign":
            raise FormulaError(f"not expected: {value}")
        self.at += 1
        return value


def evaluate(tree, sheet):
    """Return the value of a tree, with the cells of a sheet."""
    if isinstance(tree, float):
        return tree
    if isinstance(tree, str):
        return value_of(tree, sheet)
    sign, left, right = tree
    return OPERATIONS[sign](evaluate(left, sheet), evaluate(right, sheet))


def value_of(cell, sheet):
    if cell not in sheet:
        raise FormulaError(f"there is no cell {cell}")
    return evaluate(Parser(tokenize(sheet[cell])).parse(), sheet)


def main():
    sheet = {
        "A1": "2 ^ 10",
        "A2": "A1 - 24 - 2 * (3 + 4)",
        "A3": "2 ^ 3 ^ 2",
        "A4": "-(A3 - A2) / 2",
        "A5": "(1 + 2",
        "A6": "B7 * 2",
    }
    for cell in sheet:
        try:
            print(f"{cell} = {value_of(cell, sheet):g}")
        except FormulaError as problem:
            print(f"{cell}: {problem}")


if __name__ == "__main__":
    main()
