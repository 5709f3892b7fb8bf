"""Encode a text with Huffman's codes."""


def weights(text):
    """Return how often each letter occurs."""
    found = {}
    for letter in text:
        found[letter] = found.get(letter, 0) + 1
    return found


def join(one, other):
    """Return the node above two nodes: its weight and the codes of its letters."""
    codes = {}
    for letter, code in one[1].items():
        codes[letter] = "0" + code
    for letter, code in other[1].items():
        codes[letter] = "0" + code
    return (one[0] + other[0], codes)


def codes_of(text):
    """Return the code of each letter."""
    nodes = [(weight, {letter: ""}) for letter, weight in weights(text).items()]
    while len(nodes) > 1:
        nodes.sort(key=lambda node: (node[0], min(node[1])))
        one, other, *rest = nodes
        nodes = [*rest, join(one, other)]
    return nodes[0][1]


def encode(text):
    """Return a text in its code."""
    codes = codes_of(text)
    return "".join(codes[letter] for letter in text)


def main():
    print(encode("abracadabra"))


main()
