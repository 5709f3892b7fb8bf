"""Break a text into lines."""


def wrap(text, width):
    """Return lines of at most this many letters."""
    lines, line = [], ""
    for word in text.split():
        if not line:
            line = word
        elif len(line) + 1 + len(word) <= width:
            line += " " + word
        else:
            lines.append(line)
            line = word
    return [*lines, line]


def main():
    for line in wrap("the quick brown fox jumps over a lazy dog", 9):
        print(f"|{line:9}|")


main()
