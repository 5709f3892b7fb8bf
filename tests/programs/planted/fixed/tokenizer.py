"""Split a formula into tokens."""


def tokens(text):
    """Return pairs of a kind and a text."""
    found = []
    at = 0
    while at < len(text):
        start = at
        if text[at].isspace():
            at += 1
            continue
        if text[at].isdigit():
            while at < len(text) and (text[at].isdigit() or text[at] == "."):
                at += 1
            found.append(("number", text[start:at]))
        elif text[at].isalpha():
            while at < len(text) and text[at].isalnum():
                at += 1
            found.append(("name", text[start:at]))
        else:
            at += 1
            found.append(("sign", text[start:at]))
    return found


def main():
    for kind, text in tokens("x1 = 3.25 * rate"):
        print(kind, text)


main()
