"""Encode bytes in base 64."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def groups(data):
    """Yield four numbers for each three bytes, the last ones filled with 0."""
    for at in range(0, len(data), 3):
        three = data[at : at + 3]
        bits = 0
        for byte in three:
            bits = bits << 8 | byte
        bits <<= 8 * (3 - len(three))
        yield [bits >> 18 & 63, bits >> 12 & 63, bits >> 6 & 63, bits & 63]


def encode(data):
    """Return the text for some bytes."""
    text = ""
    for four in groups(data):
        for number in four:
            text += LETTERS[number]
    missing = -len(data) % 3
    if missing:
        text = text[:-missing] + "=" * missing
    return text


def main():
    print(encode(b"hello, all"))


main()
