"""A tokenizer, a parser and an evaluator: objects, methods that call each other, errors."""

import re


class CalculatorError(Exception):
    def __init__(self, text, place):
        super().__init__(text)
        self.place = place


class Tokens:
    PATTERN = re.compile(r"\s*(?:(\d+)|(.))")

    def __init__(self, text):
        self.tokens = [m.group(1) or m.group(2) for m in self.PATTERN.finditer(text)]
        self.place = 0

    @property
    def current(self):
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def take(self):
        token = self.current
        self.place += 1
        return token

    def expect(self, wanted):
        if self.current != wanted:
            raise CalculatorError(f"{wanted} expected", self.place)
        return self.take()


class Number:
    def __init__(self, value):
        self.value = value

    def evaluate(self):
        return self.value


class Binary:
    OPERATIONS = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: divide(a, b),
    }

    def __init__(self, operator, left, right):
        self.operator = operator
        self.left = left
        self.right = right

    def evaluate(self):
        a = self.left.evaluate()
        b = self.right.evaluate()
        return self.OPERATIONS[self.operator](a, b)


def divide(a, b):
    try:
        return a // b
    except ZeroDivisionError as error:
        raise CalculatorError("division by zero", 0) from error


class Parser:
    def __init__(self, text):
        self.tokens = Tokens(text)

    def expression(self):
        return self.chain(self.term, "+-")

    def term(self):
        return self.chain(self.factor, "*/")

    def chain(self, part, operators):
        left = part()
        while (operator := self.tokens.current) and operator in operators:
            self.tokens.take()
            right = part()
            left = Binary(operator, left, right)
        return left

    def factor(self):
        token = self.tokens.take()
        if token == "(":
            inside = self.expression()
            self.tokens.expect(")")
            return inside
        if token is None or not token.isdigit():
            raise CalculatorError("number expected", self.tokens.place)
        return Number(int(token))


def calculate(text):
    try:
        tree = Parser(text).expression()
        return tree.evaluate()
    except CalculatorError as error:
        return f"{error} at {error.place}"


for text in ("1 + 2 * 3", "(1 + 2) * (3 - 4)", "8 / (4 - 2)", "1 / 0", "2 * (3", "+"):
    print(text, "=", calculate(text))
