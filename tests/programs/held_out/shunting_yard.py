"""Evaluate formulas by way of reverse Polish notation."""

RANKS = {"+": 1, "-": 1, "*": 2, "/": 2}


def postfix(tokens):
    """Return the tokens in reverse Polish notation."""
    output, waiting = [], []
    for token in tokens:
        if token == "(":
            waiting.append(token)
        elif token == ")":
            while waiting[-1] != "(":
                output.append(waiting.pop())
            waiting.pop()
        elif token in RANKS:
            while waiting and waiting[-1] != "(" and RANKS[waiting[-1]] > RANKS[token]:
                output.append(waiting.pop())
            waiting.append(token)
        else:
            output.append(int(token))
    while waiting:
        output.append(waiting.pop())
    return output


def evaluate(text):
    """Return the value of a formula whose tokens are separated by blanks."""
    stack = []
    for token in postfix(text.split()):
        if isinstance(token, int):
            stack.append(token)
            continue
        right, left = stack.pop(), stack.pop()
        if token == "+":
            stack.append(left + right)
        elif token == "-":
            stack.append(left - right)
        elif token == "*":
            stack.append(left * right)
        else:
            stack.append(left // right)
    return stack.pop()


def main():
    print(evaluate("2 * ( 9 - 4 - 3 ) + 8 / 4"))


main()
