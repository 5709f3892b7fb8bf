"""Find texts that are rotations of others."""


def rotated(text, by):
    """Return a text rotated to the left."""
    return text[by:] + text[:by]


def rotations(text):
    """Return all rotations of a text."""
    found = set()
    for by in range(len(text)):
        found.add(rotated(text, by))
    return found


def is_found(text, others):
    """Return which of the others are rotations of a text."""
    known = rotations(text)
    return [other for other in others if other in known]


def main():
    print(is_found("stone", ["onest", "tones", "notes", "stone"]))


main()
