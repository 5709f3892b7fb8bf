"""Tokenize, parse and evaluate generated arithmetic. Scale: expressions."""

from __future__ import annotations

import sys
from collections.abc import Callable

Token = tuple[str, str]

MODULUS = 1_000_003


class Random:
    """A linear congruential generator, the same on every machine."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        self.state = (self.state * 1_103_515_245 + 12_345) % 2_147_483_648
        return (self.state >> 8) % limit


def generate(random: Random, depth: int) -> str:
    """Return an expression nested at most `depth` deep."""
    if depth == 0 or random.below(8) == 0:
        return str(random.below(1000)) if random.below(2) else "xyz"[random.below(3)]
    if random.below(6) == 0:
        return "-" + generate(random, depth - 1)
    left = generate(random, depth - 1)
    right = generate(random, depth - 1)
    text = f"{left} {'+-*'[random.below(3)]} {right}"
    return f"({text})" if random.below(2) else text


class Tokenizer:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def tokens(self) -> list[Token]:
        result = []
        while self.position < len(self.text):
            char = self.text[self.position]
            if char == " ":
                self.position += 1
            elif char.isdigit():
                result.append(("number", self.take_while(str.isdigit)))
            elif char.isalpha():
                result.append(("name", self.take_while(str.isalpha)))
            else:
                result.append((char, char))
                self.position += 1
        result.append(("end", ""))
        return result

    def take_while(self, accepts: Callable[[str], bool]) -> str:
        start = self.position
        while self.position < len(self.text) and accepts(self.text[self.position]):
            self.position += 1
        return self.text[start : self.position]


class Node:
    def evaluate(self, names: dict[str, int]) -> int:
        raise NotImplementedError


class Number(Node):
    def __init__(self, value: int) -> None:
        self.value = value

    def evaluate(self, names: dict[str, int]) -> int:
        return self.value


class Name(Node):
    def __init__(self, name: str) -> None:
        self.name = name

    def evaluate(self, names: dict[str, int]) -> int:
        return names[self.name]


class Negation(Node):
    def __init__(self, operand: Node) -> None:
        self.operand = operand

    def evaluate(self, names: dict[str, int]) -> int:
        return -self.operand.evaluate(names) % MODULUS


class Operation(Node):
    def __init__(self, operator: str, left: Node, right: Node) -> None:
        self.operator = operator
        self.left = left
        self.right = right

    def evaluate(self, names: dict[str, int]) -> int:
        left = self.left.evaluate(names)
        right = self.right.evaluate(names)
        if self.operator == "+":
            return (left + right) % MODULUS
        if self.operator == "-":
            return (left - right) % MODULUS
        return left * right % MODULUS


class Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.position = 0

    def peek(self) -> str:
        return self.tokens[self.position][0]

    def take(self) -> Token:
        token = self.tokens[self.position]
        self.position += 1
        return token

    def parse(self) -> Node:
        node = self.sum()
        if self.peek() != "end":
            raise SyntaxError(f"unexpected {self.take()[1]!r}")
        return node

    def sum(self) -> Node:
        node = self.product()
        while self.peek() in ("+", "-"):
            operator = self.take()[0]
            node = Operation(operator, node, self.product())
        return node

    def product(self) -> Node:
        node = self.factor()
        while self.peek() == "*":
            operator = self.take()[0]
            node = Operation(operator, node, self.factor())
        return node

    def factor(self) -> Node:
        kind, text = self.take()
        if kind == "number":
            return Number(int(text))
        if kind == "name":
            return Name(text)
        if kind == "-":
            return Negation(self.factor())
        if kind == "(":
            node = self.sum()
            if self.take()[0] != ")":
                raise SyntaxError("missing )")
            return node
        raise SyntaxError(f"unexpected {text!r}")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 4_500
    random = Random(11)
    names = {"x": 3, "y": 5, "z": 7}
    checksum = 0
    for _ in range(count):
        tree = Parser(Tokenizer(generate(random, 6)).tokens()).parse()
        names["x"] = tree.evaluate(names)
        checksum = (checksum * 31 + names["x"]) % MODULUS
    print(f"calc {count} {checksum}")


if __name__ == "__main__":
    main()
