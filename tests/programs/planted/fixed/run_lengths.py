"""Expand texts packed as counts and letters."""


def unpack(packed):
    """Return the text: `3a2b` is `aaabb`; a letter without count stands for itself."""
    text, count = "", ""
    for sign in packed:
        if sign.isdigit():
            count += sign
        else:
            text += sign * int(count or "1")
            count = ""
    return text


def main():
    print(unpack("2xy3z"))


main()
