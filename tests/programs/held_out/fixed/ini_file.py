"""Read settings from text."""


def clean(line):
    """Return a line without its comment and blanks."""
    text, _, _ = line.partition("#")
    return text.strip()


def parse(text):
    """Return sections, each with its settings."""
    sections = {}
    current = sections.setdefault("", {})
    for line in text.splitlines():
        line = clean(line)
        if not line:
            continue
        if line.startswith("["):
            current = sections.setdefault(line[1:-1], {})
            continue
        name, _, value = line.partition("=")
        current[name.strip()] = value.strip()
    return sections


def lookup(text, section, name):
    """Return a setting; a section inherits from the first one."""
    sections = parse(text)
    own = sections.get(section, {})
    return own.get(name, sections[""].get(name))


def main():
    print(lookup("size = 3\n# more\n[page]\ncolour = red # nice\nsize = 8\n", "page", "size"))


main()
