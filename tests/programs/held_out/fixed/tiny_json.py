"""Read a small part of JSON."""


class Reader:
    """Reads one text from left to right."""

    def __init__(self, text):
        self.text = text
        self.at = 0

    def skip(self):
        """Skip blanks."""
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1

    def value(self):
        """Read any value."""
        self.skip()
        char = self.text[self.at]
        if char == "{":
            return self.table()
        if char == "[":
            return self.array()
        if char == '"':
            return self.string()
        return self.number()

    def string(self):
        """Read a text in quotes."""
        self.at += 1
        found = ""
        while self.text[self.at] != '"':
            if self.text[self.at] == "\\":
                self.at += 1
                found += {"n": "\n", "t": "\t"}.get(self.text[self.at], self.text[self.at])
            else:
                found += self.text[self.at]
            self.at += 1
        self.at += 1
        return found

    def number(self):
        """Read a number."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at].isdigit():
            self.at += 1
        return int(self.text[start : self.at])

    def array(self):
        """Read an array."""
        found = []
        self.at += 1
        self.skip()
        while self.text[self.at] != "]":
            found.append(self.value())
            self.skip()
            if self.text[self.at] == ",":
                self.at += 1
        self.at += 1
        return found

    def table(self):
        """Read an object."""
        found = {}
        self.at += 1
        self.skip()
        while self.text[self.at] != "}":
            self.skip()
            key = self.string()
            self.skip()
            self.at += 1
            found[key] = self.value()
            self.skip()
            if self.text[self.at] == ",":
                self.at += 1
        self.at += 1
        return found


def read(text):
    """Return what a text says."""
    return Reader(text).value()


def main():
    print(read('{"sizes": [3, 14], "name": "red\\nhat", "price": 20}'))


main()
