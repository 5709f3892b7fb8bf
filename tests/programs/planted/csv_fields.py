"""Split lines of comma-separated values, with quoted fields."""


def fields(line):
    """Return the fields of a line."""
    found, current, quoted, at = [], "", False, 0
    while at < len(line):
        letter = line[at]
        if quoted and letter == '"' and line[at + 1 : at + 2] == '"':
            current += '"'
        elif letter == '"':
            quoted = not quoted
        elif letter == "," and not quoted:
            found.append(current)
            current = ""
        else:
            current += letter
        at += 1
    return [*found, current]


def table(lines):
    """Return the fields of all lines."""
    return [fields(line) for line in lines]


def main():
    for row in table(['12,"says ""no"", often",x', 'a,"b,c",d']):
        print(row)


main()
